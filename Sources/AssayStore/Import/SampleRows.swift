/// The row ids of an import's samples, by index: consecutive ids take no space.
struct SampleRows {
  /// The starts of runs of consecutive ids: the index, and the id there.
  private var runs: [(place: Int, id: Int64)] = []
  private var last: Int64 = 0
  private(set) var count = 0

  mutating func append(_ id: Int64) {
    if runs.isEmpty || last == .max || id != last + 1 { runs.append((count, id)) }
    last = id
    count += 1
  }

  /// - Precondition: `place` is in `0..<count`.
  subscript(place: Int) -> Int64 {
    // The last run that starts at or before the index.
    var (low, high) = (0, runs.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if runs[middle].place <= place { low = middle } else { high = middle }
    }
    return runs[low].id + Int64(place - runs[low].place)
  }
}
