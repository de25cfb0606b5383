/// Rows of the metrics that only multi-label classification has.
extension MetricKind {
  static let subsetAccuracyFacts =
    MetricFacts(
      "subset accuracy",
      .multiLabel(
        "The share of samples whose predicted set of classes is exactly the true one.",
        shown: [.tile, .list]))

  static let hammingLossFacts =
    MetricFacts(
      "Hamming loss", direction: .lowerIsBetter,
      .multiLabel(
        "The share of wrong decisions among all pairs of a sample and a class: 0 is perfect.",
        shown: [.tile, .list]))

  static let macroRecallDefinedFacts =
    MetricFacts(
      "macro recall",
      .multiLabel(Self.macroDefined, shown: [.list], undefined: Self.noTrueLabel))

  static let microPrecisionFacts =
    MetricFacts(
      "micro precision",
      .multiLabel(
        "Of all predicted labels of all classes together, the share that is true.",
        shown: [.list], undefined: "no class was predicted for any sample"))

  static let microRecallFacts =
    MetricFacts(
      "micro recall",
      .multiLabel(
        "Of all true labels of all classes together, the share that is predicted.",
        shown: [.list], undefined: Self.noTrueLabel))

  static let microF1Facts =
    MetricFacts(
      "micro F1",
      .multiLabel(
        "2·tp / (2·tp + fp + fn) with the counts of all classes added up.",
        shown: [.headline, .list], undefined: Self.noLabels))

  static let sampleF1Facts =
    MetricFacts(
      "F1 of the samples",
      .multiLabel(
        "The mean over the samples of each one’s F1 = 2·tp / (2·tp + fp + fn) of its classes; samples where "
          + "ground truth and prediction are both empty have none and are left out.",
        shown: [.list], undefined: Self.noLabels))

  static let microAveragePrecisionFacts =
    MetricFacts(
      "micro average precision",
      .multiLabel(
        "The average precision of all pairs of a sample and a class ranked by score together.",
        shown: [.tile, .list], undefined: Self.noTrueLabel))

  static let rankingLossFacts =
    MetricFacts(
      "ranking loss", direction: .lowerIsBetter,
      .multiLabel(
        "The mean over the samples of the share of pairs of a true and an untrue class in which the true one "
          + "does not have the higher score; a sample with no class or all counts as 0.",
        shown: [.tile, .list], undefined: Self.noRankedSample))

  static let labelRankingAveragePrecisionFacts =
    MetricFacts(
      "label ranking average precision",
      .multiLabel(
        "The mean over the samples of the mean, over their true classes, of the share of true classes among "
          + "those with at least the same score; a sample with no class or all counts as 1.",
        shown: [.list], undefined: Self.noRankedSample))

  static let noTrueLabel = "no sample has a class"
  static let noLabels = "no sample has a class or is predicted to have one"
  static let noRankedSample = "every sample has no class or all of them"
}
