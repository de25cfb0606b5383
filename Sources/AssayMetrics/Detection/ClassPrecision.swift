/// One class's precision at every threshold, area range and recall, and its recalls.
struct ClassPrecision: Sendable {
  static let recalls = 101

  /// The number of objects that must be found, by area range; the precision of a range without
  /// objects is undefined.
  let truths: [Int]
  /// The precision by area range, threshold of the settings, and recall; empty if no image has the
  /// class.
  private(set) var precision: [Double]
  /// The recall by area range and threshold; empty if no image has the class.
  private(set) var recall: [Double]
  /// The recall by detection limit and threshold, in the first area range.
  private(set) var limitedRecall: [Double] = []
  /// VOC's average precision at the working IoU; `nil` if undefined.
  private(set) var vocAP: Double?

  /// The number of detections whose score equals that of another one.
  private(set) var tied = 0

  private let thresholds: Int

  /// - Parameters:
  ///   - most: the maximum number of detections per image.
  ///   - limits: smaller limits, for ``limitedRecall``.
  init(
    _ tally: DetectionTally, _ rows: ArraySlice<ClassParts.Row>, most: Int, limits: [Int] = []
  ) {
    // A file can list far more classes than it has objects of.
    guard !rows.isEmpty else {
      truths = Array(repeating: 0, count: tally.columns.areaCount)
      thresholds = tally.settings.iouThresholds.count
      (precision, recall) = ([], [])
      return
    }
    let ranked = RankedClass(tally, rows, most: most)
    tied = ranked.tied
    let curves = ClassCurves(ranked, tally)
    let areas = tally.columns.areaCount
    let thresholds = tally.settings.iouThresholds.count
    self.thresholds = thresholds
    truths = curves.truths
    precision = Array(repeating: 0, count: areas * thresholds * Self.recalls)
    recall = Array(repeating: 0, count: areas * thresholds)
    let all = tally.matcher.thresholds.count
    for area in 0..<areas where truths[area] > 0 {
      let steps = ClassCurves.steps(truths: truths[area])
      precision.withUnsafeMutableBufferPointer { precision in
        for threshold in 0..<thresholds {
          let curve = area * thresholds + threshold
          let row = precision[curve * Self.recalls..<(curve + 1) * Self.recalls]
          let sum = curves.precision(
            area: area, threshold: threshold, steps: steps,
            UnsafeMutableBufferPointer(rebasing: row))
          recall[curve] = Double(curves.found[area * all + threshold]) / Double(truths[area])
          if area == 0, threshold == tally.matcher.working {
            vocAP = sum / Double(truths[0])
          }
        }
      }
    }
    guard truths[0] > 0 else { return }
    if tally.matcher.working >= thresholds {
      withUnsafeTemporaryAllocation(of: Double.self, capacity: Self.recalls) { row in
        let sum = curves.precision(
          area: 0, threshold: tally.matcher.working,
          steps: ClassCurves.steps(truths: truths[0]), row)
        vocAP = sum / Double(truths[0])
      }
    }
    limitedRecall = limits.flatMap { limit in
      Self.found(tally, rows, most: limit).map { Double($0) / Double(truths[0]) }
    }
  }

  /// The precision of an area range at some thresholds: by threshold, then recall.
  func rows(area: Int, _ range: Range<Int>) -> ArraySlice<Double> {
    let start = area * thresholds
    return precision[
      (start + range.lowerBound) * Self.recalls..<(start + range.upperBound) * Self.recalls]
  }

  /// The mean of ``rows(area:_:)`` in the reference's order of additions; `nil` if undefined.
  func averagePrecision(area: Int, _ range: Range<Int>) -> Double? {
    guard truths[area] > 0, !range.isEmpty else { return nil }
    let rows = rows(area: area, range)
    return rows.withUnsafeBufferPointer { RowSum.of($0) } / Double(rows.count)
  }

  /// The number of objects found by the first detections of each image, by threshold, in the first
  /// area range.
  private static func found(
    _ tally: DetectionTally, _ rows: ArraySlice<ClassParts.Row>, most: Int
  ) -> [Int] {
    let columns = tally.columns
    let areas = columns.areaCount
    var found = Array(repeating: 0, count: tally.settings.iouThresholds.count)
    for row in rows {
      let part = columns.parts[Int(row.part)]
      guard part.hits > 0 else { continue }
      var hit = Int(row.hit)
      let start = Int(row.result)
      for result in start..<start + min(most, Int(part.results))
      where columns.marks[result] & MatchColumns.isHit != 0 {
        let word = hit * 2 * areas
        let right = columns.hits[word] & ~columns.hits[word + areas]
        for threshold in found.indices { found[threshold] += Int(right >> UInt64(threshold) & 1) }
        hit += 1
      }
    }
    return found
  }
}
