import AssayCore
import AssayFormats
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

/// Masks in other formats than PNG. The files are written here, byte by byte.
@Suite("Masks in BMP, TIFF and PNM")
struct MaskFormatTests {
  private static let rows: [[UInt8]] = [[0, 1, 1, 2], [0, 0, 2, 2], [0, 0, 0, 0]]

  /// A gray image of 8 bits.
  private static func file(_ suffix: String, _ rows: [[UInt8]] = rows) -> [UInt8] {
    let (width, height) = (rows[0].count, rows.count)
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    switch suffix {
    case "pgm": return Array("P5\n\(width) \(height)\n255\n".utf8) + rows.joined()
    case "bmp":
      let pitch = (width + 3) / 4 * 4
      let start = 14 + 40 + 1024
      var bytes =
        Array("BM".utf8) + little(start + pitch * height, 4) + little(0, 4) + little(start, 4)
      bytes += little(40, 4) + little(width, 4) + little(height, 4) + little(1, 2) + little(8, 2)
      bytes += little(0, 4) + little(pitch * height, 4) + little(0, 16)
      for gray in 0..<256 { bytes += [UInt8(gray), UInt8(gray), UInt8(gray), 0] }
      for row in rows.reversed() { bytes += row + Array(repeating: 0, count: pitch - width) }
      return bytes
    default:
      let entries = [
        (256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1),
        (278, height),
        (279, width * height),
      ]
      let pixels = Array(rows.joined())
      var bytes = Array("II".utf8) + little(42, 2) + little(8 + pixels.count, 4) + pixels
      bytes += little(entries.count, 2)
      for (tag, value) in entries {
        bytes += little(tag, 2) + little(4, 2) + little(1, 4) + little(value, 4)
      }
      return bytes + little(0, 4)
    }
  }

  private static func photo(_ suffix: String) throws -> [UInt8] {
    suffix == "png"
      ? try ImageCodec.encodePNG(Raster(repeating: 9, width: 4, height: 3, channels: 3))
      : file(suffix, Array(repeating: [9, 99, 199, 3], count: 3))
  }

  @Test(
    "They are read as PNG masks are, beside images of any format", arguments: ["pgm", "bmp", "tif"])
  func read(suffix: String) throws {
    for image in ["png", "pgm", "bmp", "tif"] {
      let tree = MemoryTree(folder: [
        "images/a.\(image)": try Self.photo(image), "masks/a.\(suffix)": Self.file(suffix),
      ])
      let found = try CollectedMasks(detecting: tree)
      #expect(found.keys == ["images/a.\(image)"])
      #expect(found.areas("images/a.\(image)") == ["class 1": 2, "class 2": 3])
      #expect(found.issues.isEmpty)
      let one = MemoryTree(folder: [
        "a.\(image)": try Self.photo(image), "a_mask.\(suffix)": Self.file(suffix),
      ])
      #expect(
        try CollectedMasks(detecting: one).areas("a.\(image)") == ["class 1": 2, "class 2": 3])
    }
  }

  @Test("A cut mask is an issue, not a smaller mask", arguments: ["pgm", "bmp", "tif"])
  func cut(suffix: String) throws {
    let whole = Self.file(suffix)
    let tree = MemoryTree(folder: [
      "images/a.png": try Self.photo("png"), "masks/a.\(suffix)": whole,
      "images/b.png": try Self.photo("png"), "masks/b.\(suffix)": Array(whole.dropLast(5)),
    ])
    let found = try CollectedMasks(detecting: tree)
    #expect(found.keys == ["images/a.png"])
    #expect(found.kinds == [.unreadableImage])
  }

  @Test("Masks with the names of images of another format beside them are no images")
  func twins() throws {
    let noise = (0..<20).map { row in (0..<20).map { UInt8(truncatingIfNeeded: row * 20 + $0) }
    }
    let few = (0..<20).map { row in (0..<20).map { UInt8($0 < row ? 1 : 0) } }
    for (image, mask) in [("tif", "bmp"), ("bmp", "tif"), ("pgm", "tif")] {
      let tree = MemoryTree(folder: [
        "cat/a.\(image)": Self.file(image, noise), "cat/a.\(mask)": Self.file(mask, few),
      ])
      let error = #expect(throws: FormatError.self) { try FormatDetector.detect(tree) }
      let text = try #require(error.map { "\($0)" })
      #expect(
        text.contains(
          "1 .\(mask) file looks like a mask of the image beside it (cat/a.\(mask) of cat/a.\(image)"
        ), "\(text)")
    }
  }
}
