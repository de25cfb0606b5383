import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

/// The files of Tests/Fixtures/image-formats and their values in PIL and tifffile (make.py there).
enum ImageFormatFixtures {
  struct Goldens: Decodable {
    var decoded: [String: AssayImagingTests.Goldens.Image]
    /// The values of 16 bits of gray files, little-endian.
    var wide: [String: Data]
  }

  static let goldens = Result { try GoldenJSON.decode("image-formats/goldens.json") as Goldens }

  /// Files that contain an image.
  static let good = [
    "bytes-of-100.pgm", "bytes1.pbm", "bytes16.pgm", "bytes8.pgm", "bytes8.ppm", "cmyk8.tif",
    "exif6.tif",
    "exif6.webp", "gray1-group4.tif", "gray1.bmp", "gray1.tif", "gray16-big-endian.tif",
    "gray16-white-is-zero.tif", "gray16.tif", "gray8.bmp", "gray8.tif", "graya8.tif",
    "lossless-alpha.webp", "lossless.webp", "lossy-alpha.webp", "lossy.webp", "palette1.bmp",
    "palette4.bmp", "palette8-core.bmp", "palette8-few.bmp", "palette8.bmp", "palette8.tif",
    "rgb16.tif", "rgb32-masks.bmp", "rgb32.bmp", "rgb555.bmp", "rgb565.bmp", "rgb8-bigtiff.tif",
    "rgb8-deflate.tif", "rgb8-jpeg.tif", "rgb8-lzma.tif", "rgb8-lzw.tif", "rgb8-packbits.tif",
    "rgb8-planes.tif", "rgb8-thumbnail.tif", "rgb8-tiled-planes.tif", "rgb8-tiles.tif",
    "rgb8-top-down.bmp", "rgb8-zstd.tif", "rgb8.bmp", "rgb8.tif", "rgba8.tif", "runs4.bmp",
    "runs8.bmp", "text1.pbm", "text8.pgm", "text8.ppm",
  ]

  /// Files without an image that can be read, with the text that says why.
  static let bad: [(name: String, text: String)] = [
    ("animation.webp", "unsupported WebP: an animation; save it as an 8-bit PNG"),
    ("truncated.webp", "the WebP ends before its image does; fetch or copy the file again"),
    (
      "truncated-lossless.webp", "the WebP ends before its image does; fetch or copy the file again"
    ),
    ("damaged.webp", "the WebP is damaged: its image data is invalid"),
    ("pages.tif", "unsupported TIFF: 3 images in one file; save it as an 8-bit PNG"),
    ("stack.tif", "unsupported TIFF: 5 images in one file; save it as an 8-bit PNG"),
    ("float.tif", "unsupported TIFF: 32-bit floating-point values; save it as an 8-bit PNG"),
    ("five.tif", "unsupported TIFF: 5 values per pixel; save it as an 8-bit PNG"),
    (
      "premultiplied.tif",
      "unsupported TIFF: colors multiplied by their alpha; save it as an 8-bit PNG"
    ),
    ("truncated.tif", "the TIFF ends before its image does; fetch or copy the file again"),
    ("truncated-lzw.tif", "the TIFF ends before its image does; fetch or copy the file again"),
    ("truncated.bmp", "the BMP ends before its image does; fetch or copy the file again"),
    ("truncated-runs.bmp", "the BMP ends before its image does; fetch or copy the file again"),
    ("palette-index.bmp", "in a palette of 16"),
    ("runs-outside.bmp", "the BMP is damaged: a run leaves the image"),
    (
      "huge.bmp",
      "the BMP has 60000×60000 pixels, over the limit of 100 megapixels; make it smaller"
    ),
    ("truncated.ppm", "the PNM ends before its image does; fetch or copy the file again"),
    ("two.ppm", "unsupported PNM: several images in one file; save it as an 8-bit PNG"),
    ("above.pgm", "the PNM is damaged: a value of 200 above its maximum of 100"),
    (
      "huge.pgm",
      "the PNM has 60000×60000 pixels, over the limit of 100 megapixels; make it smaller"
    ),
    ("short.ppm", "the PNM ends before its image does; fetch or copy the file again"),
    ("two-texts.pgm", "unsupported PNM: several images in one file; save it as an 8-bit PNG"),
    ("two-apart.pgm", "unsupported PNM: several images in one file; save it as an 8-bit PNG"),
    ("windows.pgm", "its head has line ends of Windows, as if it was copied as a text"),
    ("negative.bmp", "the BMP is damaged: a negative width"),
    ("within-header.bmp", "the BMP is damaged: its pixels begin within its header"),
    ("within-palette.bmp", "the BMP is damaged: its pixels begin within its palette"),
    ("no-mask.bmp", "a color has no bits, or bits that are not beside each other in a pixel"),
    ("wide-mask.bmp", "a color has no bits, or bits that are not beside each other in a pixel"),
    (
      "thumbnail-first.tif",
      "its first image is a reduced copy or a mask of another one; save it as an 8-bit PNG"
    ),
    ("volume.tif", "unsupported TIFF: 4 images in one file; save it as an 8-bit PNG"),
    ("inks.tif", "inks other than cyan, magenta, yellow and black; save it as an 8-bit PNG"),
    ("planes.tif", "unsupported TIFF: luma and chroma in planes; save it as an 8-bit PNG"),
    ("no-map.tif", "the TIFF is damaged: it has no color map"),
    ("shared-strips.tif", "the TIFF is damaged: its strips overlap"),
    ("padded-tiles.tif", "the TIFF is damaged: tiles of 4194304×16 for an image of 16×4000"),
    ("chain.tif", "the TIFF is damaged: its directories overlap"),
    ("damaged-lzma.tif", "data is corrupt"),
  ]

