import AssayCore

extension Term {
  /// Everything that the report of a detector needs.
  static let detection: [Term] =
    [interval, iou]
    + MetricKind.kinds(of: .detection).filter { $0 != .support }.map { Term($0, in: .detection) }

  static let iou = Term(
    key: "iou", title: "IoU",
    definition:
      "The overlap of a detection and an object: the area that both cover by the area that either covers."
  )

  /// Precision as a column's heading: with the score it is at.
  static func objectPrecision(_ report: DetectionReport) -> Term {
    Term(.precision, in: .detection).at(report.matching.workingScore)
  }

  static func objectRecall(_ report: DetectionReport) -> Term {
    Term(.recall, in: .detection).at(report.matching.workingScore)
  }

  private func at(_ score: Double) -> Term {
    Term(key: key, title: "\(title) at \(NumberText.short(score))", definition: definition)
  }
}
