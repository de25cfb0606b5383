import AssayCore
import AssayFormats
import AssayImaging
import AssayTestSupport
import Testing

/// Damaged datasets of Datumaro, LVIS, and of COCO's panoptic segments, captions and labels.
@Suite("Damaged datasets of Datumaro and of COCO's kinds")
struct DatumaroMutationTests {
  private static let seeds: [(format: DatasetFormat, files: [(path: String, bytes: [UInt8])])] = [
    (.datumaro, "datumaro/shapes"), (.lvis, "lvis/small"), (.cocoLabels, "coco-labels/family"),
    (.coco, "coco/family/coco_panoptic"), (.coco, "coco/family/coco_captions"),
    (.coco, "coco/family/coco_person_keypoints"),
  ].map { (format: DatasetFormat, name: String) in
    let tree = FileTree(fixture: name)
    let files = (try? tree.files()) ?? []
    return (format, files.map { ($0.path, (try? tree.readAll($0.path, limit: 1 << 20)) ?? []) })
  }

  private static let words = [
    "NaN", "-1", "1e999", "99999999999999999999", "9223372036854775807", "null", "true", "[]", "{}",
    "\"\"", "..", "../", "/", "\\\\", "\u{FEFF}", "\u{0}", "[", "]", "{", "}", ",", ":", "\"",
    "label", "mask", "points", "id", "16777216", "4294967296", "1e9", "-0.5", "[[[[", "\\u0000",
  ].map { Array($0.utf8) }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...20, using: &random))
      let word = words[Int.random(in: 0..<words.count, using: &random)]
      switch Int.random(in: 0..<7, using: &random) {
      case 0: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 3: bytes.insert(contentsOf: word, at: place)
      default:
        // Numbers are replaced most often: the text remains JSON.
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        guard let start = bytes[place...].firstIndex(where: isDigit) else { continue }
        let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.endIndex
        bytes.replaceSubrange(start..<end, with: word)
      }
    }
  }

  /// The number of rounds: 1,500 in a normal run; `ASSAY_LONG_TESTS=1` makes it 200,000.
  private static let rounds = LongTests.areOn ? 200_000 : 1_500

  @Test("Damaged files and images are imported in part or refused, and everything adds up")
  func mutations() throws {
    #expect(Self.seeds.allSatisfy { $0.files.count >= 2 })
    var random = SplitMix64(seed: 365)
    var imported = 0
    for round in 0..<Self.rounds {
      var (format, files) = Self.seeds[round % Self.seeds.count]
      let places = files.indices.filter {
        files[$0].path.hasSuffix(".json") || (round % 4 == 0 && files[$0].path.contains("panoptic"))
      }
      let place = places[Int.random(in: 0..<places.count, using: &random)]
      Self.mutate(&files[place].bytes, &random)
      // A header can request 100 megapixels.
      if let size = try? ImageCodec.header(of: files[place].bytes).size, size.area > 1 << 20 {
        continue
      }
      let folder = MemoryTree(
        folder: Dictionary(
          files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first }))
      let known = Set(try folder.files().map(\.path))
      do {
        if round % 3 == 0 { _ = try? FormatDetector.detect(folder) }
        let options = ImportOptions(workers: 1)
        if format == .datumaro {
          let found = try CollectedItems(folder, options)
          #expect(found.isOutcomeBalanced)
          #expect(
            found.keys.allSatisfy {
              known.contains($0) || !$0.split(separator: "/").contains("..")
            })
        } else {
          let found = try COCOCollected(folder, options, as: format)
          if !found.isBalanced { #expect(found.isBalanced, "\(files[place])") }
          #expect(found.samples.allSatisfy { known.contains($0) || !$0.hasPrefix("..") })
        }
        imported += 1
      } catch is FormatError {
        continue
      } catch is COCOForeignFile {
        continue
      }
    }
    #expect(imported > Self.rounds / 3, "\(imported)")
  }
}
