import AssayCore

extension Term {
  /// Everything that the report of a detector needs.
  static let detection: [Term] =
    [interval, iou]
    + MetricKind.kinds(of: .detection).filter { !reworded.contains($0) }.map { Term($0) }
    + [objectPrecisionOverall, objectRecallOverall, objectF1, objectCalibration]

  /// Metrics that other tasks have, too, with other words.
  private static let reworded: Set<MetricKind> = [.precision, .recall, .f1, .support, .ece15]

  static let iou = Term(
    key: "iou", title: "IoU",
    definition:
      "The overlap of a detection and an object: the area that both cover by the area that either covers."
  )
  static let objectPrecisionOverall = Term(
    key: "precision", title: "precision",
    definition: "Of the detections of the class with the stated score, the share that is right.")
  static let objectRecallOverall = Term(
    key: "recall", title: "recall",
    definition: "Of the objects of the class, the share that was found with the stated score.")
  static let objectF1 = Term(
    key: "f1", title: "F1",
    definition: "The harmonic mean of precision and recall: 2·tp / (2·tp + fp + fn).")
  static let objectCalibration = Term(
    key: "ece15", title: "calibration error",
    definition:
      "ECE: the mean distance of the share that is right from the score over 15 bins of equal width, each "
      + "(low, high], weighted by their detections. 0 is perfect. It has no interval.")

  /// Precision as a column's heading: with the score it is at.
  static func objectPrecision(_ report: DetectionReport) -> Term {
    objectPrecisionOverall.at(report.matching.workingScore)
  }

  static func objectRecall(_ report: DetectionReport) -> Term {
    objectRecallOverall.at(report.matching.workingScore)
  }

  private func at(_ score: Double) -> Term {
    Term(key: key, title: "\(title) at \(NumberText.short(score))", definition: definition)
  }
}
