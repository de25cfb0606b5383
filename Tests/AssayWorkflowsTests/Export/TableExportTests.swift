import AssayCore
import AssayImaging
import AssayStore
import Foundation
import Testing

import AssayWorkflows

@Suite("Export to FER-2013's CSV and to folders")
struct TableExportTests {
  private typealias Sample = (key: String, split: String?, label: String?, pixels: [UInt8])

  private static func samples(_ catalog: Catalog, _ view: String) throws -> [Sample] {
    let selection = try catalog.resolve(view)
    let names = try catalog.taxonomy(of: selection.dataset.id).names
    let samples = try catalog.samples(in: selection)
    let rasters = try SampleImages(catalog: catalog, dataset: selection.dataset)
      .rasters(of: samples)
    return try zip(samples, rasters).map { sample, raster in
      (
        sample.key, sample.split, sample.category.map { names[$0] },
        try raster.get().elements
      )
    }
  }

  /// Imports the written files into the same catalog.
  private static func add(
    _ summary: TableExportSummary, to world: EvaluateCatalog, as name: String
  ) throws {
    var request = ImportRequest(summary.source)
    request.name = name
    request.classes = summary.namesForImport
    let imported = try DatasetImport(request).run(
      catalogPath: world.catalog.path, progress: NoProgress())
    #expect(imported.dataset.rejected == 0)
  }

  private func exported(
    _ world: EvaluateCatalog, _ kind: TableExportSummary.Kind, view: String = "faces"
  ) throws -> TableExportSummary {
    let folder = try ExportFolder(world.folder.path + "/out", force: false)
    let scope = try ExportScope(view, in: world.catalog)
    switch kind {
    case .fer: return try FERExport(scope, catalog: world.catalog, workers: 2).run(into: folder)
    case .folder:
      return try FolderExport(scope, catalog: world.catalog, workers: 2).run(into: folder)
    case .multiLabelCSV:
      return try MultiLabelExport(scope, catalog: world.catalog, workers: 2).run(into: folder)
    }
  }

  @Test(
    "What is written is read as what it was: pixels, labels, splits, in the same order",
    arguments: [TableExportSummary.Kind.fer, .folder],
    [["happy", "sad"], ["cat", "traffic light"], ["0", "1"], ["1", "0"]])
  func roundTrip(kind: TableExportSummary.Kind, classes: [String]) throws {
    let world = try EvaluateCatalog()
    let labels = (0..<150).map { $0 == 70 ? nil : classes[$0 % 3 % 2] }
    try world.importFaces(labels, classes: classes)
    let summary = try exported(world, kind)
    #expect(summary.count == 150 && summary.leftOut.isEmpty && summary.unlabeled == 1)
    var reading = TableExportCheck(of: summary, catalog: world.catalog)
    let found = try reading.run()
    #expect(found.differences == [] && found.samples == 150)
    try Self.add(summary, to: world, as: "again")
    let before = try Self.samples(world.catalog, "faces")
    var after = try Self.samples(world.catalog, "again")
    if kind == .folder {
      // By name, the classes come one after another; a file's name is that of its row.
      func row(_ sample: Sample) -> Int {
        Int(sample.key.split(separator: "/").last?.dropLast(4) ?? "") ?? -1
      }
      after.sort { row($0) < row($1) }
    }
    #expect(after.map(\.pixels) == before.map(\.pixels))
    #expect(after.map(\.label) == before.map(\.label))
    #expect(after.map(\.split) == before.map(\.split))
  }

