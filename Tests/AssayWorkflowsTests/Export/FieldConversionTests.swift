import AssayCore
import AssayFormats
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Fields of images and rotated boxes on the way to a format")
struct FieldConversionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func convert(
    _ source: String, to format: ExportFormat, _ name: String, images: ImageTransfer = .copy
  ) throws -> ConversionSummary {
    var export = DatasetExportRequest(format)
    export.images = images
    var request = ConversionRequest(
      sources: [ImportRequest(source)], export: export, folder: folder.path(name))
    request.verifies = true
    return try DatasetConversion(request, version: "test").run(progress: NoProgress())
  }

  private func write(_ files: [String: String?]) throws {
    let png = try Data(contentsOf: PackageFolder.fixture("image-folder/classes/cat/1.png"))
    for (path, text) in files {
      let url = folder.url.appending(path: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try (text.map { Data($0.utf8) } ?? png).write(to: url)
    }
  }

  /// The fields of each image of a folder, in the order of the samples, and its annotations.
  private func content(_ source: String) throws -> (fields: [String], objects: [String]) {
    let database = folder.path(UUID().uuidString + ".db")
    var request = ImportRequest(source)
    request.name = "set"
    _ = try DatasetImport(request).run(catalogPath: database, progress: NoProgress())
    let catalog = try Catalog.open(database, .readOnly)
    let samples = try catalog.samples(in: catalog.resolve("set"))
    var fields = samples.map { _ in "" }
    try catalog.forEachFields(of: samples.map(\.id)) { place, found in
      fields[place] = JSONValue.object(found.sorted { $0.name < $1.name }).text()
    }
    var objects: [String] = []
    try catalog.forEachAnnotations(of: samples.map(\.id), regionsOnly: false) { _, list in
      for item in list { objects.append("\(item.shape.rawValue) \(item.attributes ?? "{}")") }
    }
    return (fields, objects)
  }

  /// Two images with a box each, one of them with fields.
  private func writeFields(_ fields: String, annotations: Bool = true) throws {
    let box =
      annotations
      ? #"{"id":0,"type":"bbox","attributes":{},"group":0,"label_id":0,"z_order":0,"bbox":[0,0,2,1]}"#
      : #"{"id":0,"type":"label","attributes":{},"group":0,"label_id":0}"#
    let items = [("1", fields), ("2", "{}")].map { id, fields in
      #"{"id":"\#(id)","annotations":[\#(box)],"attr":\#(fields),"image":{"path":"\#(id).png","size":[2,3]}}"#
    }.joined(separator: ",")
    try write([
      "set/annotations/train.json":
        #"{"info":{},"categories":{"label":{"labels":[{"name":"cat","parent":"","attributes":[]}]}},"#
        + #""items":[\#(items)]}"#,
      "set/images/train/1.png": nil, "set/images/train/2.png": nil,
    ])
  }

  @Test(
    "Numbers, texts, truth values and lists of images are kept",
    arguments: [ExportFormat.hfImageFolder, .webDataset], [true, false])
  func fields(format: ExportFormat, isOfBoxes: Bool) throws {
    let fields = #"{"checked":true,"gps":[1.5,-2],"n":3,"scene":{"of":"road"},"weather":"rain"}"#
    try writeFields(fields, annotations: isOfBoxes)
    let summary = try convert(folder.path("set"), to: format, "out")
    let verification = try #require(summary.export.verification)
    #expect(verification.lost == 0 && verification.differences.isEmpty)
    #expect(summary.export.survey.losses.counts[.imageFields] == nil)
    let found = try content(folder.path("out"))
    #expect(found.fields == [fields, ""])
    #expect(found.objects.count == (isOfBoxes ? 2 : 0))
  }

  @Test("Fields that Hugging Face reads as something else are announced and left out")
  func reserved() throws {
    try writeFields(#"{"file_name":"x","label":"y","depth_file_name":"z.png","none":null,"n":1}"#)
    let summary = try convert(folder.path("set"), to: .hfImageFolder, "out")
    #expect(summary.export.verification?.lost == 0)
    #expect(summary.export.survey.losses.counts[.imageFields] != nil)
    #expect(try content(folder.path("out")).fields == [#"{"n":1}"#, ""])
    let shards = try convert(folder.path("set"), to: .webDataset, "shards")
    #expect(shards.export.verification?.lost == 0)
    #expect(
      try content(folder.path("shards")).fields.first
        == #"{"depth_file_name":"z.png","file_name":"x","label":"y","n":1,"none":null}"#)
  }

  /// A task of CVAT with a rotated box, and one that is not.
  private func writeRotated(_ shapes: String) throws {
    try write([
      "task/annotations.xml": """
      <annotations><version>1.1</version><meta><task><labels><label><name>car</name><attributes/>
      </label></labels></task></meta>
      <image id="0" name="1.png" width="3" height="2">\(shapes)</image></annotations>
      """,
      "task/images/1.png": nil,
    ])
  }

  @Test("Rotated boxes are boxes with a rotation in CVAT's XML, with the degrees as they were")
  func rotated() throws {
    try writeRotated(
      """
      <box label="car" xtl="0.5" ytl="0.25" xbr="2.5" ybr="1.75" rotation="33.7" occluded="1"/>
      <box label="car" xtl="0" ytl="0" xbr="2" ybr="1" rotation="-90"/>
      <box label="car" xtl="0" ytl="0" xbr="1" ybr="1"/>
      """)
    let summary = try convert(folder.path("task"), to: .cvat, "out")
    let verification = try #require(summary.export.verification)
    #expect(verification.lost == 0 && verification.differences.isEmpty)
    #expect(summary.export.survey.losses.attributes["rotation"] == nil)
    let text = try String(
      contentsOf: folder.url.appending(path: "out/annotations.xml"), encoding: .utf8)
    #expect(text.contains("rotation=\"33.7\"") && text.contains("rotation=\"-90"))
    #expect(!text.contains("<polygon"))
    let (before, after) = (try content(folder.path("task")), try content(folder.path("out")))
    #expect(before.objects.filter { $0.contains("rotation") }.count == 2)
    #expect(after.objects.map { $0.prefix(3) } == before.objects.map { $0.prefix(3) })
  }

  @Test("Other polygons stay polygons, and a rotation that does not fit is announced")
  func others() throws {
    try writeRotated(
      """
      <polygon label="car" points="0,0;2,0;2,1;0,1"/>
      <polygon label="car" points="0,0;2,1;2,1.5;0,1"/>
      """)
    let summary = try convert(folder.path("task"), to: .cvat, "out")
    #expect(summary.export.verification?.lost == 0)
    let text = try String(
      contentsOf: folder.url.appending(path: "out/annotations.xml"), encoding: .utf8)
    #expect(text.split(separator: "<polygon").count == 3 && !text.contains("rotation"))
  }

  @Test("Cityscapes' images in class folders are read back, although they keep their names")
  func classFolders() throws {
    let summary = try convert(
      PackageFolder.fixture("cityscapes/official").path, to: .imageFolder, "out")
    #expect(summary.lost == 0 && summary.export.survey.losses.counts[.objects] == 20)
    #expect(summary.export.verification?.read.images == 6)
    // Without the manifest they look like images whose annotations are missing.
    try FileManager.default.removeItem(at: folder.url.appending(path: "out/manifest.json"))
    #expect(throws: (any Error).self) { try content(folder.path("out")) }
  }
}
