/// The number of pixels at which two label maps have each pair of byte values.
///
/// Label maps are mostly constant: runs of 64 or 8 pixels with one pair are counted in one step.
struct LabelHistogram: Sendable {
  /// Two counts per pair, at truth · 512 + prediction · 2, so that neighboring pixels with the same
  /// pair do not wait for each other.
  private var counts = [UInt32](repeating: 0, count: 2 * 65_536)

  init() {}

  /// The number of pixels with this pair; both values are in 0...255.
  subscript(truth: Int, predicted: Int) -> Int {
    let place = truth * 512 + predicted * 2
    return Int(counts[place]) + Int(counts[place + 1])
  }

  /// Counts the pixels of two maps of equal size, fewer than 2³² in all calls together.
  ///
  /// - Complexity: O(pixels).
  mutating func add(truth: UnsafeRawBufferPointer, predicted: UnsafeRawBufferPointer) {
    let pixels = min(truth.count, predicted.count)
    counts.withUnsafeMutableBufferPointer { counts in
      var start = 0
      while start + 64 <= pixels {
        let pair = Int(truth[start]) * 512 + Int(predicted[start]) * 2
        if Self.isFlat64(truth, start) && Self.isFlat64(predicted, start) {
          counts[pair] &+= 64
        } else {
          var word = start
          while word < start + 64 {
            Self.count8(truth, predicted, word, &counts)
            word += 8
          }
        }
        start += 64
      }
      while start < pixels {
        counts[Int(truth[start]) * 512 + Int(predicted[start]) * 2] &+= 1
        start += 1
      }
    }
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
  }

  @inline(__always)
  private static func repeated(_ byte: UInt8) -> UInt64 {
    UInt64(byte) &* 0x0101_0101_0101_0101
  }

  @inline(__always)
  private static func isFlat64(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Bool {
    let flat = repeated(bytes[start])
    var difference = word(bytes, start) ^ flat
    difference |= word(bytes, start + 8) ^ flat
    difference |= word(bytes, start + 16) ^ flat
    difference |= word(bytes, start + 24) ^ flat
    difference |= word(bytes, start + 32) ^ flat
    difference |= word(bytes, start + 40) ^ flat
    difference |= word(bytes, start + 48) ^ flat
    difference |= word(bytes, start + 56) ^ flat
    return difference == 0
  }

  @inline(__always)
  private static func count8(
    _ truth: UnsafeRawBufferPointer, _ predicted: UnsafeRawBufferPointer, _ start: Int,
    _ counts: inout UnsafeMutableBufferPointer<UInt32>
  ) {
    var (a, b) = (word(truth, start), word(predicted, start))
    let (first, second) = (UInt8(truncatingIfNeeded: a), UInt8(truncatingIfNeeded: b))
    if (a ^ repeated(first)) | (b ^ repeated(second)) == 0 {
      counts[Int(first) * 512 + Int(second) * 2] &+= 8
      return
    }
    for _ in 0..<4 {
      counts[Int(a & 0xff) * 512 + Int(b & 0xff) * 2] &+= 1
      counts[Int(a >> 8 & 0xff) * 512 + Int(b >> 8 & 0xff) * 2 + 1] &+= 1
      a >>= 16
      b >>= 16
    }
  }
}
