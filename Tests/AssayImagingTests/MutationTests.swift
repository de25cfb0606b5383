import AssayCore
import AssayImaging
import Testing

@Suite("Mutated files")
struct MutationTests {
  @Test("No mutation crashes, hangs or gives a raster of another size than the header's")
  func mutations() throws {
    let files = try (ImageFixtures.good + ["truncated.png", "truncated.jpg"]).map {
      try ImageFixtures.bytes($0)
    }
    // Most mutations of pixel data leave a JPEG valid; those of PNGs break a checksum.
    #expect(try decoded(of: files, rounds: 20_500) > 500)
  }

  @Test("The same for WebP, TIFF, BMP and PNM")
  func mutationsOfOtherFormats() throws {
    let files = try ImageFormatFixtures.all.map(ImageFormatFixtures.bytes)
    #expect(try decoded(of: files, rounds: 20_500) > 2_000)
  }

  /// The number of mutated files that are decoded.
  private func decoded(of files: [[UInt8]], rounds: Int) throws -> Int {
    var random = SplitMix64(seed: 20_240_607)
    var decoded = 0
    for round in 0..<rounds {
      let bytes = mutated(files[round % files.count], using: &random)
      // Keeps the test small: a mutated header can request up to 100 megapixels.
      guard let header = try? ImageCodec.header(of: bytes), header.size.area < 1 << 20 else {
        continue
      }
      guard let raster = try? ImageCodec.decode(bytes, as: PixelMode.allCases[round % 4]) else {
        continue
      }
      decoded += 1
      #expect(
        raster.width == header.orientedSize.width && raster.height == header.orientedSize.height)
    }
    return decoded
  }

  private func mutated(_ original: [UInt8], using random: inout SplitMix64) -> [UInt8] {
    var bytes = original
    for _ in 0...Int.random(in: 0..<4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + 9))
      case 3: bytes.insert(contentsOf: bytes[..<min(place, 7)], at: place)
      case 4: bytes[place] = [0, 0xFF, 0x7F, 0x80][Int.random(in: 0..<4, using: &random)]
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }
}
