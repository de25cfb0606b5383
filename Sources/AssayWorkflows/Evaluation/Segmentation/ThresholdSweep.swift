import AssayCore
package import AssayMetrics

/// The scores of one run's masks at several thresholds, from the same maps.
///
/// The scores at a threshold are bit-for-bit equal to those of an evaluation at that threshold.
package struct ThresholdSweep: Sendable, Equatable {
  /// The scores of the masks at one threshold.
  package struct Point: Sendable, Equatable {
    /// The threshold, in 0...1.
    package var threshold: Double
    /// The means over samples, with the number of defined samples.
    package var meanIoU: Score
    package var meanDice: Score
    /// The scores pooled over all pixels.
    package var iou: Score
    package var dice: Score

    package init(threshold: Double, meanIoU: Score, meanDice: Score, iou: Score, dice: Score) {
      self.threshold = threshold
      self.meanIoU = meanIoU
      self.meanDice = meanDice
      self.iou = iou
      self.dice = dice
    }
  }

  /// The points, by ascending threshold.
  package var points: [Point]

  package init(points: [Point]) { self.points = points }

  /// Computes the scores from the counts at each threshold.
  init(
    _ sweep: [(threshold: Double, tally: SegmentationTally)], empty: EmptyRule
  ) throws {
    points = try sweep.map { threshold, tally in
      let scores = try SegmentationScores(tally, empty: empty, ScoringSettings(intervals: nil))
      return Point(
        threshold: threshold, meanIoU: scores[.meanIoU], meanDice: scores[.meanDice],
        iou: scores[.iou], dice: scores[.dice])
    }
  }

  /// The point with the largest mean IoU, and among equals the lowest threshold; `nil` if none is
  /// defined. It is chosen on the same samples, so its score is optimistic for other samples.
  package var best: Point? { best(by: \.meanIoU.value) }

  /// The point with the largest mean Dice.
  package var bestByDice: Point? { best(by: \.meanDice.value) }

  private func best(by score: (Point) -> Double?) -> Point? {
    points.filter { score($0) != nil }.max { (score($0) ?? 0) < (score($1) ?? 0) }.flatMap { top in
      points.first { score($0) == score(top) }
    }
  }

  /// The sweep in the format of `assay evaluate --json`.
  var json: JSONValue { .array(points.map(Self.json)) }

  /// The best point with a warning.
  var bestJSON: JSONValue {
    guard let best, case .object(let members) = Self.json(best) else { return .null }
    return .object(
      [
        .init("by", .string(MetricKind.meanIoU.rawValue)),
        .init("note", "chosen on these samples"),
      ] + members)
  }

  private static func json(_ point: Point) -> JSONValue {
    [
      "threshold": .number(point.threshold), "mean_iou": JSONValue(point.meanIoU.value),
      "mean_dice": JSONValue(point.meanDice.value), "iou": JSONValue(point.iou.value),
      "dice": JSONValue(point.dice.value), "defined": JSONValue(point.meanIoU.defined),
    ]
  }
}
