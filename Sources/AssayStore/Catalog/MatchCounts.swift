import AssayCore

/// What queries count of one sample at the working IoU and score.
struct MatchCounts: Hashable {
  /// The columns of ``values``.
  static let columns = """
    detections, truePositives, falsePositives, classErrors, placeErrors, bothErrors, duplicates,
    backgroundErrors, missed
    """

  private(set) var detections = 0
  private(set) var truePositives = 0
  private(set) var falsePositives = 0
  private(set) var errors: [DetectionErrorKind: Int] = [:]

  init(_ rows: [MatchRecord], _ settings: MatchSettings) {
    let bit = settings.workingBit
    for row in rows {
      guard row.prediction != nil else {
        if row.error == .missed { errors[.missed, default: 0] += 1 }
        continue
      }
      guard let confidence = row.confidence, confidence >= settings.score else { continue }
      detections += 1
      if let error = row.error { errors[error, default: 0] += 1 }
      guard row.ignored & bit == 0 else { continue }
      if row.matched & bit == 0 { falsePositives += 1 } else { truePositives += 1 }
    }
  }

  var values: [Int] {
    [detections, truePositives, falsePositives]
      + ([.class, .place, .both, .duplicate, .background, .missed] as [DetectionErrorKind])
      .map { errors[$0] ?? 0 }
  }
}
