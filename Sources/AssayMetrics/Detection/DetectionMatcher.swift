import AssayCore

/// Detection settings made ready for matching: what is the same for every image.
package struct DetectionMatcher: Sendable, Equatable {
  package let settings: DetectionSettings
  /// The IoU thresholds that are matched at: the settings' own, and behind them the working one where it is
  /// none of them.
  let thresholds: [Double]
  /// The least overlap that is required at each threshold.
  let floors: [Double]
  let lowestFloor: Double
  /// The place of the working IoU in ``thresholds``.
  let working: Int
  /// The most detections of a class in an image.
  let most: Int

  /// A bit for each threshold.
  var allThresholds: UInt64 { thresholds.count == 64 ? .max : 1 << UInt64(thresholds.count) - 1 }
  var areaCount: Int { settings.areaRanges.count }

  /// Most thresholds, the working one included: they are bits of a word.
  package static let thresholdLimit = 63
  /// Most area ranges: they are bits of half a word.
  package static let areaLimit = 16

  /// The largest difference between two thresholds that count as one: `linspace` gives 0.8999999999999999.
  package static let tolerance = 1e-9

  /// - Throws: ``MetricError/detectionSettings(_:)`` where there is no threshold, area range or limit of
  ///   detections, too many, or one that is no number.
  package init(_ settings: DetectionSettings) throws(MetricError) {
    guard (1...Self.thresholdLimit).contains(settings.iouThresholds.count),
      settings.iouThresholds.allSatisfy({ (0...1).contains($0) })
    else { throw .detectionSettings(.thresholds) }
    guard (0...1).contains(settings.workingIoU), settings.workingScore.isFinite else {
      throw .detectionSettings(.working)
    }
    guard (1...Self.areaLimit).contains(settings.areaRanges.count),
      settings.areaRanges.allSatisfy({ $0.low <= $0.high })
    else { throw .detectionSettings(.areas) }
    guard let most = settings.maxDetections.max(), settings.maxDetections.allSatisfy({ $0 > 0 })
    else { throw .detectionSettings(.detections) }
    self.settings = settings
    self.most = most
    var thresholds = settings.iouThresholds
    if let place = thresholds.firstIndex(where: {
      abs($0 - settings.workingIoU) <= Self.tolerance
    }) {
      working = place
    } else {
      working = thresholds.count
      thresholds.append(settings.workingIoU)
    }
    self.thresholds = thresholds
    floors = thresholds.map { min($0, 1 - 1e-10) }
    lowestFloor = floors.min() ?? 0
  }

  /// Columns without an image.
  var emptyColumns: MatchColumns {
    MatchColumns(areaCount: areaCount, everyThreshold: allThresholds)
  }

  /// A bit for each area range that an area is in.
  @inline(__always)
  func ranges(of area: Double) -> UInt32 {
    var bits: UInt32 = 0
    for place in settings.areaRanges.indices {
      let range = settings.areaRanges[place]
      // As the reference asks it, for which an area that is no number is in every range.
      if !(area < range.low || area > range.high) { bits |= 1 << UInt32(place) }
    }
    return bits
  }
}
