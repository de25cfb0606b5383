import AssayCore
import AssayStore
import AssayTestSupport
import AssayWorkflows
import Foundation
import Testing

@testable import AssayFormats

/// Tables of every task, read back.
@Suite("Exporting Parquet tables")
struct ParquetExportTests {
  /// A catalog with one dataset, `set`, and a folder to write to.
  private struct Exported {
    let folder: TemporaryFolder
    let catalog: Catalog
    let out: String

    init(_ fixture: String) throws {
      folder = try TemporaryFolder()
      out = folder.path("o")
      var request = ImportRequest(PackageFolder.fixture(fixture).path)
      request.name = "set"
      _ = try DatasetImport(request).run(
        catalogPath: folder.path("assay.db"), progress: NoProgress())
      catalog = try Catalog.open(folder.path("assay.db"), .readWrite)
    }

    func export(run: String? = nil) throws -> ParquetExportSummary {
      let scope = try ExportScope("set", in: catalog)
      return try ParquetExport(scope, catalog: catalog, run: run).run(
        into: ExportFolder(out, force: false))
    }

    /// The rows of a file as objects.
    func rows(_ file: String) throws -> [JSONValue] {
      let tree = try DirectoryTree(out)
      let source = try #require(try tree.files().first { $0.path == file })
      let table = try ParquetFile(tree, source)
      var found: [JSONValue] = []
      for group in table.footer.groups.indices {
        var reader = try ParquetRows(table, table.schema.columns, group: group)
        while let row = try reader.next() {
          found.append(.object(zip(table.schema.columns, row).map { .init($0.name, $1) }))
        }
      }
      return found
    }
  }

  @Test("Boxes: samples, annotations and classes, with their counts")
  func boxes() throws {
    let exported = try Exported("parquet/boxes")
    let summary = try exported.export()
    #expect((summary.samples, summary.annotations, summary.classes) == (3, 3, 2))
    #expect(summary.run == nil && summary.files.count == 3)
    let samples = try exported.rows("samples.parquet")
    #expect(samples.map { $0["sample"] } == [0, 1, 2])
    #expect(samples[0]["width"] == 8 && samples[0]["split"] == "train")
    #expect(samples[0]["label"] == .null && samples[0]["labels"] == .null)
    #expect(samples[0]["corrected"] == false && samples[0]["weight"] == .number(1))
    let annotations = try exported.rows("annotations.parquet")
    #expect(annotations.map { $0["category"] } == ["glove", "mask", "glove"])
    #expect(annotations.map { $0["sample"] } == [0, 0, 2])
    #expect(annotations[1]["x"] == .number(1.5) && annotations[1]["height"] == .number(3))
    #expect(annotations[1]["source_id"] == "12" && annotations[1]["attributes"] == #"{"area":6}"#)
    #expect(annotations[1]["segmentation"] == .null && annotations[1]["shape"] == "box")
    let classes = try exported.rows("classes.parquet")
    #expect(classes.map { $0["name"] } == ["mask", "glove"])
  }

  @Test("Masks have COCO's run lengths, sets of labels are lists, single labels are rows")
  func tasks() throws {
    let masks = try Exported("parquet/masks")
    _ = try masks.export()
    let regions = try masks.rows("annotations.parquet")
    #expect(regions.map { $0["shape"] } == ["mask", "mask", "mask", "mask"])
    let text = try #require(regions[0]["segmentation"]?.text)
    let region = try JSONValue(parsing: text)
    #expect(region["size"] == [6, 8])
    let counts = try #require(region["counts"]?.text)
    let mask = try Mask(size: ImageSize(width: 8, height: 6), compressed: Array(counts.utf8))
    #expect(mask.area == 2 && regions[0]["area"] == .number(2))
    let sets = try Exported("parquet-labels/sets")
    let summary = try sets.export()
    #expect((summary.samples, summary.annotations) == (3, 3))
    #expect(
      try sets.rows("samples.parquet").map { $0["labels"] } == [["a", "c"], [], ["c"]])
    let labels = try Exported("parquet/classes")
    _ = try labels.export()
    #expect(
      try labels.rows("samples.parquet").map { $0["label"] }
        == [.null, "cat", "owl", .null, "dog", "dog"])
    #expect(
      try labels.rows("annotations.parquet").map { $0["category"] }
        == ["cat", "owl", "dog", "dog"])
  }

  @Test("The scores of a run by sample; without the run its tables are removed")
  func predictions() throws {
    let exported = try Exported("parquet/classes")
    let samples = try exported.catalog.samples(in: exported.catalog.resolve("set"))
    let table =
      "sample,cat,dog,owl\n" + samples.prefix(5).map { "\($0.key),0.5,0.25,0.25\n" }.joined()
    let file = exported.folder.path("p.csv")
    try Data(table.utf8).write(to: URL(fileURLWithPath: file))
    _ = try PredictionsImport(catalog: exported.catalog, programVersion: "1").run(
      file, name: "r", view: "set", task: nil, ignoreMissing: false, normalize: false)
    let summary = try exported.export(run: "r")
    #expect((summary.predictions, summary.notPredicted) == (5, 1) && summary.run == "r")
    let found = try exported.rows("predictions.parquet")
    #expect(found.map { $0["category"] } == Array(repeating: "cat", count: 5))
    #expect(found[4]["scores"] == [.number(0.5), .number(0.25), .number(0.25)])
    #expect(found[4]["margin"] == .number(0.25))
    #expect(found[4]["sample"] == 4 && found[4]["x"] == .null)
    #expect(try exported.rows("run_classes.parquet").map { $0["name"] } == ["cat", "dog", "owl"])
    #expect(throws: StoreError.self) { try exported.export(run: "none") }
    _ = try exported.export()
    let names = try FileManager.default.contentsOfDirectory(atPath: exported.out)
    #expect(!names.contains("predictions.parquet") && names.contains("samples.parquet"))
  }

  @Test("The detections of a run, of images without any too")
  func detections() throws {
    let exported = try Exported("parquet/boxes")
    let samples = try exported.catalog.samples(in: exported.catalog.resolve("set"))
    let run = try exported.catalog.createRun(
      RunDraft(
        name: "d", task: .detection, dataset: exported.catalog.dataset(named: "set").id,
        view: "set",
        classes: ["glove"], samples: samples.map(\.id)))
    let box = Box(x: 1, y: 2, width: 3, height: 4)
    try exported.catalog.record(
      [
        SampleDetections(
          sample: samples[0].id,
          detections: [
            Detection(class: 0, confidence: 0.5, box: box),
            Detection(class: 0, confidence: 0.75, box: box),
          ]), SampleDetections(sample: samples[1].id, detections: []),
      ], in: run.id)
    let summary = try exported.export(run: "d")
    #expect((summary.predictions, summary.notPredicted) == (2, 1))
    let found = try exported.rows("predictions.parquet")
    #expect(found.map { $0["score"] } == [.number(0.75), .number(0.5)])
    #expect(found.map { $0["sample"] } == [0, 0] && found[0]["category"] == "glove")
    #expect(found[0]["height"] == .number(4) && found[0]["scores"] == .null)
    var other = ImportRequest(PackageFolder.fixture("parquet/masks").path)
    other.name = "other"
    _ = try DatasetImport(other).run(
      catalogPath: exported.folder.path("assay.db"), progress: NoProgress())
    #expect(throws: ExportError.self) {
      try ParquetExport(
        ExportScope("other", in: exported.catalog), catalog: exported.catalog, run: "d")
    }
  }
}
