import AssayCore
package import AssayMetrics

/// The scores of one run's masks at several thresholds, from the same maps.
///
/// What stands at a threshold equals to the bit what an evaluation at it gives.
package struct ThresholdSweep: Sendable, Equatable {
  /// The masks at one threshold.
  package struct Point: Sendable, Equatable {
    /// In 0...1.
    package var threshold: Double
    /// Means over samples, with how many were defined.
    package var meanIoU: Score
    package var meanDice: Score
    /// Pooled over pixels.
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

  /// Thresholds ascending.
  package var points: [Point]

  package init(points: [Point]) { self.points = points }

  /// Reduces the counts at each threshold.
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

  /// The point with the largest mean IoU, of equal ones the lowest threshold; `nil` where none is
  /// defined. Chosen on the samples it is judged by, so too good for others.
  package var best: Point? { best(by: \.meanIoU.value) }

  /// The point with the largest mean Dice.
  package var bestByDice: Point? { best(by: \.meanDice.value) }

  private func best(by score: (Point) -> Double?) -> Point? {
    points.filter { score($0) != nil }.max { (score($0) ?? 0) < (score($1) ?? 0) }.flatMap { top in
      points.first { score($0) == score(top) }
    }
  }

  /// As `assay evaluate --json` prints it.
  var json: JSONValue { .array(points.map(Self.json)) }

  /// The best point with a word of warning.
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
