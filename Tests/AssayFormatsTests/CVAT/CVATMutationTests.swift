import AssayCore
import AssayFormats
import AssayImaging
import AssayTestSupport
import Testing

@Suite("Damaged CVAT datasets")
struct CVATMutationTests {
  private static let seeds: [[(path: String, bytes: [UInt8])]] = [
    "images", "video", "project",
  ].map { name in
    let tree = FileTree(fixture: "cvat/\(name)")
    let files = (try? tree.files()) ?? []
    return files.map { ($0.path, (try? tree.readAll($0.path, limit: 1 << 20)) ?? []) }
  }

  /// Texts that have a meaning in some place of a file.
  private static let words = [
    "nan", "inf", "-1", "1e999", "..", "../", "/", "\\", "C:\\", "<box/>", "<track>", "</track>",
    "<image id=\"0\" name=\"../x\"/>", "<track id=\"1\" label=\"car\">", "&amp;", "&x;",
    "<!DOCTYPE a>", "<![CDATA[", "<!--", "<", ">", "\"", ":", ",", ";", "\r", "\n", "\u{FEFF}",
    "\u{0}",
    "99999999999999999999", " frame=\"5\"", " outside=\"1\"", "<tag/>", "<skeleton label=\"a\">",
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

  /// Values of attributes; a file with one of them is well-formed.
  private static let values = [
    "", "nan", "-1", "1e9", "1e999", "0", "1", "360", "../x.png", "/x", "x,y", "1,1;2,2", "0,4",
    ";",
    "car", "person", "99999999999999999999", "7", "é",
  ].map { Array($0.utf8) }

  /// Replaces the value of an attribute.
  private static func replace(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let quotes = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\"") }
    guard quotes.count > 4 else { return }
    let place = 2 * Int.random(in: 2..<quotes.count / 2, using: &random)
    bytes.replaceSubrange(
      quotes[place] + 1..<quotes[place + 1],
      with: values[Int.random(in: 0..<values.count, using: &random)])
  }

  /// The number of rounds: 1,500 in a normal run; `ASSAY_LONG_TESTS=1` makes it 100,000.
  private static let rounds = LongTests.areOn ? 100_000 : 1_500

  @Test("Damaged files and images are imported in part or refused")
  func mutations() throws {
    #expect(Self.seeds.allSatisfy { $0.count > 1 })
    var random = SplitMix64(seed: 11)
    var imported = 0
    var objects = 0
    for round in 0..<Self.rounds {
      var files = Self.seeds[round % Self.seeds.count]
      let isText = { (path: String) in !path.hasSuffix(".png") }
      let places = files.indices.filter { round % 4 == 0 || isText(files[$0].path) }
      let place = places[Int.random(in: 0..<places.count, using: &random)]
      if round % 4 < 3, isText(files[place].path) {
        for _ in 0...round % 3 { Self.replace(&files[place].bytes, &random) }
      } else {
        Self.mutate(&files[place].bytes, &random)
      }
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
        let found = try CollectedShapes(tree, as: .cvat, ImportOptions(workers: 1))
        imported += 1
        objects += found.shapes.count
        #expect(found.isBalanced)
        #expect(Set(found.keys).count == found.keys.count)
        #expect(
          found.keys.allSatisfy { !$0.hasPrefix("/") && !$0.split(separator: "/").contains("..") })
        for shape in found.shapes where shape.kind != .tag && shape.kind != .label {
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