  static var all: [String] { good + bad.map(\.name) }

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: PackageFolder.fixture("image-formats").appending(path: name)))
  }

  /// The kind that the suffix says.
  static func kind(_ name: String) -> ImageKind? { ImageKind(named: name) }
}

@Suite("WebP, TIFF, BMP and PNM")
struct ImageFormatTests {
  @Test("Every kind decodes to PIL's or tifffile's bytes", arguments: ImageFormatFixtures.good)
  func decodes(name: String) throws {
    try #require(ImageFormatFixtures.goldens.get().decoded[name])
      .check(ImageFormatFixtures.bytes(name), name)
  }

  @Test("The header gives kind and sizes without decoding", arguments: ImageFormatFixtures.good)
  func headers(name: String) throws {
    let golden = try #require(ImageFormatFixtures.goldens.get().decoded[name])
    let header = try ImageCodec.header(of: ImageFormatFixtures.bytes(name))
    #expect(header.size == ImageSize(width: golden.storedWidth, height: golden.storedHeight))
    #expect(header.orientedSize == ImageSize(width: golden.width, height: golden.height))
    #expect(header.kind == ImageFormatFixtures.kind(name))
  }

  @Test("The fixtures listed are the fixtures that have goldens")
  func fixturesAreComplete() throws {
    #expect(try ImageFormatFixtures.goldens.get().decoded.keys.sorted() == ImageFormatFixtures.good)
  }

  @Test("No prefix of a file gives another header than the file, and none traps")
  func prefixes() throws {
    for name in ImageFormatFixtures.good {
      let bytes = try ImageFormatFixtures.bytes(name)
      let whole = try ImageCodec.header(of: bytes)
      for count in 0..<min(bytes.count, 600) {
        guard let header = try? ImageCodec.header(of: Array(bytes[..<count])) else { continue }
        #expect(header == whole, "\(name), \(count) bytes")
      }
    }
  }

  @Test("Gray of 16 bits keeps its values as a label map")
  func wideValues() throws {
    let wide = try ImageFormatFixtures.goldens.get().wide
    #expect(wide.count == 4)
    for (name, golden) in wide {
      let expected = stride(from: 0, to: golden.count, by: 2).map {
        UInt16(golden[$0]) | UInt16(golden[$0 + 1]) << 8
      }
      let isEqual =
        try ImageCodec.decodeValues(ImageFormatFixtures.bytes(name)).elements == expected
      #expect(isEqual, "\(name)")
    }
  }

