import AssayCore
import AssayImaging
import Testing

@Suite("Orientation")
struct OrientationTests {
  // 1 2 3
  // 4 5 6
  private func stored() throws -> Raster<UInt8> {
    try #require(Raster(width: 3, height: 2, elements: [1, 2, 3, 4, 5, 6]))
  }

  @Test(
    "Each of the eight turns the picture as Exif draws it",
    arguments: [
      (Orientation.up, [1, 2, 3, 4, 5, 6]), (.upMirrored, [3, 2, 1, 6, 5, 4]),
      (.down, [6, 5, 4, 3, 2, 1]), (.downMirrored, [4, 5, 6, 1, 2, 3]),
      (.leftMirrored, [1, 4, 2, 5, 3, 6]), (.right, [4, 1, 5, 2, 6, 3]),
      (.rightMirrored, [6, 3, 5, 2, 4, 1]), (.left, [3, 6, 2, 5, 1, 4]),
    ])
  func turns(orientation: Orientation, expected: [UInt8]) throws {
    let turned = orientation.apply(to: try stored())
    #expect(turned.elements == expected)
    #expect(turned.width == (orientation.swapsSides ? 2 : 3))
  }

  @Test("Channels stay together")
  func channels() throws {
    let raster = try #require(
      Raster<UInt8>(width: 2, height: 1, channels: 3, elements: [1, 2, 3, 4, 5, 6]))
    #expect(Orientation.upMirrored.apply(to: raster).elements == [4, 5, 6, 1, 2, 3])
  }

  @Test("A wrong Exif structure costs the orientation, never the image")
  func brokenExif() throws {
    let bytes = try ImageFixtures.bytes("exif6.jpg")
    let start = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Array("Exif\0\0".utf8)) })
    #expect(try ImageCodec.header(of: bytes).orientation == .right)
    // Byte order, magic number, offset of the directory, and type, count and value of the tag.
    for (offset, value) in [(6, 0x58), (8, 0x2B), (10, 0xFF), (29, 9), (33, 2), (35, 9)] {
      var broken = bytes
      broken[start + offset] = UInt8(value)
      #expect(try ImageCodec.header(of: broken).orientation == .up, "byte \(offset)")
      #expect(try ImageCodec.decode(broken, as: .gray8).width == 21)
    }
  }
}
