/// Rows of the metrics of abstention, of decisions and of votes.
extension MetricKind {
  static let answeredFacts =
    MetricFacts(
      "answered", direction: .neither,
      .classification(
        "The share of samples that are answered at the given thresholds.", undefined: noRule))

  static let answeredAccuracyFacts =
    MetricFacts(
      "accuracy of answered samples",
      .classification(
        "The accuracy over the answered samples.",
        undefined: "no sample is answered, or \(noRule)"))

  static let meanAcceptedFacts =
    MetricFacts(
      "classes accepted", direction: .neither, range: 0...(.infinity),
      .classification(
        "The mean number of classes per sample whose probability reaches the threshold.",
        undefined: noRule))

  static let coverageFacts =
    MetricFacts(
      "coverage",
      .classification(
        "The share of samples whose prediction the decision accepts.", shown: [.list],
        undefined: noDecision),
      .multiLabel(
        "The share of labels, of all classes and samples, that the decision accepts.",
        shown: [.list], undefined: noDecision),
      .detection(
        "The share of detections that the decision accepts; those of ignored objects do not count.",
        undefined: "there are no detections, or \(noDecision)"))

  static let selectiveRiskFacts =
    MetricFacts(
      "selective risk", direction: .lowerIsBetter,
      .classification(
        "The share of errors among the predictions that the decision accepts.", shown: [.list],
        undefined: "no prediction is accepted, or \(noDecision)"),
      .multiLabel(
        "The share of labels that the sample does not have among those that the decision accepts.",
        shown: [.list], undefined: "no label is accepted, or \(noDecision)"),
      .detection(
        "The share of detections that match no object at the working IoU among those that the decision accepts.",
        undefined: "no detection is accepted, or \(noDecision)"))

  static let voteCrossEntropyFacts =
    MetricFacts(
      "cross-entropy to the votes", direction: .lowerIsBetter, range: 0...36.05,
      .classification(
        "The mean of −Σ t·ln(probability) over the samples with votes, t the votes’ share for each class.",
        shown: [.list], undefined: noVotes))

  static let expectedAccuracyFacts =
    MetricFacts(
      "expected accuracy",
      .classification(
        "The mean share of the votes for the predicted class, over the samples with votes.",
        shown: [.list], undefined: "no sample has votes of people"))

  static let voteDivergenceFacts =
    MetricFacts(
      "KL divergence from the votes", direction: .lowerIsBetter, range: 0...36.05,
      .classification(
        "The mean over the samples with votes of the cross-entropy less the entropy of the votes: 0 if the "
          + "probabilities are the votes’ shares.", shown: [.list], undefined: noVotes))

  private static let noRule = "neither --accept nor --margin was given"
  private static let noDecision =
    "there is no decision file of thresholds (predict --decision, gate --decision)"
  private static let noVotes =
    "no sample has votes of people, or all have votes for a class that the model does not have"
}
