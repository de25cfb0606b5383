import AssayCore
import AssayMetrics

/// The scores of two runs beside each other, for every task.
enum DifferenceTable {
  /// A row for each number that both runs have.
  static func scores(
    _ kinds: [MetricKind], hasIntervals: Bool, _ difference: (MetricKind) -> Difference?
  ) -> TextTable {
    var table = TextTable(
      [("score", .left), ("A", .right), ("B", .right), ("B − A", .right)]
        + (hasIntervals ? [("95 %", .right)] : []))
    for kind in kinds {
      guard let difference = difference(kind), difference.value != nil else { continue }
      table.add(
        [kind.rawValue] + cells(difference)
          + (hasIntervals ? [Fixed.signed(difference.interval)] : []))
    }
    return table
  }

  /// The score of either run, and what lies between them.
  static func cells(_ difference: Difference) -> [String] {
    [Fixed.text(difference.first), Fixed.text(difference.second), Fixed.signed(difference.value)]
  }
}
