import AssayCore
import Testing

@Suite("Packing of hundredths")
struct GeometryHundredthsTests {
  @Test("Hundredths are packed to the very bytes that the numbers are")
  func sameBytes() {
    var random = SplitMix64(seed: 860_001)
    for _ in 0..<2_000 {
      let counts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        Int.random(in: 0...12, using: &random)
      }
      let wide = Bool.random(using: &random)
      let values = (0..<counts.reduce(0, +)).map { _ in
        Int32.random(in: wide ? -1_000_000_000...1_000_000_000 : -300...70_000, using: &random)
      }
      var packed: [UInt8] = [7]
      values.withUnsafeBufferPointer {
        Geometry.pack(hundredths: $0, counts: counts, into: &packed)
      }
      var expected: [UInt8] = [7]
      Geometry.pack(
        coordinates: values.map { Double($0) / 100 }, counts: counts, into: &expected)
      #expect(packed == expected)
    }
  }
}
