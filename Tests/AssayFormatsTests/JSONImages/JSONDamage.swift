import AssayCore
import AssayFormats
import AssayImaging
import AssayTestSupport
import Testing

/// Imports copies of a JSON format's fixtures with seeded damage: each is imported in part or
/// refused.
struct JSONDamage {
  let format: DatasetFormat
  /// Fixtures, below `Tests/Fixtures`.
  let fixtures: [String]

  private static let words = [
    "NaN", "Infinity", "-1", "1e999", "1e7", "..", "../", "/", "\\\\", "C:\\\\", "{", "}", "[", "]",
    "\"", ",", ":", "\r", "\u{FEFF}", "99999999999999999999", "\u{0}", "null", "true", "[[", "{}",
    "\"shapes\": 3,", "\"annotations\": null,", "\\ud800", "\\u0000", "iVBORw0KGgo=", "255,",
  ].map { Array($0.utf8) }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...20, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
      case 1:
        // Digits and letters stay valid JSON in most cases.
        if place < bytes.count, (0x30..<0x7A).contains(bytes[place]) { bytes[place] += 1 }
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 4: if Int.random(in: 0..<4, using: &random) == 0 { bytes.removeSubrange(place...) }
      default:
        let word = words[Int.random(in: 0..<words.count, using: &random)]
        bytes.insert(contentsOf: word, at: place)
      }
    }
  }

  /// Runs 600 rounds, 100,000 with `ASSAY_LONG_TESTS=1`.
  ///
  /// - Returns: the numbers of rounds, of imports and of their objects.
  func run(seed: UInt64) throws -> (rounds: Int, imported: Int, objects: Int) {
    let rounds = LongTests.areOn ? 100_000 : 600
    let seeds = try fixtures.map { fixture in
      let tree = FileTree(fixture: fixture)
      return (
        isSingle: tree.isSingleFile, name: tree.name,
        files: try tree.files().map { ($0.path, try tree.readAll($0.path, limit: 1 << 20)) }
      )
    }
    var random = SplitMix64(seed: seed)
    var (imported, objects) = (0, 0)
    for round in 0..<rounds {
      let seed = seeds[round % seeds.count]
      var files = seed.files
      let places = files.indices.filter {
        round % 8 == 0 || files[$0].0.hasSuffix(".json") || files[$0].0.hasSuffix(".csv")
      }
      let place = places[Int.random(in: 0..<places.count, using: &random)]
      Self.mutate(&files[place].1, &random)
      // A header can request 100 megapixels, in which polygons are drawn slowly.
      if let size = try? ImageCodec.header(of: files[place].1).size, size.area > 1 << 20 {
        continue
      }
      let tree =
        seed.isSingle
        ? MemoryTree(files[0].1, name: seed.name)
        : MemoryTree(folder: Dictionary(files, uniquingKeysWith: { first, _ in first }))
      do {
        if round % 3 == 0 { _ = try FormatDetector.detect(tree) }
        let found = try CollectedObjects(tree, as: format, ImportOptions(workers: 1))
        imported += 1
        objects += found.objects.count
        #expect(found.isBalanced)
        #expect((found.run.lists?.annotationsRead ?? 0) >= found.objects.count)
        #expect(Set(found.keys).count == found.keys.count)
        #expect(
          found.keys.allSatisfy { !$0.hasPrefix("/") && !$0.split(separator: "/").contains("..") })
        for object in found.objects {
          let box = try #require(object.box)
          #expect([box.x, box.y, box.width, box.height].allSatisfy { $0.isFinite })
        }
      } catch is FormatError {
        continue
      }
    }
    return (rounds, imported, objects)
  }
}

/// Fixtures of all formats, to check that a format is not recognized in others.
enum ForeignFixtures {
  private static let all = [
    "fer/fer2013.csv", "pixel-csv/no_header.csv", "coco/polygons.json", "goldens/data/street",
    "yolo/ultralytics", "yolo/loose", "camvid/index", "camvid/colors", "masks/binary",
    "image-folder/classes", "image-folder/splits", "labelme/beside", "labelme/apart",
    "labelme/embedded", "createml/roboflow", "createml/older.json", "createml/classes",
    "label-studio/export", "label-studio/export-min.json", "label-studio/classes.json",
    "vott/export", "vott/assets", "bdd100k/release", "bdd100k/older", "bdd100k/track",
    "bdd100k/scalabel", "bdd100k/alone.json", "via/one", "via/project", "via/table", "via/first",
    "via/regions.json", "via/three", "supervisely/project", "supervisely/older",
  ]

  /// The fixtures that an importer takes.
  static func taken(by importer: some DatasetImporter) throws -> [String] {
    try all.filter { try importer.probe(FileTree(fixture: $0)).isMatch }
  }
}

extension MemoryTree {
  /// PNGs of 20×10 pixels, and texts.
  init(pngs: [String], texts: [String: String]) throws {
    try self.init(
      masks: [:],
      photos: Dictionary(uniqueKeysWithValues: pngs.map { ($0, (width: 20, height: 10)) }),
      texts: texts)
  }
}
