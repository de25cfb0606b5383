/// The stable descending order of non-negative numbers.
enum DescendingOrder {
  /// The indices of `keys`, largest key first, equal keys in their given order.
  ///
  /// - Parameter keys: finite, at least 0 and not −0, fewer than 2³² of them.
  /// - Complexity: O(*n*): a radix sort with 11 bits per pass over the bit patterns, which have the
  ///   order of the numbers if the sign bit is 0.
  static func of(_ keys: [Double]) -> [UInt32] {
    keys.count < 1024 ? byComparing(keys) : byRadix(keys)
  }

  private static func byComparing(_ keys: [Double]) -> [UInt32] {
    (0..<UInt32(keys.count)).sorted { first, second in
      let (a, b) = (keys[Int(first)], keys[Int(second)])
      return a == b ? first < second : a > b
    }
  }

  private struct Entry {
    var key: UInt64
    var index: UInt32
  }

  private static let bits = 11
  private static let passes = 6

  private static func byRadix(_ keys: [Double]) -> [UInt32] {
    let count = keys.count
    let buckets = 1 << bits
    let mask = UInt64(buckets - 1)
    var histograms = [UInt32](repeating: 0, count: buckets * passes)
    var entries = [Entry](unsafeUninitializedCapacity: count) { buffer, used in
      histograms.withUnsafeMutableBufferPointer { histograms in
        for index in 0..<count {
          // Complemented, so that ascending passes sort the numbers in descending order and remain
          // stable.
          let key = ~keys[index].bitPattern
          buffer.initializeElement(at: index, to: Entry(key: key, index: UInt32(index)))
          for pass in 0..<passes {
            histograms[pass * buckets + Int((key >> UInt64(pass * bits)) & mask)] += 1
          }
        }
      }
      used = count
    }
    var target = entries
    for pass in 0..<passes {
      let shift = UInt64(pass * bits)
      var starts = Array(histograms[pass * buckets..<(pass + 1) * buckets])
      if starts[Int((entries[0].key >> shift) & mask)] == count { continue }
      var sum: UInt32 = 0
      for bucket in 0..<buckets {
        (starts[bucket], sum) = (sum, sum + starts[bucket])
      }
      starts.withUnsafeMutableBufferPointer { starts in
        target.withUnsafeMutableBufferPointer { target in
          entries.withUnsafeBufferPointer { entries in
            for entry in entries {
              let bucket = Int((entry.key >> shift) & mask)
              target[Int(starts[bucket])] = entry
              starts[bucket] += 1
            }
          }
        }
      }
      swap(&entries, &target)
    }
    return entries.map(\.index)
  }
}
