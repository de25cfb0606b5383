/// Combines values of different kinds by their ranks, so that no scale dominates.
///
/// Also known as the Borda count.
package enum RankAverage {
  /// The share of smaller values among the other values of a column, ties counted as half, averaged
  /// over the columns in which a row has a value: in 0...1, 1 for a row with the maximum of each.
  ///
  /// - Parameter columns: lists of equal length; finite values, or `nil` if a row has none.
  /// - Returns: one value per row; `nil` if a row has none in any column.
  /// - Complexity: O(*n* log *n*) per column.
  package static func of(_ columns: [[Double?]]) -> [Double?] {
    guard let count = columns.map(\.count).min() else { return [] }
    var sums = [Double](repeating: 0, count: count)
    var counts = [Int](repeating: 0, count: count)
    for column in columns {
      for (row, share) in shares(Array(column.prefix(count))).enumerated() {
        guard let share else { continue }
        sums[row] += share
        counts[row] += 1
      }
    }
    return zip(sums, counts).map { $1 == 0 ? nil : $0 / Double($1) }
  }

  /// The share of smaller values among the others for each value, ties counted as half; ½ if it is
  /// the only one.
  static func shares(_ column: [Double?]) -> [Double?] {
    let known = column.indices.compactMap { row in column[row].map { (row: row, value: $0) } }
      .sorted { $0.value < $1.value }
    var shares = [Double?](repeating: nil, count: column.count)
    var start = 0
    while start < known.count {
      var end = start + 1
      while end < known.count, known[end].value == known[start].value { end += 1 }
      let share =
        known.count == 1
        ? 0.5 : (Double(start) + Double(end - start - 1) / 2) / Double(known.count - 1)
      for place in start..<end { shares[known[place].row] = share }
      start = end
    }
    return shares
  }
}
