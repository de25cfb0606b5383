import AssayCore
import AssayFormats
import AssayTestSupport
import Foundation
import Testing

@Suite("Damaged files")
struct MutationTests {
  /// Small valid files of every kind.
  static let seeds: [[UInt8]] = [
    "fer/fer2013.csv", "fer/bom_crlf.csv", "fer/quoted.csv", "fer/extra_column.csv",
    "pixel-csv/mnist_header.csv", "pixel-csv/label_among.csv", "pixel-csv/text_labels.csv",
    "pixel-csv/no_header.csv", "pixel-csv/with_split.csv", "fer/fer2013.csv.gz",
    "fer/members.csv.gz",
  ].map { path in
    let url = PackageFolder.fixture("\(path)")
    return (try? Data(contentsOf: url)).map { Array($0) } ?? []
  }

  private static let spice =
    Array("\n\r,\" 0129-.:;eé\u{FEFF}\t".utf8) + [0, 0xFF, 0x80, 0x1F, 0x8B]

  private static func mutate(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard !bytes.isEmpty else { return bytes }
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let other = Int.random(in: place..<min(bytes.count, place + 40), using: &random)
      switch Int.random(in: 0..<7, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes[place] = spice[Int.random(in: 0..<spice.count, using: &random)]
      case 3: bytes.insert(spice[Int.random(in: 0..<spice.count, using: &random)], at: place)
      case 4: bytes.removeSubrange(place...other)
      case 5: bytes.insert(contentsOf: bytes[place...other], at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }

  @Test("20,900 damaged files are imported in part or refused, and read is always the sum")
  func mutations() throws {
    #expect(Self.seeds.allSatisfy { !$0.isEmpty })
    var random = SplitMix64(seed: 2013)
    var imported = 0
    for round in 0..<20_900 {
      let tree = MemoryTree(Self.mutate(Self.seeds[round % Self.seeds.count], &random))
      let format: DatasetFormat = round % 3 == 0 ? .pixelCSV : .fer
      do {
        let format = round % 2 == 0 ? try FormatDetector.detect(tree).format : format
        let found = try Collected(tree, as: format, ImportOptions(blockBytes: 1 << 16))
        imported += 1
        #expect(found.isBalanced)
        #expect(found.issues.allSatisfy { ($0.location.line ?? 1) >= 1 })
        if round % 16 == 0 {
          #expect(
            try Collected(tree, as: format, ImportOptions(workers: 3, blockBytes: 64)) == found)
        }
      } catch is FormatError {
        continue
      }
    }
    // Most damage leaves most of a file readable.
    #expect(imported > 10_450)
  }
}
