/// The numbers of pixels with at least a threshold value in two gray masks: in each, and in both.
struct ThresholdCounts: Sendable {
  private(set) var first = 0
  private(set) var second = 0
  private(set) var both = 0

  /// - Parameters:
  ///   - a, b: the masks, with the same number of pixels.
  ///   - threshold: the minimum value of a set pixel.
  /// - Complexity: O(pixels).
  init(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, threshold: UInt8) {
    let pixels = min(a.count, b.count)
    var place = 0
    while place + 8 <= pixels {
      // A byte counts up to 255.
      let end = place + min(255, (pixels - place) / 8) * 8
      let counts =
        threshold < 128
        ? Self.count(a, b, place..<end, threshold) { $0 | $1 }
        : Self.count(a, b, place..<end, threshold) { $0 & $1 }
      first += Self.sum(counts.0)
      second += Self.sum(counts.1)
      both += Self.sum(counts.2)
      place = end
    }
    while place < pixels {
      let (inFirst, inSecond) = (a[place] >= threshold, b[place] >= threshold)
      first += inFirst ? 1 : 0
      second += inSecond ? 1 : 0
      both += inFirst && inSecond ? 1 : 0
      place += 1
    }
  }

  private static let highs: UInt64 = 0x8080_8080_8080_8080
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Counts byte by byte in eight lanes of a word.
  ///
  /// If the lower seven bits of a byte are at least the threshold's, subtracting them leaves the
  /// eighth bit, which was set before. The byte is then at least the threshold if its own eighth
  /// bit is set *or* this one is (threshold below 128), or if both are.
  @inline(__always)
  private static func count(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, _ places: Range<Int>,
    _ threshold: UInt8, _ join: (UInt64, UInt64) -> UInt64
  ) -> (UInt64, UInt64, UInt64) {
    let low = UInt64(threshold & 0x7f) &* ones
    var (x, y, z): (UInt64, UInt64, UInt64) = (0, 0, 0)
    for word in 0..<places.count / 8 {
      let place = places.lowerBound + 8 * word
      let p = a.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let q = b.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let inFirst = join((p | highs) &- low, p) & highs
      let inSecond = join((q | highs) &- low, q) & highs
      x &+= inFirst >> 7
      y &+= inSecond >> 7
      z &+= (inFirst & inSecond) >> 7
    }
    return (x, y, z)
  }

  /// The sum of the eight bytes.
  private static func sum(_ bytes: UInt64) -> Int {
    let pairs = (bytes & 0x00ff_00ff_00ff_00ff) &+ (bytes >> 8 & 0x00ff_00ff_00ff_00ff)
    return Int((pairs &* 0x0001_0001_0001_0001) >> 48)
  }
}
