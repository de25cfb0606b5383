import AssayCore
import AssayImaging
import Testing

@Suite("Decoding")
struct ImageCodecTests {
  @Test("PNG and JPEG of every kind decode to PIL's bytes", arguments: ImageFixtures.good)
  func decodesAsPIL(name: String) throws {
    try #require(ImageFixtures.goldens().decoded[name]).check(ImageFixtures.bytes(name), name)
  }

  @Test("Native keeps gray at one channel and makes palettes color")
  func native() throws {
    let decoded = try ImageFixtures.goldens().decoded
    for (name, channels) in [
      ("gray2.png", 1), ("palette4.png", 3), ("gray.jpg", 1), ("cmyk.jpg", 3),
    ] {
      let golden = try #require(decoded[name])
      let raster = try ImageCodec.decode(ImageFixtures.bytes(name), as: .native)
      let isEqual = raster.elements == Array(channels == 1 ? golden.gray8 : golden.rgb8)
      #expect(raster.channels == channels && isEqual, "\(name)")
    }
  }

  @Test("The header gives both sizes without decoding", arguments: ImageFixtures.good)
  func headerSizes(name: String) throws {
    let golden = try #require(ImageFixtures.goldens().decoded[name])
    let header = try ImageCodec.header(of: ImageFixtures.bytes(name))
    #expect(header.size == ImageSize(width: golden.storedWidth, height: golden.storedHeight))
    #expect(header.orientedSize == ImageSize(width: golden.width, height: golden.height))
    #expect(header.kind == (name.hasSuffix("png") ? .png : .jpeg))
  }

  @Test("The fixtures listed are the fixtures that have goldens")
  func fixturesAreComplete() throws {
    #expect(try ImageFixtures.goldens().decoded.keys.sorted() == ImageFixtures.good)
  }

  @Test("Channels, bits and palette are the file's own")
  func headerFields() throws {
    func fields(_ name: String) throws -> [Int] {
      let header = try ImageCodec.header(of: ImageFixtures.bytes(name))
      return [header.channels, header.bitDepth, header.isPalette ? 1 : 0]
    }
    #expect(try fields("gray1.png") == [1, 1, 0])
    #expect(try fields("gray16.png") == [1, 16, 0])
    #expect(try fields("graya8.png") == [2, 8, 0])
    #expect(try fields("palette4.png") == [1, 4, 1])
    #expect(try fields("rgba16.png") == [4, 16, 0])
    #expect(try fields("gray.jpg") == [1, 8, 0])
    #expect(try fields("ycc420.jpg") == [3, 8, 0])
    #expect(try fields("cmyk.jpg") == [4, 8, 0])
  }

  @Test("A prefix that reaches the image data is enough for the header")
  func headerOfPrefix() throws {
    let bytes = try ImageFixtures.bytes("exif6.jpg")
    let whole = try ImageCodec.header(of: bytes)
    let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    #expect(try ImageCodec.header(of: Array(bytes[..<(frame + 19)])) == whole)
    #expect(throws: ImageError.truncated(.jpeg)) {
      try ImageCodec.header(of: Array(bytes[..<(frame + 5)]))
    }
  }

  @Test("Pixels can be had as stored, without turning them")
  func unoriented() throws {
    let raster = try ImageCodec.decode(
      ImageFixtures.bytes("exif6.jpg"), as: .gray8, oriented: false)
    #expect(raster.width == 21 && raster.height == 17)
  }

  @Test("The values of a label map keep all 16 bits, and are neither scaled nor colored")
  func values() throws {
    // First values and sums of the samples in the files, which are not filtered.
    for (name, first, sum) in [
      ("gray16.png", [9058, 10584, 22736, 1749], 3783171),
      ("graya16.png", [65498, 59767, 23848, 21445], 3932536),
    ] {
      let raster = try ImageCodec.decodeValues(ImageFixtures.bytes(name))
      #expect(raster.width == 13 && raster.height == 9 && raster.channels == 1)
      #expect(raster.elements.prefix(4).map { Int($0) } == first)
      #expect(raster.elements.reduce(0) { $0 + Int($1) } == sum)
    }
    for name in ["gray1.png", "gray4.png", "gray8.png", "palette4.png", "palette8.png"] {
      let stored = try ImageCodec.decode(ImageFixtures.bytes(name), as: .stored)
      #expect(
        try ImageCodec.decodeValues(ImageFixtures.bytes(name)).elements
          == stored.elements.map { UInt16($0) })
    }
    for name in ["rgb8.png", "rgba16.png", "gray.jpg"] {
      #expect(throws: ImageError.self) { try ImageCodec.decodeValues(ImageFixtures.bytes(name)) }
    }
    #expect(throws: ImageError.self) {
      try ImageCodec.decodeValues(ImageFixtures.bytes("gray16.png").dropLast(40))
    }
  }
}
