/// How many annotations each sample has of each class, summed up on the way.
struct ClassCounts {
  struct Row {
    var category: Int32
    /// Without crowds.
    var count: Int32
    var crowds: Int32
    /// The sample's row id.
    var sample: Int64
  }

  /// Rows that are worth writing early (96 MB).
  private static let limit = 4 << 20

  private var rows: [Row] = []
  /// Where the rows of the last sample begin.
  private var start = 0

  var isFull: Bool { rows.count >= Self.limit }

  /// Annotations of one sample that come one after another share a row for each class.
  mutating func add(category: Int32, sample: Int64, isCrowd: Bool) {
    if rows.last?.sample != sample { start = rows.count }
    for place in start..<rows.count where rows[place].category == category {
      if isCrowd { rows[place].crowds += 1 } else { rows[place].count += 1 }
      return
    }
    rows.append(
      Row(category: category, count: isCrowd ? 0 : 1, crowds: isCrowd ? 1 : 0, sample: sample))
  }

  /// Takes all rows out, by class; those of one class in the order they came.
  mutating func takeSorted() -> [Row] {
    guard let last = rows.lazy.map(\.category).max() else { return [] }
    var starts = Array(repeating: 0, count: Int(last) + 2)
    for row in rows { starts[Int(row.category) + 1] += 1 }
    for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
    var sorted = rows
    for row in rows {
      sorted[starts[Int(row.category)]] = row
      starts[Int(row.category)] += 1
    }
    rows = []
    start = 0
    return sorted
  }
}
