import AssayCore

extension Term {
  /// Everything that the report of a segmentation needs.
  static let segmentation: [Term] =
    [interval, allForeground, missed, unsureness, centerOffset]
    + [
      sampleIoU("IoU"), sampleDice("Dice"), samplePrecision, sampleRecall, sampleBoundary,
    ]
    + MetricKind.kinds(of: .segmentation).filter { $0 != .support }.map {
      Term($0, in: .segmentation)
    }

  static let allForeground = Term(
    key: "all-foreground", title: "baseline",
    definition:
      "What one gets without looking: every pixel called the class, of several the commonest one.")
  static let missed = Term(
    key: "missed", title: "missed and added",
    definition:
      "Missed pixels are in the truth and not in the prediction (false negatives), added ones in the "
      + "prediction and not in the truth (false positives).")
  static let unsureness = Term(
    key: "unsureness", title: "unsureness",
    definition:
      "How near the probabilities of a picture are to one half, on average over its pixels: 1 where all "
      + "are one half, 0 where all are 0 or 1. It needs no truth.")
  static let centerOffset = Term(
    key: "centre-offset", title: "centre offset",
    definition:
      "The distance from the predicted mask’s centre of mass to its box’s centre, as a share of the box’s "
      + "diagonal: large where pieces lie apart. It needs no truth.")
  static let samplePrecision = Term(
    key: "sample-precision", title: "precision",
    definition: "Of the sample’s predicted pixels, the share that is right.")
  static let sampleRecall = Term(
    key: "sample-recall", title: "recall",
    definition: "Of the sample’s true pixels, the share that was predicted.")
  static let sampleBoundary = Term(
    key: "sample-boundary", title: "boundary IoU",
    definition:
      "IoU within the bands along the inner edges of truth and prediction, 2 % of the image’s diagonal "
      + "wide.")

  static func sampleIoU(_ name: String) -> Term {
    Term(
      key: "sample-iou", title: name,
      definition:
        "Of one sample: tp / (tp + fp + fn), the pixels in both masks by those in either. With several "
        + "classes the mean over those that are in the sample.")
  }

  static func sampleDice(_ name: String) -> Term {
    Term(
      key: "sample-dice", title: name,
      definition:
        "Of one sample: 2·tp / (2·tp + fp + fn) = 2·IoU / (1 + IoU), another number than IoU. With several "
        + "classes the mean over those that are in the sample.")
  }
}
