import AssayCore
import AssayFormats
import AssayImaging
import AssayTestSupport
import Testing

@Suite("Damaged Pascal VOC datasets")
struct VOCMutationTests {
  private static let seeds: [[(path: String, bytes: [UInt8])]] = [
    "challenge", "roboflow", "datumaro",
  ].map { name in
    let tree = FileTree(fixture: "voc/\(name)")
    let files = (try? tree.files()) ?? []
    return files.map { ($0.path, (try? tree.readAll($0.path, limit: 1 << 20)) ?? []) }
  }

  /// Texts that have a meaning in some place of an annotation, a list or a label map.
  private static let words = [
    "nan", "inf", "-1", "1e999", "..", "../", "/", "\\", "C:\\", "<object>", "</object>", "<part>",
    "<name>", "</name>", "<bndbox>", "&amp;", "&x;", "<!DOCTYPE a>", "<![CDATA[", "<!--", "<", ">",
    "\"", ":", ",", "#", "\r", "\n", "\u{FEFF}", "\u{0}", "99999999999999999999", "<polygon>",
    "<deleted/>", "<size/>", "<filename>../../x.png</filename>", "roboflow", "1 1",
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

  /// The number of rounds: 1,500 in a normal run; `ASSAY_LONG_TESTS=1` makes it 100,000.
  private static let rounds = LongTests.areOn ? 100_000 : 1_500

  @Test("Damaged annotations, lists, label maps, masks and images are imported in part or refused")
  func mutations() throws {
    #expect(Self.seeds.allSatisfy { $0.count >= 4 })
    var random = SplitMix64(seed: 2007)
    var imported = 0
    var objects = 0
    for round in 0..<Self.rounds {
      var files = Self.seeds[round % Self.seeds.count]
      let isText = { (path: String) in !path.hasSuffix(".png") }
      let places = files.indices.filter { round % 4 == 0 || isText(files[$0].path) }
      let place = places[Int.random(in: 0..<places.count, using: &random)]
      Self.mutate(&files[place].bytes, &random)
      if round % 16 == 1 { files[place].path += [".xml", "x", ".png"][round % 3] }
      // A header can request 100 megapixels, which are decoded slowly.
      if let size = try? ImageCodec.header(of: files[place].bytes).size, size.area > 1 << 20 {
        continue
      }
      let tree = MemoryTree(
        folder: Dictionary(
          files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first }))
      do {
        if round % 3 == 0 { _ = try FormatDetector.detect(tree) }
        let classes = round % 5 == 0 ? ["cat", "dog", "car"] : nil
        let found = try CollectedShapes(
          tree, as: .voc, ImportOptions(classes: classes, workers: 1))
        imported += 1
        objects += found.shapes.count
        #expect(found.isBalanced)
        #expect(Set(found.keys).count == found.keys.count)
        #expect(
          found.keys.allSatisfy { !$0.hasPrefix("/") && !$0.split(separator: "/").contains("..") })
        for shape in found.shapes {
          let box = try #require(shape.box)
          #expect([box.x, box.y, box.width, box.height].allSatisfy { abs($0) <= 2e7 })
        }
      } catch is FormatError {
        continue
      }
    }
    #expect(imported > Self.rounds / 2 && objects > Self.rounds)
  }
}
