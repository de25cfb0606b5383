import AssayMetrics
import AssayStore

/// Converts the matches of a sample to the rows stored in the catalog: one for each detection of an
/// evaluated class, and one for each object that has no match at the working IoU.
struct MatchRows: Sendable {
  /// The IoU thresholds of the rows' bits: those of the settings and the working IoU.
  let thresholds: [Double]
  /// The index of the working IoU in ``thresholds`` if it is not one of the settings'.
  private let extra: Int?
  /// The bits of all thresholds.
  private let all: UInt64

  /// - Throws: ``EvaluationError/tooManyThresholds(_:limit:)``.
  init(_ settings: DetectionSettings) throws(EvaluationError) {
    var thresholds = settings.iouThresholds
    let near = thresholds.contains { abs($0 - settings.workingIoU) <= Self.tolerance }
    if near {
      extra = nil
    } else {
      let place = thresholds.firstIndex { $0 > settings.workingIoU } ?? thresholds.count
      thresholds.insert(settings.workingIoU, at: place)
      extra = place
    }
    guard thresholds.count <= MatchSettings.thresholdLimit else {
      throw .tooManyThresholds(
        settings.iouThresholds.count, limit: MatchSettings.thresholdLimit - (near ? 0 : 1))
    }
    self.thresholds = thresholds
    all = (1 << UInt64(thresholds.count)) - 1
  }

  /// The maximum difference between two IoU thresholds that count as equal: `linspace` gives 0.8999999999999999.
  static let tolerance = 1e-9

  /// The rows of a sample, detections first, in their order.
  func rows(
    truths: ObjectReading.Truths, found: ObjectReading.Found, _ matches: ImageMatches,
    _ errors: ImageErrors
  ) -> [MatchRecord] {
    var bits = Array(repeating: (matched: UInt64(0), ignored: all), count: found.objects.count)
    for result in matches.results {
      bits[result.found] = (moved(result.matched), moved(result.ignored))
    }
    var rows: [MatchRecord] = []
    rows.reserveCapacity(found.objects.count + truths.objects.count)
    for (index, verdict) in errors.foundVerdicts.enumerated() {
      rows.append(
        MatchRecord(
          prediction: found.ordinals[index],
          annotation: verdict.truth.map { truths.ordinals[$0] },
          class: found.objects[index].class, confidence: found.objects[index].score,
          iou: verdict.overlap, error: verdict.error, matched: bits[index].matched,
          ignored: bits[index].ignored))
    }
    for (index, verdict) in errors.truthVerdicts.enumerated() where verdict.outcome != .found {
      rows.append(
        MatchRecord(
          prediction: nil, annotation: truths.ordinals[index],
          class: truths.objects[index].class, error: verdict.error,
          ignored: verdict.outcome == .ignored ? all : 0))
    }
    return rows
  }

  /// The bits in the order of ``thresholds``: in the metrics, the working IoU's bit is last if it
  /// is not one of the settings'.
  private func moved(_ bits: UInt64) -> UInt64 {
    guard let extra else { return bits }
    let low = (UInt64(1) << UInt64(extra)) - 1
    let last = UInt64(thresholds.count - 1)
    let own = bits >> last & 1
    let others = bits & ((1 << last) - 1)
    return others & low | own << UInt64(extra) | (others & ~low) << 1
  }
}
