package import AssayCore

extension MetricKind {
  /// As it is written in tables and sentences.
  package var title: String {
    switch self {
    case .accuracy: "accuracy"
    case .baselineAccuracy: "baseline accuracy"
    case .top1: "top-1"
    case .top2: "top-2"
    case .top3: "top-3"
    case .top5: "top-5"
    case .balancedAccuracy: "balanced accuracy"
    case .macroPrecision: "macro precision, undefined as 0"
    case .macroPrecisionDefined: "macro precision"
    case .macroRecall: "macro recall, undefined as 0"
    case .macroF1: "macro F1, undefined as 0"
    case .macroF1Defined: "macro F1"
    case .weightedPrecision: "weighted precision"
    case .weightedRecall: "weighted recall"
    case .weightedF1: "weighted F1"
    case .kappa: "Cohen’s kappa"
    case .mcc: "Matthews correlation"
    case .logLoss: "log loss"
    case .brier: "Brier score"
    case .ece15: "calibration error"
    case .aurc: "area under risk, confidence"
    case .aurcMargin: "area under risk, margin"
    case .macroAUROC: "macro AUROC"
    case .meanAveragePrecision: "mean average precision"
    case .precision: "precision"
    case .recall: "recall"
    case .f1: "F1"
    case .support: "n"
    case .auroc: "AUROC"
    case .averagePrecision: "average precision"
    case .answered: "answered"
    case .answeredAccuracy: "accuracy of the answered"
    case .meanAccepted: "labels accepted"
    case .meanIoU: "mean IoU"
    case .meanDice: "mean Dice"
    case .iou: "IoU, pooled"
    case .dice: "Dice, pooled"
    case .meanPrecision: "mean precision"
    case .meanRecall: "mean recall"
    case .boundaryIoU: "boundary IoU, pooled"
    case .meanBoundaryIoU: "mean boundary IoU"
    case .pixelAccuracy: "pixel accuracy, pooled"
    case .meanPixelAccuracy: "mean pixel accuracy"
    case .miou: "mIoU"
    case .mdice: "mDice"
    case .sampleMIoU: "mIoU of the samples"
    case .sampleMDice: "mDice of the samples"
    case .meanClassAccuracy: "mean class accuracy"
    case .frequencyWeightedIoU: "frequency-weighted IoU"
    case .classIoU: "IoU"
    case .classDice: "Dice"
    case .classBoundaryIoU: "boundary IoU"
    default: objectTitle
    }
  }

  /// What it is, in one or two plain sentences.
  package var definition: String {
    switch self {
    case .accuracy, .top1: "The share of samples whose most probable class is the true one."
    case .baselineAccuracy: "The accuracy of always answering the commonest class."
    case .top2, .top3, .top5:
      "The share of samples whose true class is among the \(rawValue.dropFirst(3)) most probable ones."
    case .balancedAccuracy:
      "The mean recall over the classes that occur: each class counts the same, however rare."
    case .macroPrecision, .macroRecall, .macroF1:
      "The plain mean over all classes; where a class has no value it counts as 0, as in scikit-learn."
    case .macroPrecisionDefined, .macroF1Defined:
      "The plain mean over the classes that have a value; how many is said beside it."
    case .weightedPrecision, .weightedRecall, .weightedF1:
      "The mean over the classes, each weighted by its number of samples; undefined counts as 0."
    case .kappa:
      "Agreement beyond chance: 1 is perfect, 0 is what truth and prediction would share by chance."
    case .mcc:
      "The correlation of truth and prediction over all classes, from −1 to 1; 0 is no better than chance."
    case .logLoss:
      "The mean of −ln(probability of the true class): 0 is perfect, sure mistakes cost most."
    case .brier:
      "The squared distance of the probabilities from the truth, summed over the classes: 0 is perfect, "
        + "2 the worst."
    case .ece15:
      "ECE: the mean distance of accuracy from confidence over 15 bins of equal width, each (low, high], "
        + "weighted by their samples. 0 is perfect. It has no interval."
    case .aurc:
      "The mean risk over all coverages when the most confident samples are answered first. Lower is better."
    case .aurcMargin:
      "The mean risk over all coverages when the samples with the largest margin are answered first."
    case .macroAUROC: "The plain mean of the classes’ AUROC."
    case .meanAveragePrecision: "The plain mean of the classes’ average precision."
    case .precision: "Of the samples predicted as the class, the share that is of it."
    case .recall: "Of the samples of the class, the share that is predicted as it."
    case .f1: "The harmonic mean of precision and recall: 2·tp / (2·tp + fp + fn)."
    case .support: "The number of samples of the class in the truth."
    case .auroc:
      "The chance that a sample of the class gets a higher probability for it than one of another class: "
        + "0.5 is guessing."
    case .averagePrecision:
      "The mean precision over all recalls as the threshold for the class falls, without interpolation."
    case .answered: "The share of samples that are answered at the stated thresholds."
    case .answeredAccuracy: "The accuracy over the answered samples alone."
    case .meanAccepted:
      "The mean number of classes a sample whose probability reaches the threshold."
    case .meanIoU:
      "The mean over the samples of IoU = tp / (tp + fp + fn); samples where truth and prediction are "
        + "both empty have none and are left out."
    case .meanDice:
      "The mean over the samples of Dice = 2·tp / (2·tp + fp + fn). It is another number than IoU: "
        + "Dice = 2·IoU / (1 + IoU)."
    case .iou: "IoU = tp / (tp + fp + fn) over the pixels of all samples together."
    case .dice: "Dice = 2·tp / (2·tp + fp + fn) over the pixels of all samples together."
    case .meanPrecision:
      "The mean over the samples of the share of predicted pixels that are right."
    case .meanRecall: "The mean over the samples of the share of true pixels that are predicted."
    case .boundaryIoU:
      "IoU within the bands along the inner edges of truth and prediction, 2 % of the image’s diagonal "
        + "wide, over all samples together."
    case .meanBoundaryIoU: "The mean over the samples of the IoU of the bands along the edges."
    case .pixelAccuracy: "The share of right pixels over all samples together, background included."
    case .meanPixelAccuracy: "The mean over the samples of the share of right pixels."
    case .miou: "The mean over the classes of IoU, each pooled over the pixels of all samples."
    case .mdice: "The mean over the classes of Dice, each pooled over the pixels of all samples."
    case .sampleMIoU:
      "The mean over the samples of each one’s mean IoU over the classes that are in it."
    case .sampleMDice:
      "The mean over the samples of each one’s mean Dice over the classes that are in it."
    case .meanClassAccuracy:
      "The mean over the classes of the share of their pixels that are right."
    case .frequencyWeightedIoU:
      "The mean over the classes of IoU, each weighted by its share of the true pixels."
    case .classIoU: "tp / (tp + fp + fn) over the pixels of all samples together."
    case .classDice: "2·tp / (2·tp + fp + fn) over the pixels of all samples together."
    case .classBoundaryIoU:
      "IoU within the bands along the inner edges of truth and prediction, over all samples together."
    default: objectDefinition
    }
  }

  /// The numbers that the report of a classification shows, in its order.
  static let classificationReport: [MetricKind] =
    overall + [.precision, .recall, .f1, .auroc, .averagePrecision]

  /// One number a run.
  static let overall: [MetricKind] = [
    .accuracy, .top2, .top3, .balancedAccuracy, .macroPrecisionDefined, .macroF1Defined,
    .weightedF1,
    .kappa, .mcc, .macroAUROC, .meanAveragePrecision, .logLoss, .brier, .ece15, .aurc, .aurcMargin,
  ]
}
