import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayFormats

@Suite("Parquet files with images")
struct ParquetImporterTests {
  private func refusal(
    _ tree: some SourceTree, _ options: ImportOptions = ImportOptions()
  ) -> String {
    do {
      _ = try Collected(detecting: tree, options)
      return ""
    } catch {
      return "\(error)"
    }
  }

  private func options(
    _ columns: String, _ coordinates: BoxCoordinates? = nil
  ) throws -> ImportOptions {
    ImportOptions(columns: try BoxTableColumns(parsing: columns), coordinates: coordinates)
  }

  @Test("Hugging Face's shards: class names, splits, names of files, unknown labels")
  func classes() throws {
    let tree = FileTree(fixture: "parquet/classes")
    #expect(try FormatDetector.detect(tree).format == .parquet)
    let found = try Collected(detecting: tree)
    #expect(
      found.keys == [
        "data/test-00000-of-00001.parquet/image/000000.png",
        "data/train-00000-of-00002.parquet/image/000000/red.png",
        "data/train-00000-of-00002.parquet/image/000001/green.jpg",
        "data/train-00000-of-00002.parquet/image/000002/up.png",
        "data/train-00001-of-00002.parquet/image/000000.jpg",
        "data/train-00001-of-00002.parquet/image/000001.png",
      ])
    #expect(found.labels == [nil, "cat", "owl", nil, "dog", "dog"])
    #expect(found.splits == ["test", "train", "train", "train", "train", "train"])
    #expect(found.classes == ["cat", "dog", "owl"])
    #expect(found.sourceIDs == [.integer(0), .integer(1), .integer(2)])
    #expect(found.samples.allSatisfy { $0.size == ImageSize(width: 8, height: 6) })
    #expect(found.kinds == [.missingLabel, .missingLabel])
    #expect(found.isBalanced && found.run.lists == nil)
  }

  @Test("Images are read in place, later too, and listed by row")
  func images() throws {
    let tree = ParquetTree(FileTree(fixture: "parquet/classes"))
    let found = try Collected(FileTree(fixture: "parquet/classes"), as: .parquet)
    for sample in found.samples {
      let bytes = try tree.readAll(try #require(sample.location), limit: 1 << 20)
      #expect(bytes.starts(with: [0x89, 0x50]) || bytes.starts(with: [0xFF, 0xD8]))
      #expect(bytes.count > 60)
    }
    #expect(
      try tree.files().map(\.path).filter { $0.contains(".parquet/") }
        == found.keys.map(EmbeddedImagePlace.listed))
    let path = "data/train-00001-of-00002.parquet/image/000002.png"
    #expect(throws: ParquetError.self) { try tree.readAll(path, limit: 1 << 20) }
    #expect(throws: ParquetError.self) {
      try tree.readAll("data/train-00001-of-00002.parquet/label/000000", limit: 1 << 20)
    }
  }

  @Test("Boxes of CPPE-5's columns: classes, ids, areas, stated sizes")
  func boxes() throws {
    let found = try CollectedObjects(detecting: FileTree(fixture: "parquet/boxes"))
    #expect(found.names == ["mask", "glove"])
    #expect(found.samples.map(\.objects.count) == [2, 0, 1])
    #expect(found.objects.map(\.label) == ["glove", "mask", "glove"])
    #expect(found.objects[0].box == Box(x: 5, y: 1, width: 2, height: 2))
    #expect(found.objects[1].box == Box(x: 1.5, y: 0, width: 2, height: 3))
    #expect(found.objects[0].attributes == #"{"area":4}"#)
    #expect(found.issues.map(\.message) == ["the column “image_id” is not kept"])
    #expect(found.run.lists?.annotationsRead == 3 && found.isBalanced)
    // The first box only fits as x, y, width, height.
    #expect(found.run.notes == [])
  }

  @Test("Corners and relative numbers are refused until they are stated")
  func forms() throws {
    let corners = FileTree(fixture: "parquet/corners")
    let text = refusal(corners)
    #expect(text.contains("1 of 2 boxes of “objects.bbox” leave their image"))
    #expect(
      text.contains(
        "--columns image=image,label=objects.label,box=objects.bbox --coordinates pixels"))
    let found = try CollectedObjects(
      corners, as: .parquet,
      options("image=image,label=objects.label,box=objects.bbox", .pixels))
    #expect(
      found.objects.map(\.box) == [
        Box(x: 1, y: 1, width: 6, height: 4), Box(x: 4, y: 2, width: 4, height: 4),
      ])
    #expect(found.objects.map(\.label) == ["x", "y"] && found.issues.map(\.kind) == [])
    let relative = FileTree(fixture: "parquet/relative")
    #expect(refusal(relative).contains("are from 0 to 1"))
    let scaled = try CollectedObjects(
      relative, as: .parquet, options("image=image,label=labels,boxwh=bboxes", .relative))
    #expect(scaled.objects.map(\.box) == [Box(x: 2, y: 3, width: 4, height: 1.5)])
    #expect(scaled.objects.map(\.label) == ["x"])
  }

  @Test("Index masks in a second column of images; other columns are named")
  func masks() throws {
    var regions: [(sample: Int, shape: ShapeKind, area: Double?, category: String)] = []
    var names: [String] = []
    var issues: [String] = []
    var keys: [String] = []
    let run = try Importers.importer(for: .parquet).run(
      FileTree(fixture: "parquet/masks"), ImportOptions()
    ) { batch in
      names += batch.newCategories.map(\.name)
      issues += batch.issues.map(\.message)
      keys += batch.samples.map(\.key)
      regions += batch.annotations.map { ($0.sample, $0.shape, $0.area, names[$0.category]) }
    }
    #expect(
      keys == [
        "data/train-00000-of-00001.parquet/image/000000.png",
        "data/train-00000-of-00001.parquet/image/000001.png",
      ])
    #expect(regions.map(\.sample) == [0, 0, 1, 1])
    #expect(regions.map(\.area) == [2, 1, 1, 1])
    #expect(regions.map(\.category) == ["class 1", "class 2", "class 1", "class 3"])
    #expect(issues == ["the column “scene” is not kept"] && run.outcome.accepted == 2)
  }

  @Test("Sets of labels are a format of their own")
  func sets() throws {
    let tree = FileTree(fixture: "parquet-labels/sets")
    #expect(try FormatDetector.detect(tree).format == .parquetLabels)
    let found = try Collected(detecting: tree)
    #expect(found.samples.map(\.labels) == [["a", "c"], [], ["c"]])
    #expect(found.classes == ["a", "b", "c"] && found.issues == [])
    #expect(throws: FormatError.self) { try Collected(tree, as: .parquet) }
  }

  @Test("Texts are captions of the image; without labels a dataset is unlabeled")
  func texts() throws {
    let texts = try CollectedObjects(detecting: FileTree(fixture: "parquet/texts"))
    #expect(texts.objects.map(\.label) == ["caption"])
    #expect(texts.objects.map(\.attributes) == [#"{"caption":"a red image"}"#])
    #expect(texts.isOutcomeBalanced)
    let found = try Collected(detecting: FileTree(fixture: "parquet/texts"))
    #expect(found.splits == ["validation", "validation"] && found.issues == [])
  }

  @Test("Several columns of labels and several configurations are refused with the choices")
  func choices() throws {
    let fine = FileTree(fixture: "parquet/fine")
    let text = refusal(fine)
    #expect(text.contains("2 columns hold labels: fine_label, coarse_label"))
    let found = try Collected(fine, as: .parquet, options("image=img,label=fine_label"))
    #expect(found.labels == ["pear", "apple"] && found.classes == ["apple", "pear"])
    #expect(found.issues.map(\.message) == ["the column “coarse_label” is not kept"])
    #expect(throws: ParquetError.self) {
      try Collected(fine, as: .parquet, options("image=img,label=coarse"))
    }
    let configs = refusal(FileTree(fixture: "parquet/configs"))
    #expect(configs.contains("2 configurations") && configs.contains("a, b"))
    #expect(try Collected(detecting: FileTree(fixture: "parquet/configs/a")).labels == ["x"])
  }

  @Test(
    "Files of other writers, without Hugging Face's metadata",
    arguments: [
      ("polars", ["red", "green", "blue", "red"], "train"),
      ("duckdb", ["0", "1", "2", "0"], "val"),
      ("fastparquet", ["red", "green", "blue", "red"], "train"),
    ])
  func writers(name: String, labels: [String], split: String) throws {
    let found = try Collected(detecting: FileTree(fixture: "parquet/\(name)"))
    #expect(found.labels == labels)
    #expect(found.splits == Array(repeating: split, count: 4))
    #expect(found.issues == [] && found.isBalanced)
  }

  @Test("A single file; tables without images, and files with images beside them, are named")
  func sources() throws {
    let bytes = try FileTree(fixture: "parquet/polars").readAll("train.parquet", limit: 1 << 20)
    let single = MemoryTree(bytes, name: "x.parquet")
    #expect(try Collected(detecting: single).keys.first == "x.parquet/image/000000/0.png")
    let table = try FileTree(fixture: "parquet/tables").readAll("00.parquet", limit: 1 << 20)
    #expect(
      refusal(MemoryTree(table, name: "x.parquet")).contains(
        "no column of x.parquet holds images"))
    #expect(
      refusal(FileTree(fixture: "parquet/lz4")).contains(
        "val.parquet: it is compressed with LZ4_RAW, which is not read"))
    let short = refusal(MemoryTree(Array("PAR1".utf8) + [1, 2, 3], name: "x.parquet"))
    #expect(short.contains("x.parquet: the file is damaged"))
  }

  @Test(
    "The split of a file",
    arguments: [
      ("data/train-00000-of-00002.parquet", "train"), ("default/test/0000.parquet", "test"),
      ("data/test_iid-00000-of-00001.parquet", "test"), ("val.parquet", "val"),
      ("cppe-5-train.parquet", "train"), ("fold1-00000-of-00001-3f2c.parquet", "fold1"),
      ("0000.parquet", nil), ("animals.parquet", nil),
    ] as [(String, String?)])
  func splits(path: String, split: String?) {
    #expect(ShardName.split(of: path, suffix: ".parquet") == split)
  }

  @Test("Any number of workers gives the same samples and issues")
  func workers() throws {
    for name in ["classes", "boxes", "polars"] {
      let tree = FileTree(fixture: "parquet/\(name)")
      let one = try CollectedObjects(tree, as: .parquet, ImportOptions(workers: 1))
      #expect(try CollectedObjects(tree, as: .parquet, ImportOptions(workers: 4)) == one)
    }
  }
}
