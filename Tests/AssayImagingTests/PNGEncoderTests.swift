import AssayCore
import AssayImaging
import Testing

@Suite("Encoding PNG")
struct PNGEncoderTests {
  @Test("Decoding what was encoded gives the same pixels", arguments: PNGCompression.allCases)
  func roundTrip(compression: PNGCompression) throws {
    var random = SplitMix64(seed: 3)
    for (width, height, channels) in [(1, 1, 1), (1, 1, 3), (7, 5, 3), (48, 48, 1), (300, 2, 3)] {
      let elements = (0..<width * height * channels).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let raster = try #require(
        Raster(width: width, height: height, channels: channels, elements: elements))
      let bytes = try ImageCodec.encodePNG(raster, compression: compression)
      #expect(try ImageCodec.decode(bytes, as: .stored) == raster)
      #expect(try ImageCodec.encodePNG(raster, compression: compression) == bytes)
    }
  }

  @Test("16-bit gray: decoding gives the same values")
  func wide() throws {
    var random = SplitMix64(seed: 5)
    for (width, height) in [(1, 1), (7, 5), (300, 2)] {
      let planes = try (0..<2).map { _ in
        try #require(
          Raster(
            width: width, height: height,
            elements: (0..<width * height).map { _ in UInt8.random(in: 0...255, using: &random) }))
      }
      let bytes = try ImageCodec.encodeWidePNG(high: planes[0], low: planes[1])
      let header = try ImageCodec.header(of: bytes)
      #expect(header.bitDepth == 16 && header.channels == 1 && !header.isPalette)
      #expect(
        try ImageCodec.decodeValues(bytes).elements
          == zip(planes[0].elements, planes[1].elements).map { UInt16($0) << 8 | UInt16($1) })
      #expect(try ImageCodec.decode(bytes, as: .gray8) == planes[0])
    }
    let (one, other) = (
      Raster<UInt8>(repeating: 0, width: 2, height: 2),
      Raster<UInt8>(repeating: 0, width: 2, height: 1)
    )
    #expect(throws: ImageError.self) { try ImageCodec.encodeWidePNG(high: one, low: other) }
  }

  @Test("Two channels and empty rasters are refused")
  func refusals() {
    let pair = Raster<UInt8>(repeating: 0, width: 2, height: 2, channels: 2)
    #expect(throws: ImageError.notEncodable(width: 2, height: 2, channels: 2)) {
      try ImageCodec.encodePNG(pair)
    }
    let empty = Raster<UInt8>(repeating: 0, width: 0, height: 2)
    #expect(throws: ImageError.notEncodable(width: 0, height: 2, channels: 1)) {
      try ImageCodec.encodePNG(empty)
    }
  }
}
