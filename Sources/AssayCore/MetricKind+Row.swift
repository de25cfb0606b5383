extension MetricKind {
  /// Its row in the table of facts. Exhaustive, so that a new case does not compile without one.
  var row: MetricFacts {
    switch self {
    // MARK: Classification
    case .accuracy:
      MetricFacts(
        "accuracy",
        .classification(
          "The share of samples whose most probable class is the true one.", shown: [.headline]))
    case .baselineAccuracy:
      MetricFacts(
        "baseline accuracy", direction: .neither,
        .classification("The accuracy of always predicting the most frequent class."))
    case .top1:
      MetricFacts(
        "top-1",
        .classification(
          "The share of samples whose most probable class is the true one.",
          undefined: Self.fewClasses))
    case .top2: Self.top(2, shown: [.tile, .list])
    case .top3: Self.top(3, shown: [.tile, .list])
    case .top5: Self.top(5, shown: [])
    case .balancedAccuracy:
      MetricFacts(
        "balanced accuracy",
        .classification(
          "The mean recall over the classes that occur in the ground truth: each class counts the same, "
            + "however rare.", shown: [.tile, .list]))
    case .macroPrecision:
      MetricFacts(
        "macro precision, undefined as 0", .classification(Self.macroWithZeros),
        .multiLabel(Self.macroWithZeros))
    case .macroPrecisionDefined:
      MetricFacts(
        "macro precision", .classification(Self.macroDefined, shown: [.list]),
        .multiLabel(
          Self.macroDefined, shown: [.list], undefined: "no class was predicted for any sample"))
    case .macroRecall:
      MetricFacts(
        "macro recall, undefined as 0", .classification(Self.macroWithZeros),
        .multiLabel(Self.macroWithZeros))
    case .macroF1:
      MetricFacts(
        "macro F1, undefined as 0", .classification(Self.macroWithZeros),
        .multiLabel(Self.macroWithZeros))
    case .macroF1Defined:
      MetricFacts(
        "macro F1", .classification(Self.macroDefined, shown: [.tile, .list]),
        .multiLabel(Self.macroDefined, shown: [.tile, .list], undefined: Self.noLabels))
    case .macroJaccard:
      MetricFacts(
        "macro Jaccard, undefined as 0", .classification(Self.macroWithZeros, shown: [.list]),
        .multiLabel(Self.macroWithZeros, shown: [.list]))
    case .weightedPrecision:
      MetricFacts("weighted precision", .classification(Self.weighted))
    case .weightedRecall:
      MetricFacts("weighted recall", .classification(Self.weighted))
    case .weightedF1:
      MetricFacts("weighted F1", .classification(Self.weighted, shown: [.list]))
    case .kappa:
      MetricFacts(
        "Cohen’s kappa", range: -1...1,
        .classification(
          "The agreement of ground truth and prediction beyond chance: 1 is perfect, 0 is what both would "
            + "share by chance.", shown: [.list],
          undefined: "ground truth and prediction consist of one and the same class"))
    case .mcc:
      MetricFacts(
        "Matthews correlation", range: -1...1,
        .classification(
          "The correlation of ground truth and prediction over all classes: 1 is perfect, 0 is no better than "
            + "chance.", shown: [.list]))
    case .macroAUROC:
      MetricFacts(
        "macro AUROC",
        .classification(
          "The unweighted mean of the classes’ AUROC.", shown: [.tile, .list],
          undefined: "no class has both samples of it and others"),
        .multiLabel(
          "The unweighted mean of the classes’ AUROC.", shown: [.tile, .list],
          undefined: "no class has both samples with it and samples without it"))
    case .meanAveragePrecision:
      MetricFacts(
        "mean average precision",
        .classification(
          "The unweighted mean of the classes’ average precision.", shown: [.list]),
        .multiLabel(
          "mAP: the unweighted mean of the classes’ average precision.", shown: [.headline, .list],
          undefined: Self.noTrueLabel))
    case .logLoss:
      // −ln 2⁻⁵² = 36.04…
      MetricFacts(
        "log loss", direction: .lowerIsBetter, range: 0...36.05,
        .classification(
          "The mean of −ln(probability of the true class): 0 is perfect, confident errors add most.",
          shown: [.list]))
    case .brier:
      MetricFacts(
        "Brier score", direction: .lowerIsBetter, range: 0...2,
        .classification(
          "The squared distance of the probabilities from the ground truth, summed over the classes: 0 is "
            + "perfect, 2 the worst.", shown: [.list]))
    case .ece15:
      MetricFacts(
        "calibration error", direction: .lowerIsBetter,
        .classification(
          "ECE: the mean distance of accuracy from confidence over 15 bins of equal width, each (low, high], "
            + "weighted by their samples. 0 is perfect. It has no interval.",
          shown: [.tile, .list]),
        .detection(
          "ECE: the mean distance of the share of correct detections from their score over 15 bins of equal "
            + "width, each (low, high], weighted by their detections. 0 is perfect. It has no interval.",
          undefined: "there are no detections, or a score is outside 0…1"))
    case .aurc:
      MetricFacts(
        "area under risk, confidence", direction: .lowerIsBetter,
        .classification(
          "The mean risk over all coverages when the most confident samples are answered first.",
          shown: [.list]))
    case .aurcMargin:
      MetricFacts(
        "area under risk, margin", direction: .lowerIsBetter,
        .classification(
          "The mean risk over all coverages when the samples with the largest margin are answered first.",
          shown: [.list]))
    case .precision:
      MetricFacts(
        "precision", scope: .perClass,
        .classification(
          "Of the samples predicted as the class, the share that belongs to it.",
          shown: [.classTable], undefined: "the class was never predicted"),
        .multiLabel(
          "Of the samples predicted to have the class, the share that has it.",
          shown: [.classTable], undefined: "the class was never predicted"),
        .masks(
          "Of the pixels predicted as the class, the share that belongs to it.",
          several: [.classTable], undefined: "the class was never predicted"),
        .detection(
          "Of the detections of the class with at least the working score, the share that is correct.",
          undefined: "the class has no detection with at least the working score"))
    case .recall:
      MetricFacts(
        "recall", scope: .perClass,
        .classification(
          "Of the samples of the class, the share that is predicted as it.",
          shown: [.classTable], undefined: Self.noSamples),
        .multiLabel(
          "Of the samples that have the class, the share that is predicted to have it.",
          shown: [.classTable], undefined: Self.noSamples),
        .masks(
          "Of the pixels of the class, the share that is predicted as it.",
          several: [.classTable], undefined: "the ground truth has no pixel of the class"),
        .detection(
          "Of the objects of the class, the share that is found with at least the working score.",
          undefined: Self.noObject))
    case .f1:
      MetricFacts(
        "F1", scope: .perClass,
        .classification(
          Self.f1Definition, shown: [.classTable],
          undefined: "the class has no samples and was never predicted"),
        .multiLabel(
          Self.f1Definition, shown: [.classTable],
          undefined: "the class has no samples and was never predicted"),
        .detection(
          Self.f1Definition, undefined: "the class has neither objects nor detections"))
    case .jaccard:
      MetricFacts(
        "Jaccard", scope: .perClass,
        .classification(
          "The Jaccard index: tp / (tp + fp + fn), of the samples that are of the class or predicted as it the "
            + "share that is both.", shown: [.classTable],
          undefined: "the class has no samples and was never predicted"),
        .multiLabel(
          "The Jaccard index: tp / (tp + fp + fn), of the samples that have the class or are predicted to have "
            + "it the share that is both.",
          undefined: "the class has no samples and was never predicted"))
    case .support:
      MetricFacts(
        "n", scope: .perClass, direction: .neither, range: 0...(.infinity),
        .classification("The number of samples of the class in the ground truth.", undefined: nil),
        .multiLabel(
          "The number of samples that have the class in the ground truth.", undefined: nil),
        .masks("The number of pixels of the class in the ground truth.", undefined: nil),
        .detection("The number of objects of the class in the ground truth.", undefined: nil))
    case .auroc:
      MetricFacts(
        "AUROC", scope: .perClass,
        .classification(
          "The probability that a sample of the class gets a higher score for it than one of another class: "
            + "0.5 is guessing.", shown: [.classTable],
          undefined: "the class has no samples, or all of them"),
        .multiLabel(
          "The probability that a sample with the class gets a higher score for it than one without it: 0.5 is "
            + "guessing.", shown: [.classTable],
          undefined: "the class has no samples, or all of them"))
    case .averagePrecision:
      MetricFacts(
        "average precision", scope: .perClass,
        .classification(
          "The mean precision over all recalls as the threshold for the class falls, without interpolation.",
          shown: [.classTable], undefined: Self.noSamples),
        .multiLabel(
          "The mean precision over all recalls as the threshold for the class falls, without interpolation.",
          shown: [.classTable], undefined: Self.noSamples))
    case .answered: Self.answeredFacts
    case .answeredAccuracy: Self.answeredAccuracyFacts
    case .meanAccepted: Self.meanAcceptedFacts
    case .coverage: Self.coverageFacts
    case .selectiveRisk: Self.selectiveRiskFacts
    case .voteCrossEntropy: Self.voteCrossEntropyFacts
    case .expectedAccuracy: Self.expectedAccuracyFacts
    case .voteDivergence: Self.voteDivergenceFacts

    // MARK: Sets of classes
    case .subsetAccuracy: Self.subsetAccuracyFacts
    case .hammingLoss: Self.hammingLossFacts
    case .macroRecallDefined: Self.macroRecallDefinedFacts
    case .microPrecision: Self.microPrecisionFacts
    case .microRecall: Self.microRecallFacts
    case .microF1: Self.microF1Facts
    case .sampleF1: Self.sampleF1Facts
    case .microAveragePrecision: Self.microAveragePrecisionFacts
    case .rankingLoss: Self.rankingLossFacts
    case .labelRankingAveragePrecision: Self.labelRankingAveragePrecisionFacts

    // MARK: Masks
    case .meanIoU:
      MetricFacts(
        "mean IoU", pooled: .iou,
        .masks(
          "The mean over the samples of IoU = tp / (tp + fp + fn); samples where ground truth and prediction "
            + "are both empty have none and are left out.", one: [.headline], several: nil))
    case .meanDice:
      MetricFacts(
        "mean Dice", pooled: .dice,
        .masks(
          "The mean over the samples of Dice = 2·tp / (2·tp + fp + fn) = 2·IoU / (1 + IoU), which is not "
            + "IoU.", one: [.headline], several: nil))
    case .iou:
      MetricFacts(
        "IoU, pooled",
        .masks(
          "IoU = tp / (tp + fp + fn) over the pixels of all samples together.", one: [.tile],
          several: [.tile, .list]))
    case .dice:
      MetricFacts(
        "Dice, pooled",
        .masks(
          "Dice = 2·tp / (2·tp + fp + fn) over the pixels of all samples together.", one: [.tile],
          several: [.list]))
    case .meanPrecision:
      MetricFacts(
        "mean precision", pooled: .precision,
        .masks(
          "The mean over the samples of the share of predicted pixels that are correct.",
          one: [.tile], several: nil, undefined: "no sample has a predicted pixel"))
    case .meanRecall:
      MetricFacts(
        "mean recall", pooled: .recall,
        .masks(
          "The mean over the samples of the share of ground-truth pixels that are predicted.",
          one: [.tile], several: nil, undefined: "no sample has a ground-truth pixel"))
    case .boundaryIoU:
      MetricFacts(
        "boundary IoU, pooled",
        .masks(
          "The IoU of the bands along the inner edges of ground truth and prediction, 2 % of the image’s "
            + "diagonal wide, over all samples together.", several: [.tile, .list],
          undefined: Self.noBoundary))
    case .meanBoundaryIoU:
      MetricFacts(
        "mean boundary IoU", pooled: .boundaryIoU,
        .masks(
          "The mean over the samples of the IoU of the bands along the edges.", one: [.tile],
          several: nil, undefined: Self.noBoundary))
    case .meanHausdorff95:
      MetricFacts(
        "mean HD95 (px)", direction: .lowerIsBetter, range: 0...(.infinity),
        .masks(
          "The mean over the samples of the Hausdorff distance, in pixels: the 95th percentile of the distances "
            + "from the edge pixels of ground truth and prediction to the nearest edge pixel of the other; samples "
            + "where one of them is empty have none.", one: [.tile], several: nil,
          undefined:
            "no sample has an edge of the class in both ground truth and prediction, --no-boundary was given, or "
            + "the evaluation was made by a version without it (evaluate again)"))
    case .pixelAccuracy:
      MetricFacts(
        "pixel accuracy, pooled",
        .masks(
          "The share of correct pixels over all samples together, background included.",
          one: [.tile], several: [.tile, .list], undefined: "there are no pixels"))
    case .meanPixelAccuracy:
      MetricFacts(
        "mean pixel accuracy", pooled: .pixelAccuracy,
        .masks(
          "The mean over the samples of the share of correct pixels.",
          undefined: "there are no pixels"))
    case .miou:
      MetricFacts(
        "mIoU",
        .masks(
          "The mean over the classes of IoU, each pooled over the pixels of all samples.",
          one: nil, several: [.headline]))
    case .mdice:
      MetricFacts(
        "mDice",
        .masks(
          "The mean over the classes of Dice, each pooled over the pixels of all samples.",
          one: nil, several: [.headline, .list]))
    case .sampleMIoU:
      MetricFacts(
        "mIoU of the samples",
        .masks(
          "The mean over the samples of each one’s mean IoU over the classes that are in it.",
          one: nil, several: [.tile]))
    case .sampleMDice:
      MetricFacts(
        "mDice of the samples",
        .masks(
          "The mean over the samples of each one’s mean Dice over the classes that are in it.",
          one: nil, several: [.tile, .list]))
    case .meanClassAccuracy:
      MetricFacts(
        "mean class accuracy",
        .masks(
          "The mean over the classes of the share of their pixels that are correct.",
          one: nil, several: [.tile, .list],
          undefined: "the ground truth has no pixel of an evaluated class"))
    case .frequencyWeightedIoU:
      MetricFacts(
        "frequency-weighted IoU",
        .masks(
          "The mean over the classes of IoU, each weighted by its share of the ground-truth pixels.",
          one: nil, several: [.list],
          undefined: "the ground truth has no pixel of an evaluated class"))
    case .classIoU:
      MetricFacts(
        "IoU", scope: .perClass,
        .masks(
          "tp / (tp + fp + fn) over the pixels of all samples together.",
          several: [.classTable], undefined: Self.noPixel))
    case .classDice:
      MetricFacts(
        "Dice", scope: .perClass,
        .masks(
          "2·tp / (2·tp + fp + fn) over the pixels of all samples together.",
          several: [.classTable], undefined: Self.noPixel))
    case .classBoundaryIoU:
      MetricFacts(
        "boundary IoU", scope: .perClass,
        .masks(
          "The IoU of the bands along the inner edges of ground truth and prediction, over all samples "
            + "together.", several: [.classTable], undefined: Self.noBoundary))

    // MARK: Objects
    case .ap:
      MetricFacts(
        "AP",
        .detection(
          "COCO’s average precision: precision read at 101 recalls, the mean over the IoU thresholds 0.50 to "
            + "0.95 and the classes that occur.", shown: [.headline, .list]))
    case .ap50:
      MetricFacts(
        "AP50",
        .detection(
          "The average precision of detections that are correct at an IoU of at least 0.50.",
          shown: [.headline, .list], undefined: Self.noThreshold))
    case .ap75:
      MetricFacts(
        "AP75",
        .detection(
          "The average precision of detections that are correct at an IoU of at least 0.75.",
          shown: [.tile, .list], undefined: Self.noThreshold))
    case .apSmall:
      MetricFacts(
        "APs",
        .detection(
          "AP of objects of at most 32² pixels.", shown: [.tile, .list],
          undefined: Self.noObjectOfSize))
    case .apMedium:
      MetricFacts(
        "APm",
        .detection(
          "AP of objects of 32² to 96² pixels.", shown: [.tile, .list],
          undefined: Self.noObjectOfSize))
    case .apLarge:
      MetricFacts(
        "APl",
        .detection(
          "AP of objects of at least 96² pixels.", shown: [.tile, .list],
          undefined: Self.noObjectOfSize))
    case .ar1: Self.recall(atMost: "1 detection", "AR1", shown: [.list])
    case .ar10: Self.recall(atMost: "10 detections", "AR10", shown: [.list])
    case .ar100: Self.recall(atMost: "100 detections", "AR100", shown: [.tile, .list])
    case .arSmall:
      MetricFacts(
        "ARs",
        .detection(
          "AR100 of objects of at most 32² pixels.", shown: [.list],
          undefined: Self.noObjectOfSize))
    case .arMedium:
      MetricFacts(
        "ARm",
        .detection(
          "AR100 of objects of 32² to 96² pixels.", shown: [.list],
          undefined: Self.noObjectOfSize))
    case .arLarge:
      MetricFacts(
        "ARl",
        .detection(
          "AR100 of objects of at least 96² pixels.", shown: [.list],
          undefined: Self.noObjectOfSize))
    case .ar, .ar50, .ar75: Self.keypointRecall(self)
    case .vocAP:
      MetricFacts(
        "VOC AP",
        .detection(
          "VOC’s average precision at one IoU: the area below the precision–recall curve, made non-increasing; "
            + "the mean over the classes that occur.", shown: [.tile]))
    case .classificationErrorCost:
      Self.cost(
        "classification errors", "detections in the right location with the wrong class",
        formerKey: "class_error_cost")
    case .localizationErrorCost:
      Self.cost(
        "localization errors", "detections of the right class that overlap too little",
        formerKey: "place_error_cost")
    case .bothErrorCost:
      Self.cost(
        "both errors",
        "detections of the wrong class that overlap too little")
    case .duplicateErrorCost:
      Self.cost(
        "duplicate detections", "further detections of objects that are already found")
    case .backgroundErrorCost:
      Self.cost("background errors", "detections on the background")
    case .missedErrorCost: Self.cost("missed objects", "objects that are not found")
    case .perCategoryAP:
      MetricFacts(
        "AP", scope: .perClass,
        .detection(
          "The average precision of the class, over the IoU thresholds 0.50 to 0.95.",
          undefined: Self.noObject))
    case .perCategoryAP50:
      MetricFacts(
        "AP50", scope: .perClass,
        .detection("The average precision of the class at IoU 0.50.", undefined: Self.noObject))
    case .bestF1:
      MetricFacts(
        "best F1", scope: .perClass,
        .detection(
          "The largest F1 that a threshold on the score gives the class.",
          undefined: Self.noObject),
        .multiLabel(
          "The largest F1 that a threshold on the score gives the class on these samples, so it is optimistic.",
          shown: [.classTable], undefined: Self.noSamples))
    case .bestThreshold:
      MetricFacts(
        "best threshold", scope: .perClass, direction: .neither,
        .detection(
          "The highest score with which the best F1 is reached, chosen on these samples.",
          undefined: "no detection of the class is correct"),
        .multiLabel(
          "The highest score with which the best F1 is reached, chosen on these samples.",
          shown: [.classTable], undefined: Self.noSamples))
    }
  }

  private static let macroWithZeros =
    "The unweighted mean over all classes; a class without a value counts as 0, as in scikit-learn."
  static let macroDefined =
    "The unweighted mean over the classes that have a value; their number is given beside it."
  private static let weighted =
    "The mean over the classes, each weighted by its number of samples; undefined counts as 0."
  private static let f1Definition =
    "The harmonic mean of precision and recall: 2·tp / (2·tp + fp + fn)."

  static let fewClasses = "there are too few classes"
  private static let noSamples = "the class has no samples"
  private static let noPixel = "neither ground truth nor prediction has a pixel of the class"
  private static let noBoundary = "there is no boundary, or --no-boundary was given"
  private static let noObject = "the ground truth has no object of the class"
  private static let noObjectOfSize = "the ground truth has no object of that size"
  private static let noThreshold =
    "that IoU is not one of the evaluation’s thresholds, or there is no object"
}
