import AssayCore

/// The prepared detection settings for matching, which are the same for every image.
package struct DetectionMatcher: Sendable, Equatable {
  package let settings: DetectionSettings
  /// The IoU thresholds used for matching: the settings' own, followed by the working IoU if it is
  /// not one of them.
  let thresholds: [Double]
  /// The minimum overlap at each threshold.
  let floors: [Double]
  let lowestFloor: Double
  /// The index of the working IoU in ``thresholds``.
  let working: Int
  /// The maximum number of detections per class and image.
  let most: Int

  /// A bit for each threshold.
  var allThresholds: UInt64 { thresholds.count == 64 ? .max : 1 << UInt64(thresholds.count) - 1 }
  var areaCount: Int { settings.areaRanges.count }

  /// The maximum number of thresholds, including the working one: they are bits of a word.
  package static let thresholdLimit = 63
  /// The maximum number of area ranges: they are bits of half a word.
  package static let areaLimit = 16

  /// The maximum difference between two thresholds that count as equal: `linspace` gives
  /// 0.8999999999999999.
  package static let tolerance = 1e-9

  /// - Throws: ``MetricError/detectionSettings(_:)`` if there are no or too many thresholds, area
  ///   ranges or detection limits, or one is not a number.
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

  /// Empty columns, without an image.
  var emptyColumns: MatchColumns {
    MatchColumns(areaCount: areaCount, everyThreshold: allThresholds)
  }

  /// A bit for each area range that contains an area.
  @inline(__always)
  func ranges(of area: Double) -> UInt32 {
    var bits: UInt32 = 0
    for place in settings.areaRanges.indices {
      let range = settings.areaRanges[place]
      // The same condition as in the reference, in which a NaN area is in every range.
      if !(area < range.low || area > range.high) { bits |= 1 << UInt32(place) }
    }
    return bits
  }

  /// A bit for each area range in which an object does not have to be found.
  ///
  /// - Parameter isIgnored: true for crowds and for objects that never have to be found.
  @inline(__always)
  func ignoredRanges(of area: Double, isIgnored: Bool) -> UInt32 {
    let every: UInt32 = 1 << UInt32(areaCount) - 1
    return isIgnored ? every : every & ~ranges(of: area)
  }
}
