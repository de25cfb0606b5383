/// The pixels of the boundary bands of two label maps, by label.
struct BandCounts: Sendable {
  /// One count a value of a byte: in the truth's bands, in the prediction's, and where both maps have the
  /// value, in both.
  private(set) var first = [Int](repeating: 0, count: 256)
  private(set) var second = [Int](repeating: 0, count: 256)
  private(set) var both = [Int](repeating: 0, count: 256)

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// - Parameters:
  ///   - truth, predicted: labels, as many pixels each.
  ///   - inFirst, inSecond: 1 where the pixel lies in the truth's or the prediction's band, else 0.
  /// - Complexity: O(pixels).
  init(
    truth: UnsafeRawBufferPointer, predicted: UnsafeRawBufferPointer,
    _ inFirst: UnsafeRawBufferPointer, _ inSecond: UnsafeRawBufferPointer
  ) {
    let pixels = truth.count
    first.withUnsafeMutableBufferPointer { first in
      second.withUnsafeMutableBufferPointer { second in
        both.withUnsafeMutableBufferPointer { both in
          var place = 0
          while place < pixels {
            if place + 8 <= pixels {
              let a = inFirst.loadUnaligned(fromByteOffset: place, as: UInt64.self)
              let b = inSecond.loadUnaligned(fromByteOffset: place, as: UInt64.self)
              let (own, other) = (truth[place], predicted[place])
              let t = truth.loadUnaligned(fromByteOffset: place, as: UInt64.self)
              let p = predicted.loadUnaligned(fromByteOffset: place, as: UInt64.self)
              if (a | b) == 0 {
                place += 8
                continue
              }
              if (t ^ (UInt64(own) &* Self.ones)) | (p ^ (UInt64(other) &* Self.ones)) == 0 {
                first[Int(own)] &+= Self.sum(a)
                second[Int(other)] &+= Self.sum(b)
                both[Int(own)] &+= own == other ? Self.sum(a & b) : 0
                place += 8
                continue
              }
            }
            for index in place..<min(place + 8, pixels) {
              let (own, other) = (truth[index], predicted[index])
              let (a, b) = (Int(inFirst[index]), Int(inSecond[index]))
              first[Int(own)] &+= a
              second[Int(other)] &+= b
              both[Int(own)] &+= own == other ? a & b : 0
            }
            place += 8
          }
        }
      }
    }
  }

  /// The sum of eight bytes that are 0 or 1.
  @inline(__always)
  private static func sum(_ bytes: UInt64) -> Int { Int((bytes &* ones) >> 56) }
}
