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
