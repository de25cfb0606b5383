/// The metrics of evaluations. The raw value is the key in JSON, in gate expressions, in SQL and in the report;
/// ``facts`` holds everything else about a metric. The order is that of lists and of JSON.
package enum MetricKind: String, CaseIterable, Sendable, Codable {
  // Classification: one value.
  case accuracy
  case baselineAccuracy = "baseline_accuracy"
  case top1, top2, top3, top5
  case balancedAccuracy = "balanced_accuracy"
  case macroPrecision = "macro_precision"
  case macroPrecisionDefined = "macro_precision_defined"
  case macroRecall = "macro_recall"
  case macroF1 = "macro_f1"
  case macroF1Defined = "macro_f1_defined"
  case macroJaccard = "macro_jaccard"
  case weightedPrecision = "weighted_precision"
  case weightedRecall = "weighted_recall"
  case weightedF1 = "weighted_f1"
  case kappa
  case mcc
  case macroAUROC = "macro_auroc_ovr"
  case meanAveragePrecision = "mean_average_precision"
  case logLoss = "log_loss"
  case brier
  case ece15
  case aurc
  case aurcMargin = "aurc_margin"
  // Classification: one value per class.
  case precision
  case recall
  case f1
  case jaccard
  case support
  case auroc = "auroc_ovr"
  case averagePrecision = "average_precision"
  // Classification: abstention at stated thresholds.
  case answered
  case answeredAccuracy = "answered_accuracy"
  case meanAccepted = "mean_accepted"
  // Classification: the promise of a decision file.
  case coverage
  case selectiveRisk = "selective_risk"
  // Classification: against the votes of people.
  case voteCrossEntropy = "vote_cross_entropy"
  case expectedAccuracy = "expected_accuracy"
  case voteDivergence = "vote_kl"
  // Multi-label classification: one value, besides means over classes.
  case subsetAccuracy = "subset_accuracy"
  case hammingLoss = "hamming_loss"
  case macroRecallDefined = "macro_recall_defined"
  case microPrecision = "micro_precision"
  case microRecall = "micro_recall"
  case microF1 = "micro_f1"
  case sampleF1 = "sample_f1"
  case microAveragePrecision = "micro_average_precision"
  case rankingLoss = "ranking_loss"
  case labelRankingAveragePrecision = "label_ranking_average_precision"
  // Masks: one value. Those called mean_ are means over samples, the others are pooled over pixels.
  case meanIoU = "mean_iou"
  case meanDice = "mean_dice"
  case iou
  case dice
  case meanPrecision = "mean_precision"
  case meanRecall = "mean_recall"
  case boundaryIoU = "boundary_iou"
  case meanBoundaryIoU = "mean_boundary_iou"
  case meanHausdorff95 = "mean_hausdorff95"
  case pixelAccuracy = "pixel_accuracy"
  case meanPixelAccuracy = "mean_pixel_accuracy"
  // Masks with several classes: means over classes of pooled scores, and over samples.
  case miou
  case mdice
  case sampleMIoU = "sample_miou"
  case sampleMDice = "sample_mdice"
  case meanClassAccuracy = "mean_class_accuracy"
  case frequencyWeightedIoU = "frequency_weighted_iou"
  // Masks: one pooled value per class, besides precision, recall and support.
  case classIoU = "class_iou"
  case classDice = "class_dice"
  case classBoundaryIoU = "class_boundary_iou"
  // Objects: the 12 standard COCO metrics.
  case ap = "AP"
  case ap50 = "AP50"
  case ap75 = "AP75"
  case apSmall = "APs"
  case apMedium = "APm"
  case apLarge = "APl"
  case ar1 = "AR1"
  case ar10 = "AR10"
  case ar100 = "AR100"
  case arSmall = "ARs"
  case arMedium = "ARm"
  case arLarge = "ARl"
  // Keypoints: recalls beside AP, AP50, AP75, APm, APl, ARm and ARl.
  case ar = "AR"
  case ar50 = "AR50"
  case ar75 = "AR75"
  case vocAP = "voc_ap"
  // Objects: the ΔAP50 of each error type.
  case classificationErrorCost = "classification_error_cost"
  case localizationErrorCost = "localization_error_cost"
  case bothErrorCost = "both_error_cost"
  case duplicateErrorCost = "duplicate_error_cost"
  case backgroundErrorCost = "background_error_cost"
  case missedErrorCost = "missed_error_cost"
  // Objects: one value per class, besides precision, recall, F1 and support at the working score.
  case perCategoryAP = "per_category_ap"
  case perCategoryAP50 = "per_category_ap50"
  case bestF1 = "best_f1"
  case bestThreshold = "best_threshold"
}

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
        "Of all predicted labels of all classes together, the share that is correct.",
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
        "The mean over the samples of the share of pairs of a true and a false class in which the true one "
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

/// Rows that differ in a few words.
extension MetricKind {
  static func top(_ rank: Int, shown: Set<MetricFacts.Place>) -> MetricFacts {
    MetricFacts(
      "top-\(rank)",
      .classification(
        "The share of samples whose true class is among the \(rank) most probable ones.",
        shown: shown, undefined: fewClasses))
  }

  static func recall(
    atMost limit: String, _ title: String, shown: Set<MetricFacts.Place>
  ) -> MetricFacts {
    MetricFacts(
      title,
      .detection(
        "The share of the objects that is found with at most \(limit) of a class per image, the mean over "
          + "the IoU thresholds and the classes.", shown: shown,
        undefined: "that is not one of the evaluation’s --max-dets, or there is no object"))
  }

  /// A recall of keypoints: at one OKS threshold, or the mean over all.
  static func keypointRecall(_ kind: MetricKind) -> MetricFacts {
    let threshold = [.ar50: "0.5", .ar75: "0.75"][kind]
    return MetricFacts(
      kind.rawValue,
      .detection(
        "Keypoints: the share of the objects that is found"
          + (threshold.map { " at OKS \($0), the mean over the classes." }
            ?? ", the mean over the OKS thresholds and the classes."),
        undefined:
          "boxes or regions are compared, that OKS is not one of the thresholds, or there is no object"
      ))
  }

  /// The cost of an error type in average precision.
  static func cost(
    _ title: String, _ errors: String, formerKey: String? = nil
  ) -> MetricFacts {
    MetricFacts(
      title, direction: .lowerIsBetter, formerKey: formerKey,
      .detection(
        "ΔAP50: how much AP50 would grow if all errors of this type were fixed: \(errors).",
        undefined: nil))
  }
}