  @Test("Channels, bits, palette and loss are the file's own")
  func headerFields() throws {
    func fields(_ name: String) throws -> [Int] {
      let header = try ImageCodec.header(of: ImageFormatFixtures.bytes(name))
      return [
        header.channels, header.bitDepth, header.isPalette ? 1 : 0, header.isLossy ? 1 : 0,
      ]
    }
    #expect(try fields("lossy.webp") == [3, 8, 0, 1])
    #expect(try fields("lossy-alpha.webp") == [4, 8, 0, 1])
    #expect(try fields("lossless.webp") == [3, 8, 0, 0])
    #expect(try fields("lossless-alpha.webp") == [4, 8, 0, 0])
    #expect(try fields("gray16.tif") == [1, 16, 0, 0])
    #expect(try fields("graya8.tif") == [2, 8, 0, 0])
    #expect(try fields("rgba8.tif") == [4, 8, 0, 0])
    #expect(try fields("palette8.tif") == [1, 8, 1, 0])
    #expect(try fields("rgb8-jpeg.tif") == [3, 8, 0, 1])
    #expect(try fields("gray1.tif") == [1, 1, 0, 0])
    #expect(try fields("gray8.bmp") == [1, 8, 0, 0])
    #expect(try fields("gray1.bmp") == [1, 1, 0, 0])
    #expect(try fields("palette4.bmp") == [1, 4, 1, 0])
    #expect(try fields("rgb565.bmp") == [3, 8, 0, 0])
    #expect(try fields("text1.pbm") == [1, 1, 0, 0])
    #expect(try fields("bytes16.pgm") == [1, 16, 0, 0])
  }

  @Test("Files that are cut, damaged or not supported are refused with the reason")
  func refusals() throws {
    for (name, text) in ImageFormatFixtures.bad {
      let bytes = try ImageFormatFixtures.bytes(name)
      do throws(ImageError) {
        _ = try ImageCodec.decode(bytes, as: .native)
        Issue.record("\(name) was decoded")
      } catch {
        #expect("\(error)".hasSuffix(text), "\(name): \(error)")
      }
    }
  }

  @Test("A file that is cut anywhere is never an image")
  func cuts() throws {
    // The last row of a BMP needs no padding, a text no line break, and a TIFF may have its pixels before
    // the end.
    for name in [
      "lossy.webp", "lossless.webp", "exif6.webp", "rgb8.tif", "rgb8-lzw.tif", "rgb8-tiles.tif",
      "rgb8.bmp",
      "runs8.bmp", "bytes8.ppm", "bytes1.pbm",
    ] {
      let bytes = try ImageFormatFixtures.bytes(name)
      let whole = try ImageCodec.decode(bytes, as: .native)
      for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 200)) {
        let cut = try? ImageCodec.decode(Array(bytes[..<count]), as: .native)
        #expect(cut == nil || cut == whole, "\(name), \(count) of \(bytes.count) bytes")
      }
    }
  }

  @Test("The smallest WebP, and an orientation before the image, are read")
  func webpHeaders() throws {
    let bytes = try ImageFormatFixtures.bytes("exif6.webp")
    // The last chunk is EXIF: it is put behind VP8X, which ends at 30.
    let exif = try #require(
      bytes.indices.last { bytes[$0...].starts(with: Array("EXIF".utf8)) })
    let moved = Array(bytes[..<30] + bytes[exif...] + bytes[30..<exif])
    #expect(try ImageCodec.header(of: moved) == ImageCodec.header(of: bytes))
    // One lossless pixel takes fewer bytes than a header with extensions.
    let tiny: [UInt8] =
      Array("RIFF".utf8) + [0x1A, 0, 0, 0] + Array("WEBPVP8L".utf8) + [0x0D, 0, 0, 0]
      + [0x2F, 0, 0, 0, 0x10, 0x07, 0x10, 0x11, 0x11, 0x88, 0x88, 0xFE, 0x07, 0]
    #expect(try ImageCodec.header(of: tiny).size == ImageSize(width: 1, height: 1))
  }

  @Test("Suffixes name formats in upper and lower case")
  func suffixes() {
    for (name, kind) in [
      ("a.JPG", ImageKind.jpeg), ("b/a.jpeg", .jpeg), ("a.jfif", .jpeg), ("a.png", .png),
      ("a.WebP", .webp), ("a.tif", .tiff), ("a.TIFF", .tiff), ("a.bmp", .bmp), ("a.pgm", .pnm),
      ("x.y.ppm", .pnm), (".png", .png),
    ] { #expect(ImageKind(named: name) == kind, "\(name)") }
    for name in ["", "a", "png", "a.gif", "a.txt", "a.png.txt", "a.webpx", "a.jpg/b"] {
      #expect(ImageKind(named: name) == nil, "\(name)")
    }
  }
}
