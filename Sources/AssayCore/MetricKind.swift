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

  /// Whether it is given per category.
  package var isPerCategory: Bool {
    switch self {
    case .precision, .recall, .f1, .support, .auroc, .averagePrecision, .classIoU, .classDice,
      .classBoundaryIoU:
      true
    default: false
    }
  }

  /// The numbers that an evaluation of a task gives, in the order in which they are listed.
  package static func kinds(of task: ModelTask) -> [MetricKind] {
    let split = allCases.firstIndex(of: .meanIoU) ?? allCases.endIndex
    switch task {
    case .classification: return Array(allCases[..<split])
    case .segmentation: return Array(allCases[split...]) + [.precision, .recall, .support]
    }
  }

  /// Whether a larger value is better; `nil` where neither is.
  package var isBetterHigher: Bool? {
    switch self {
    case .logLoss, .brier, .ece15, .aurc, .aurcMargin: false
    case .support, .answered, .meanAccepted, .baselineAccuracy: nil
    default: true
    }
  }
}
