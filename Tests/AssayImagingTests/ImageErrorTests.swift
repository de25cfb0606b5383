import AssayCore
import AssayImaging
import Testing

@Suite("Files that are not images")
struct ImageErrorTests {
  private func error(_ name: String) throws -> ImageError? {
    let bytes = try ImageFixtures.bytes(name)
    return #expect(throws: ImageError.self) { try ImageCodec.decode(bytes, as: .rgb8) }
  }

  @Test("An empty file, garbage and a GIF are told apart")
  func unknownKinds() throws {
    #expect(try error("empty.png") == .empty)
    let gif = try #require(try error("gif.png"))
    #expect(
      "\(gif)"
        == "a GIF, which is not read; convert it to PNG (ImageMagick: mogrify -format png FILE)")
    #expect(try error("gif.png") == .unknownKind(firstBytes: Array("GIF89a\0\0".utf8)))
    guard case .unknownKind = try error("garbage.png") else {
      Issue.record("garbage was taken for an image")
      return
    }
  }

  @Test("An image over the limit is refused by its header")
  func tooLarge() throws {
    #expect(try error("huge.png") == .tooLarge(.png, width: 60000, height: 60000))
    #expect(try error("huge.jpg") == .tooLarge(.jpeg, width: 65500, height: 65500))
  }

  @Test("A file too short for the size it announces is refused before memory is asked for")
  func bombs() throws {
    #expect(try error("bomb.png") == .truncated(.png))
    #expect(try error("bomb.jpg") == .truncated(.jpeg))
  }

  @Test("A truncated file gives no image")
  func truncated() throws {
    #expect(try error("truncated.png") == .truncated(.png))
    #expect(try error("truncated.jpg") == .truncated(.jpeg))
    #expect(try error("truncated-progressive.jpg") == .truncated(.jpeg))
    #expect(try error("header-only.jpg") == .truncated(.jpeg))
  }

  @Test("Every proper prefix of an image gives an error or, at its very end, the whole image")
  func prefixes() throws {
    for name in [
      "rgb8.png", "gray.jpg", "progressive.jpg", "gray2-interlaced.png", "stray-bytes.jpg",
    ] {
      let bytes = try ImageFixtures.bytes(name)
      let whole = try ImageCodec.decode(bytes, as: .stored)
      for length in 0..<bytes.count {
        if let part = try? ImageCodec.decode(Array(bytes[..<length]), as: .stored) {
          #expect(part == whole, "the first \(length) bytes of \(name)")
        }
      }
    }
  }

  @Test("A damaged file is named as such, with the reason")
  func damaged() throws {
    guard case .damaged(.png, let reason) = try error("checksum.png") else {
      Issue.record("a wrong length of IHDR went through")
      return
    }
    #expect(reason.contains("IHDR"))
    #expect(try error("no-height.jpg") == .noPixels(.jpeg))
  }

  @Test("A bit turned over in the image data is found by the checksum")
  func flippedBit() throws {
    var bytes = try ImageFixtures.bytes("gray8.png")
    bytes[100] ^= 1
    let error = #expect(throws: ImageError.self) { try ImageCodec.decode(bytes, as: .gray8) }
    guard case .damaged(.png, _) = error else {
      Issue.record("expected damage, found \(String(describing: error))")
      return
    }
  }

  @Test("Messages say what is wrong and what to do")
  func messages() {
    #expect(
      "\(ImageError.unknownKind(firstBytes: [0x47, 0x0A]))"
        == "no JPEG, PNG, WebP, TIFF, BMP or PNM (it starts with 47 0a); convert it to one of them")
    #expect(
      "\(ImageError.tooLarge(.png, width: 60000, height: 60000))"
        == "the PNG has 60000×60000 pixels, over the limit of 100 megapixels; make it smaller")
  }
}
