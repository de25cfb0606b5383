import AssayCore
import AssayMetrics

/// The scores of two runs next to each other, for every task.
enum DifferenceTable {
  /// One row per metric that both runs have. The last column says whether B is better or worse,
  /// that the difference is not significant if its 95 % interval includes 0, or that it is untested
  /// if there is no interval.
  static func scores(
    _ kinds: [MetricKind], hasIntervals: Bool, _ difference: (MetricKind) -> Difference?
  ) -> TextTable {
    var table = TextTable(
      [("score", .left), ("A", .right), ("B", .right), ("B − A", .right)]
        + (hasIntervals ? [("95 %", .right)] : []) + [("", .left)])
    for kind in kinds {
      guard let difference = difference(kind), difference.value != nil else { continue }
      table.add(
        [kind.rawValue] + cells(difference)
          + (hasIntervals ? [Fixed.signed(difference.interval)] : [])
          + [verdict(on: kind, difference)])
    }
    return table
  }

  private static func verdict(on kind: MetricKind, _ difference: Difference) -> String {
    guard let first = difference.first, let second = difference.second,
      let isImproved = kind.isImproved(from: first, to: second)
    else { return "" }
    let direction = isImproved ? "better" : "worse"
    guard let isSignificant = difference.isClear else { return "\(direction) (untested)" }
    return isSignificant ? direction : "not significant"
  }

  /// The scores of both runs and their difference.
  static func cells(_ difference: Difference) -> [String] {
    [Fixed.text(difference.first), Fixed.text(difference.second), Fixed.signed(difference.value)]
  }
}
