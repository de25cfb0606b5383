/// Puts numbers of different kinds together by their ranks, so that the scale of none decides.
///
/// Also known as Borda's count.
package enum RankAverage {
  /// The mean, over the columns in which a row has a number, of the share of the column's other numbers that
  /// are smaller than it, equal ones counted half: in 0...1, 1 for a row that has the largest of each.
  ///
  /// - Parameter columns: lists of equal length; `nil` where a row has no number, which must be finite.
  /// - Returns: a number a row; `nil` where a row has none in any column.
  /// - Complexity: O(*n* log *n*) a column.
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

  /// For each number the share of the others that are smaller, equal ones counted half; ½ where it is the
  /// only one.
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
