import AssayCore

/// Which part of all precisions and recalls each of COCO's numbers is the mean of.
struct ScorePlan: Sendable {
  /// A part.
  enum Part: Sendable, Hashable {
    /// Precision at some thresholds in an area range.
    case precision(area: Int, thresholds: Range<Int>)
    /// Recall at all thresholds in an area range.
    case recall(area: Int)
    /// Recall at all thresholds in the first area range, with the first detections of an image only: a place
    /// in ``limits``.
    case limitedRecall(Int)
  }

  private(set) var parts: [MetricKind: Part] = [:]
  /// The limits of detections that recalls are asked for besides the largest.
  let limits: [Int]

  init(_ settings: DetectionSettings) {
    let most = settings.maxDetections.max() ?? 0
    let all = settings.iouThresholds.indices
    parts[.ap] = .precision(area: 0, thresholds: all)
    for (kind, threshold) in [(MetricKind.ap50, 0.5), (.ap75, 0.75)] {
      guard let place = settings.iouThresholds.firstIndex(of: threshold) else { continue }
      parts[kind] = .precision(area: 0, thresholds: place..<place + 1)
    }
    for (precision, recall, name) in [
      (MetricKind.apSmall, MetricKind.arSmall, "small"), (.apMedium, .arMedium, "medium"),
      (.apLarge, .arLarge, "large"),
    ] {
      guard let area = settings.areaRanges.firstIndex(where: { $0.name == name }) else { continue }
      parts[precision] = .precision(area: area, thresholds: all)
      parts[recall] = .recall(area: area)
    }
    var limits: [Int] = []
    for (kind, limit) in [(MetricKind.ar1, 1), (.ar10, 10), (.ar100, 100)] where limit <= most {
      if limit == most {
        parts[kind] = .recall(area: 0)
      } else {
        parts[kind] = .limitedRecall(limits.count)
        limits.append(limit)
      }
    }
    self.limits = limits
  }
}
