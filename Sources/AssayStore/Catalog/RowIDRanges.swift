/// Stretches of row ids that one scan of a table serves.
enum RowIDRanges {
  /// Cuts ids into stretches that ascend, with gaps no larger than what it costs to look up a row anew.
  static func all(of ids: [Int64]) -> [Range<Int>] {
    var stretches: [Range<Int>] = []
    var start = 0
    while start < ids.count {
      var end = start + 1
      // A damaged catalog may have ids whose difference is no Int64; it wraps to more than the gap.
      while end < ids.count, ids[end] > ids[end - 1],
        UInt64(bitPattern: ids[end] &- ids[end - 1]) <= 4
      { end += 1 }
      stretches.append(start..<end)
      start = end
    }
    return stretches
  }
}
