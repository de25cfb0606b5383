import AssayCore
import AssayFormats
import AssayImaging
import AssayTestSupport
import Testing

@Suite("Damaged YOLO datasets")
struct YOLOMutationTests {
  private static let seeds: [[(path: String, bytes: [UInt8])]] = [
    "ultralytics", "roboflow", "darknet", "loose", "segment", "pose", "turned",
  ].map { name in
    let tree = FileTree(fixture: "yolo/\(name)")
    let files = (try? tree.files()) ?? []
    return files.map { ($0.path, (try? tree.readAll($0.path, limit: 1 << 20)) ?? []) }
  }

  /// Texts that have a meaning in some place of a data file, a list or a label.
  private static let words = [
    "nan", "inf", "-1", "1e999", "0x1p3", "..", "../", "/", "\\", "C:\\", "names", ":", "- ", "[",
    "]", "{", "}", "&a ", "*a", "|", "\"", "'", "#", "\r", "\n", "\u{FEFF}", "99999999999999999999",
    "0.5 0.5", "\u{0}", "kpt_shape: [3, 3]\n", "train: .\n", "nc: -5\n", "images", "\u{2028}",
  ].map { Array($0.utf8) }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...20, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
      case 1:
        if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 4: bytes.removeSubrange(place...)
      default:
        let word = words[Int.random(in: 0..<words.count, using: &random)]
        bytes.insert(contentsOf: word, at: place)
      }
    }
  }

  /// The number of rounds: 1,500 in a normal run; `ASSAY_LONG_TESTS=1` makes it 200,000.
  private static let rounds = LongTests.areOn ? 200_000 : 1_500

  @Test("Damaged labels, lists, data files and images are imported in part or refused")
  func mutations() throws {
    #expect(Self.seeds.allSatisfy { $0.count >= 2 })
    var random = SplitMix64(seed: 4107)
    var imported = 0
    var objects = 0
    for round in 0..<Self.rounds {
      var files = Self.seeds[round % Self.seeds.count]
      let isText = { (path: String) in !path.hasSuffix(".png") && !path.hasSuffix(".jpeg") }
      let places = files.indices.filter { round % 8 == 0 || isText(files[$0].path) }
      let place = places[Int.random(in: 0..<places.count, using: &random)]
      Self.mutate(&files[place].bytes, &random)
      if round % 16 == 1 { files[place].path += [".txt", "x", ".jpg"][round % 3] }
      // A header can request 100 megapixels, in which polygons are drawn slowly.
      if let size = try? ImageCodec.header(of: files[place].bytes).size, size.area > 1 << 20 {
        continue
      }
      let tree = MemoryTree(
        folder: Dictionary(
          files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
      )
      do {
        if round % 3 == 0 { _ = try FormatDetector.detect(tree) }
        let classes = round % 5 == 0 ? ["a", "b", "c"] : nil
        let found = try CollectedObjects(
          tree, as: .yolo, ImportOptions(classes: classes, workers: 1))
        imported += 1
        objects += found.objects.count
        #expect(found.isBalanced)
        #expect(Set(found.keys).count == found.keys.count)
        for object in found.objects {
          let box = try #require(object.box)
          #expect(
            [box.x, box.y, box.width, box.height].allSatisfy { $0.isFinite && abs($0) < 1e7 })
        }
      } catch is FormatError {
        continue
      }
    }
    #expect(imported > Self.rounds / 2 && objects > Self.rounds)
  }
}
