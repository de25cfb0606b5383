/// Ranges of row ids, each read by one scan of a table.
enum RowIDRanges {
  /// Splits ids into ascending ranges, with gaps that cost no more than looking up a row again.
  static func all(of ids: [Int64]) -> [Range<Int>] {
    var stretches: [Range<Int>] = []
    var start = 0
    while start < ids.count {
      var end = start + 1
      // A damaged catalog can have ids whose difference overflows Int64; it wraps to more than the
      // gap.
      while end < ids.count, ids[end] > ids[end - 1],
        UInt64(bitPattern: ids[end] &- ids[end - 1]) <= 4
      { end += 1 }
      stretches.append(start..<end)
      start = end
    }
    return stretches
  }
}
