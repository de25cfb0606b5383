/// The numbers an evaluation gives. The raw value is the key in JSON, in gate expressions, in SQL and in
/// the report: one list for all of them.
package enum MetricKind: String, CaseIterable, Sendable, Codable {
  // One number a run.
  case accuracy
  case baselineAccuracy = "baseline_accuracy"
  case top1, top2, top3, top5
  case balancedAccuracy = "balanced_accuracy"
  case macroPrecision = "macro_precision"
  case macroPrecisionDefined = "macro_precision_defined"
  case macroRecall = "macro_recall"
  case macroF1 = "macro_f1"
  case macroF1Defined = "macro_f1_defined"
  case weightedPrecision = "weighted_precision"
  case weightedRecall = "weighted_recall"
  case weightedF1 = "weighted_f1"
  case kappa
  case mcc
  case logLoss = "log_loss"
  case brier
  case ece15
  case aurc
  case aurcMargin = "aurc_margin"
  case macroAUROC = "macro_auroc_ovr"
  case meanAveragePrecision = "mean_average_precision"
  // One number a class.
  case precision
  case recall
  case f1
  case support
  case auroc = "auroc_ovr"
  case averagePrecision = "average_precision"
  // Abstention at stated thresholds.
  case answered
  case answeredAccuracy = "answered_accuracy"
  case meanAccepted = "mean_accepted"
  // Masks with one class: one number a run. Those called mean_ are means over samples, the others are
  // pooled over pixels.
  case meanIoU = "mean_iou"
  case meanDice = "mean_dice"
  case iou
  case dice
  case meanPrecision = "mean_precision"
  case meanRecall = "mean_recall"
  case boundaryIoU = "boundary_iou"
  case meanBoundaryIoU = "mean_boundary_iou"
  case pixelAccuracy = "pixel_accuracy"
  case meanPixelAccuracy = "mean_pixel_accuracy"
  // Masks with several classes: means over classes of pooled numbers, and over samples.
  case miou
  case mdice
  case sampleMIoU = "sample_miou"
  case sampleMDice = "sample_mdice"
  case meanClassAccuracy = "mean_class_accuracy"
  case frequencyWeightedIoU = "frequency_weighted_iou"
  // Masks: one pooled number a class, besides precision, recall and support.
  case classIoU = "class_iou"
  case classDice = "class_dice"
  case classBoundaryIoU = "class_boundary_iou"
  // Objects: COCO's twelve numbers.
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
  /// VOC's all-point average precision at one IoU, the mean over classes.
  case vocAP = "voc_ap"
  // Objects: the average precision that each type of error costs.
  case classErrorCost = "class_error_cost"
  case placeErrorCost = "place_error_cost"
  case bothErrorCost = "both_error_cost"
  case duplicateErrorCost = "duplicate_error_cost"
  case backgroundErrorCost = "background_error_cost"
  case missedErrorCost = "missed_error_cost"
  // Objects: one number a class, besides precision, recall, F1 and support at the stated score.
  case perCategoryAP = "per_category_ap"
  case perCategoryAP50 = "per_category_ap50"
  case bestF1 = "best_f1"
  case bestThreshold = "best_threshold"

  /// Whether it is given per category.
  package var isPerCategory: Bool {
    switch self {
    case .precision, .recall, .f1, .support, .auroc, .averagePrecision, .classIoU, .classDice,
      .classBoundaryIoU, .perCategoryAP, .perCategoryAP50, .bestF1, .bestThreshold:
      true
    default: false
    }
  }

  /// The numbers that an evaluation of a task gives, in the order in which they are listed.
  package static func kinds(of task: ModelTask) -> [MetricKind] {
    switch task {
    case .classification: from(.accuracy, through: .meanAccepted)
    case .segmentation:
      from(.meanIoU, through: .classBoundaryIoU) + [.precision, .recall, .support]
    case .detection:
      from(.ap, through: .bestThreshold) + [.precision, .recall, .f1, .support, .ece15]
    }
  }

  private static func from(_ first: MetricKind, through last: MetricKind) -> [MetricKind] {
    Array(allCases.drop { $0 != first }.prefix { $0 != last }) + [last]
  }

  /// Whether a larger value is better; `nil` where neither is.
  package var isBetterHigher: Bool? {
    switch self {
    case .logLoss, .brier, .ece15, .aurc, .aurcMargin, .classErrorCost, .placeErrorCost,
      .bothErrorCost, .duplicateErrorCost, .backgroundErrorCost, .missedErrorCost:
      false
    case .support, .answered, .meanAccepted, .baselineAccuracy, .bestThreshold: nil
    default: true
    }
  }
}
