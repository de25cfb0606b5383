/// The stable ascending order of keys.
enum RadixSort {
  private typealias Entry = RankedClass.Entry
  private static let digit = 11

  /// - Complexity: O(*n*): a radix sort by the upper halves of the keys, nearly all of which are
  ///   different; ties are then sorted separately.
  static func sort(_ entries: inout [RankedClass.Entry]) {
    let count = entries.count
    guard count > 1 else { return }
    withUnsafeTemporaryAllocation(of: Entry.self, capacity: count > 48 ? count : 1) { room in
      entries.withUnsafeMutableBufferPointer { entries in
        guard count > 48 else { return insertion(entries) }
        radix(entries, room, from: 31)
        var start = 0
        while start < count {
          let upper = entries[start].key >> 32
          var end = start + 1
          while end < count, entries[end].key >> 32 == upper { end += 1 }
          if end - start > 1 {
            let equals = UnsafeMutableBufferPointer(rebasing: entries[start..<end])
            if end - start > 48 {
              radix(equals, room, from: -1)
            } else {
              insertion(equals)
            }
          }
          start = end
        }
      }
    }
  }

  private static func insertion(_ entries: UnsafeMutableBufferPointer<Entry>) {
    for next in 1..<entries.count {
      let entry = entries[next]
      var slot = next
      while slot > 0, entries[slot - 1].key > entry.key {
        entries[slot] = entries[slot - 1]
        slot -= 1
      }
      entries[slot] = entry
    }
  }

  /// Sorts by the 33 bits of the keys starting at `first`; bit −1 is 0.
  private static func radix(
    _ entries: UnsafeMutableBufferPointer<Entry>, _ room: UnsafeMutableBufferPointer<Entry>,
    from first: Int
  ) {
    let mask = 1 << digit - 1
    @inline(__always)
    func place(_ entry: Entry, _ pass: Int) -> Int {
      let shift = first + pass * digit
      return Int(truncatingIfNeeded: shift < 0 ? entry.key << 1 : entry.key >> UInt64(shift))
        & mask
    }
    var source = entries
    var target = UnsafeMutableBufferPointer(rebasing: room[..<entries.count])
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 3 * (mask + 1)) { starts in
      starts.initialize(repeating: 0)
      for entry in source {
        for pass in 0..<3 { starts[pass << digit + place(entry, pass)] += 1 }
      }
      for pass in 0..<3 {
        let base = pass << digit
        if Int(starts[base + place(source[0], pass)]) == source.count { continue }
        var sum: UInt32 = 0
        for bucket in base...base + mask {
          (starts[bucket], sum) = (sum, sum + starts[bucket])
        }
        for entry in source {
          let slot = base + place(entry, pass)
          target.initializeElement(at: Int(starts[slot]), to: entry)
          starts[slot] += 1
        }
        swap(&source, &target)
      }
    }
    if source.baseAddress != entries.baseAddress {
      _ = entries.update(from: source)
    }
  }
}
