import AssayCore

/// The part of all precisions and recalls that each COCO metric averages over.
struct ScorePlan: Sendable {
  /// A part.
  enum Part: Sendable, Hashable {
    /// Precision at some thresholds in an area range.
    case precision(area: Int, thresholds: Range<Int>)
    /// Recall at all thresholds in an area range.
    case recall(area: Int)
    /// Recall at one threshold in the first area range.
    case recallAt(threshold: Int)
    /// Recall at all thresholds in the first area range, with only the first detections of each
    /// image: an index into ``limits``.
    case limitedRecall(Int)
  }

  private(set) var parts: [MetricKind: Part] = [:]
  /// The detection limits of recalls other than the largest.
  let limits: [Int]
  /// The maximum number of detections per image that count.
  let most: Int
  /// The detection limit of AP if it differs; its part is then ``overall``.
  private(set) var mostOfAP: Int?
  /// Precision at all thresholds in the first area range.
  let overall: Part

  /// - Parameter asReference: whether limits are used as in `summarize` of pycocotools: AP is at
  ///   100 detections only, undefined without that limit; AR1, AR10 and AR100 are at the first,
  ///   second and third limit, and all others at the third. With fewer than three limits
  ///   pycocotools fails, and this parameter has no effect.
  init(_ settings: DetectionSettings, asReference: Bool = false) {
    let sorted = settings.maxDetections.sorted()
    let takesThird = asReference && sorted.count >= 3
    let most = takesThird ? sorted[2] : sorted.last ?? 0
    self.most = most
    overall = .precision(area: 0, thresholds: settings.iouThresholds.indices)
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
    if settings.overlap == .keypoints {
      parts[.ar] = .recall(area: 0)
      for (kind, threshold) in [(MetricKind.ar50, 0.5), (.ar75, 0.75)] {
        guard let place = settings.iouThresholds.firstIndex(of: threshold) else { continue }
        parts[kind] = .recallAt(threshold: place)
      }
      limits = []
      return
    }
    var limits: [Int] = []
    if takesThird, most != 100 {
      parts[.ap] = nil
      if sorted.contains(100) { mostOfAP = 100 }
    }
    let recalls = takesThird ? Array(sorted.prefix(3)) : [1, 10, 100]
    for (kind, limit) in zip([MetricKind.ar1, .ar10, .ar100], recalls) where limit <= most {
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