  @Test("The manifest says which sample each row or file is")
  func manifest() throws {
    let world = try EvaluateCatalog()
    try world.importFaces(["happy", "sad", "happy", nil], classes: ["happy", "sad"])
    _ = try exported(world, .fer, view: "faces/test")
    let path = world.folder.path + "/out/manifest"
    let json = try JSONValue(parsing: String(contentsOfFile: path + ".json", encoding: .utf8))
    #expect(json["ground_truth"]?.text == "imported" && json["kind"]?.text == "fer")
    let samples = try #require(json["samples"]?.elements)
    #expect(samples.map { $0["key"]?.text } == ["2", "3"])
    #expect(samples[0]["row"] == 0 && samples[0]["label"]?.text == "happy")
    let hash = ContentHash.of(Array("gray8 2 2\n".utf8) + [2, 0, 128, 255])
    #expect(samples[0]["image_sha256"]?.text == hash)
    let table = try String(contentsOfFile: path + ".csv", encoding: .utf8).split(separator: "\n")
    #expect(table.count == 3)
    #expect(table[1] == "2,fer2013.csv,0,test,happy,,,,,,,,,,,,,,1.0,\(hash)")
  }

  @Test("The same view gives the same bytes, with any number of workers")
  func determinism() throws {
    let world = try EvaluateCatalog()
    try world.importFaces(
      (0..<100).map { ["a", "b"][$0 % 2] }, classes: ["a", "b"])
    let scope = try ExportScope("faces", in: world.catalog)
    var seen: Set<[UInt8]> = []
    for workers in [1, 3] {
      let path = world.folder.path + "/out\(workers)"
      _ = try FERExport(scope, catalog: world.catalog, workers: workers)
        .run(into: ExportFolder(path, force: false))
      var bytes: [UInt8] = []
      for name in ["fer2013.csv", "manifest.json", "manifest.csv"] {
        bytes += try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
      }
      seen.insert(bytes)
    }
    #expect(seen.count == 1)
  }

  @Test("Image files go into folders byte for byte, and a changed one is found when read back")
  func files() throws {
    let world = try EvaluateCatalog()
    for (index, name) in ["cat/a.png", "cat/b.png", "dog/a.png"].enumerated() {
      let url = world.folder.appending(path: "src/" + name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      let picture = Raster<UInt8>(
        repeating: UInt8(index), width: 3, height: 2, channels: index == 1 ? 3 : 1)
      try Data(ImageCodec.encodePNG(picture)).write(to: url)
    }
    var request = ImportRequest(world.folder.path + "/src:image-folder")
    request.name = "faces"
    _ = try DatasetImport(request).run(
      catalogPath: world.catalog.path, progress: NoProgress())
    let summary = try exported(world, .folder)
    #expect(summary.count == 3)
    for name in ["cat/a.png", "cat/b.png", "dog/a.png"] {
      #expect(
        try Data(contentsOf: world.folder.appending(path: "out/images/" + name))
          == Data(contentsOf: world.folder.appending(path: "src/" + name)))
    }
    try Data([1]).write(to: world.folder.appending(path: "out/images/dog/a.png"))
    var reading = TableExportCheck(of: summary, catalog: world.catalog)
    let found = try reading.run()
    #expect(found.differences.contains { $0.contains("sample dog/a.png is not read back") })
    // The color image cannot be a row of gray pixels.
    let rows = try exported(world, .fer)
    #expect(rows.count == 2 && rows.leftOut.map(\.key) == ["cat/b.png"])
    #expect(rows.leftOut[0].reason.contains("in color"))
    // 3 × 2 is not square: the import needs the size.
    var again = TableExportCheck(of: rows, catalog: world.catalog)
    #expect(try again.run().isIdentical)
  }

  @Test("A dataset without labels is refused, with what to do instead")
  func noLabels() throws {
    let world = try EvaluateCatalog()
    try world.importFaces([nil, nil], classes: ["a"])
    for kind in [TableExportSummary.Kind.fer, .folder] {
      #expect(throws: ExportError.noLabels(dataset: "faces")) { try exported(world, kind) }
    }
  }

  @Test("A second export into the folder takes away what the first one wrote")
  func again() throws {
    let world = try EvaluateCatalog()
    try world.importFaces(["a", "b", "a", "b"], classes: ["a", "b"])
    _ = try exported(world, .folder)
    _ = try exported(world, .fer, view: "faces/test")
    let left = try DirectoryTree(world.folder.path + "/out").files().map(\.path)
    #expect(left == ["fer2013.csv", "manifest.csv", "manifest.json"])
  }
}
