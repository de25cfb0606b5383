import AssayCore
import AssayFormats
import AssayImaging
import AssayTestSupport
import Testing

/// Imports copies of fixtures with seeded damage: each is imported in part or refused.
struct DamagedTrees {
  let format: DatasetFormat
  /// Fixtures, below `Tests/Fixtures`.
  let fixtures: [String]
  /// Texts with a meaning in some place of the format's files.
  let words: [String]
  /// The endings of files that are damaged in most rounds: texts.
  let texts: [String]
  /// The largest coordinate of a box, in pixels.
  var reach = 1e7
  var options = ImportOptions(workers: 1)

  private static let common = [
    "nan", "inf", "-1", "1e999", "0x1p3", "..", "../", "/", "\\", "C:\\", "{", "}", "[", "]", "\"",
    "'", ",", ":", "\r", "\n", "\u{FEFF}", "99999999999999999999", "\u{0}", "\u{2028}", "null",
    "true", "-0.0", "1e7", " ",
  ]

  private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let words = Self.common + self.words
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
        bytes.insert(contentsOf: word.utf8, at: place)
      }
    }
  }

  /// Runs 800 rounds, 100,000 with `ASSAY_LONG_TESTS=1`.
  ///
  /// - Returns: the numbers of imports and of their objects.
  func run(seed: UInt64) throws -> (rounds: Int, imported: Int, objects: Int) {
    let rounds = LongTests.areOn ? 100_000 : 800
    let seeds = try fixtures.map { fixture in
      let tree = FileTree(fixture: fixture)
      return (
        isSingle: tree.isSingleFile, name: tree.name,
        files: try tree.files().map { ($0.path, try tree.readAll($0.path, limit: 1 << 20)) }
      )
    }
    #expect(seeds.allSatisfy { !$0.files.isEmpty })
    var random = SplitMix64(seed: seed)
    var (imported, objects) = (0, 0)
    for round in 0..<rounds {
      let seed = seeds[round % seeds.count]
      var files = seed.files
      let isText = { (path: String) in texts.contains { path.hasSuffix($0) } }
      let places = files.indices.filter { round % 4 == 0 || isText(files[$0].0) }
      let place = places[Int.random(in: 0..<places.count, using: &random)]
      mutate(&files[place].1, &random)
      // A header can request 100 megapixels, in which polygons are drawn slowly.
      if let size = try? ImageCodec.header(of: files[place].1).size, size.area > 1 << 20 {
        continue
      }
      let tree =
        seed.isSingle
        ? MemoryTree(files[0].1, name: seed.name)
        : MemoryTree(folder: Dictionary(files, uniquingKeysWith: { first, _ in first }))
      var options = options
      if seed.isSingle { options.images = options.images ?? MemoryTree(folder: [:]) }
      do {
        if round % 3 == 0 { _ = try FormatDetector.detect(tree) }
        let found = try CollectedObjects(tree, as: format, options)
        imported += 1
        objects += found.objects.count
        #expect(found.isBalanced)
        #expect((found.run.lists?.annotationsRead ?? 0) >= found.objects.count)
        #expect(Set(found.keys).count == found.keys.count)
        #expect(
          found.keys.allSatisfy { !$0.hasPrefix("/") && !$0.split(separator: "/").contains("..") })
        for object in found.objects {
          // Only a label of the whole image has no box.
          guard let box = object.box else {
            #expect([.openImages, .labelStudio].contains(format) && object.polygons.isEmpty)
            continue
          }
          #expect(
            [box.x, box.y, box.width, box.height].allSatisfy { $0.isFinite && abs($0) <= 2 * reach }
          )
        }
      } catch is FormatError {
        continue
      }
    }
    return (rounds, imported, objects)
  }
}

/// Small trees of all formats, to check that a format is not recognized in others.
enum FormatFixtures {
  /// Folders and files below `Tests/Fixtures`, by their format.
  static let all: [(format: DatasetFormat, path: String)] = [
    (.fer, "fer/fer2013.csv"), (.pixelCSV, "pixel-csv/mnist_header.csv"),
    (.multiLabelCSV, "multilabel-csv/columns.csv"), (.multiLabelCSV, "multilabel-csv/list.csv"),
    (.csv, "csv/tensorflow.csv"), (.coco, "coco/polygons.json"), (.yolo, "yolo/ultralytics"),
    (.yolo, "yolo/darknet"),
    (.yolo, "yolo/loose"), (.cityscapes, "cityscapes/official"),
    (.cityscapes, "cityscapes/datumaro"), (.kitti, "kitti/benchmark"), (.kitti, "kitti/datumaro"),
    (.kitti, "kitti/plain"), (.openImages, "openimages/v6"), (.openImages, "openimages/v5"),
    (.camVid, "camvid/index"), (.camVid, "camvid/colors"),
    (.masks, "masks/binary"), (.masks, "masks/index"), (.imageFolder, "image-folder/classes"),
    (.imageFolder, "image-folder/splits"),
  ]

  /// The fixtures that a format's importer takes, by mistake or rightly.
  static func taken(by importer: any DatasetImporter) throws -> [String] {
    try all.filter { try importer.probe(FileTree(fixture: $0.path)).isMatch }.map(\.path)
  }
}
