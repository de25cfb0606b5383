import AssayCore
import AssayImaging
import Testing

/// Images with one 8-bit channel bypass libpng: the filters are applied here according to the
/// specification (PNG, third edition, 9), so the pixels are known without a decoder.
@Suite("Plain PNG: 8-bit gray and palette indices")
struct PlainPNGTests {
  struct Shape: CustomTestStringConvertible {
    var width: Int
    var height: Int
    var testDescription: String { "\(width)×\(height)" }
  }

  static let shapes = [
    Shape(width: 1, height: 1), Shape(width: 1, height: 40), Shape(width: 7, height: 20),
    Shape(width: 8, height: 20), Shape(width: 9, height: 20), Shape(width: 64, height: 30),
    Shape(width: 131, height: 33),
    // More rows than are inflated at a time.
    Shape(width: 700, height: 400),
  ]

  @Test("Every filter gives back the pixels, of label maps and of noise", arguments: shapes)
  func filters(_ shape: Shape) throws {
    for (round, isFlat) in [true, false, true, false].enumerated() {
      let pixels = Self.pixels(shape, isFlat: isFlat, seed: UInt64(round))
      var random = SplitMix64(seed: UInt64(round))
      let file = PlainPNG(
        shape.width, shape.height, pixels, isPalette: round >= 2,
        filters: (0..<shape.height).map { _ in UInt8.random(in: 0...4, using: &random) })
      let raster = try ImageCodec.decode(file.bytes, as: .stored)
      #expect(raster.width == shape.width && raster.height == shape.height)
      let isEqual = raster.elements == pixels
      #expect(isEqual, "\(isFlat ? "flat" : "noise"), palette: \(round >= 2)")
    }
  }

  @Test("Each filter on every row, the first included", arguments: [0, 1, 2, 3, 4] as [UInt8])
  func oneFilter(_ filter: UInt8) throws {
    let shape = Shape(width: 45, height: 11)
    let pixels = Self.pixels(shape, isFlat: true, seed: 9)
    let file = PlainPNG(45, 11, pixels, filters: Array(repeating: filter, count: 11))
    #expect(try ImageCodec.decode(file.bytes, as: .gray8).elements == pixels)
  }

  @Test("A filter that does not exist is an error")
  func unknownFilter() {
    let file = PlainPNG(3, 2, [0, 1, 2, 3, 4, 5], filters: [0, 0], namedFilters: [0, 5])
    #expect(throws: ImageError.self) { try ImageCodec.decode(file.bytes, as: .stored) }
  }

  @Test("Damaged or missing image data is an error")
  func damaged() throws {
    let pixels = [UInt8](0..<60)
    let file = PlainPNG(10, 6, pixels, filters: Array(repeating: 1, count: 6))
    #expect(try ImageCodec.decode(file.bytes, as: .stored).elements == pixels)
    let data = try #require(file.bytes.firstRange(of: Array("IDAT".utf8))).upperBound
    var flipped = file.bytes
    flipped[data + 20] ^= 1
    #expect(throws: ImageError.self) { try ImageCodec.decode(flipped, as: .stored) }
    #expect(throws: ImageError.truncated(.png)) {
      try ImageCodec.decode(Array(file.bytes[..<(data + 30)]), as: .stored)
    }
    let short = PlainPNG(10, 6, Array(pixels[..<50]), filters: Array(repeating: 0, count: 5))
    #expect(throws: ImageError.self) { try ImageCodec.decode(short.bytes, as: .stored) }
  }

  @Test("Image data in many chunks is one stream")
  func manyChunks() throws {
    let pixels = [UInt8](0..<250)
    let file = PlainPNG(
      25, 10, pixels, filters: Array(repeating: 4, count: 10), chunkSize: 7)
    #expect(try ImageCodec.decode(file.bytes, as: .stored).elements == pixels)
  }

  /// Blocks of a few values, or noise.
  private static func pixels(_ shape: Shape, isFlat: Bool, seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    let labels = (0..<64).map { _ in UInt8.random(in: 0...255, using: &random) }
    return (0..<shape.width * shape.height).map { place in
      let (y, x) = place.quotientAndRemainder(dividingBy: shape.width)
      return isFlat
        ? labels[((x + y / 3) / 13 + 5 * (y / 7)) % 64] : UInt8.random(in: 0...255, using: &random)
    }
  }
}
