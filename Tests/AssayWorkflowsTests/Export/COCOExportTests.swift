import AssayCore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

@Suite("Export to COCO")
struct COCOExportTests {
  private func exported(
    _ set: ExportCatalog, view: String = "set", copies: Bool = false
  ) throws -> COCOExportSummary {
    let folder = try ExportFolder(set.path + "/out", force: false)
    return try COCOExport(catalog: set.catalog, view: view, copiesImages: copies, workers: 2)
      .run(into: folder)
  }

  private func verified(_ set: ExportCatalog, _ summary: COCOExportSummary) throws
    -> COCOVerification
  {
    var reading = COCOExportCheck(of: summary, catalog: set.catalog)
    return try reading.run()
  }

  @Test("What is written reads back as what it was: ids, crowds, holes, boxes, further fields")
  func identical() throws {
    let set = try ExportCatalog.odd()
    let summary = try exported(set)
    #expect(
      summary.files == ["annotations/instances_train.json", "annotations/instances_val.json"])
    #expect(summary.images == 4 && summary.annotations == 4 && summary.renumbered == 0)
    let found = try verified(set, summary)
    #expect(found.differences == [])
    #expect(found.images == 4 && found.annotations == 4 && found.crowds == 2)
    let text = String(
      decoding: try set.bytes("out/annotations/instances_train.json"), as: UTF8.self)
    #expect(text.contains("\"id\":9007199254740993") && text.contains("\"id\":\"x\\\\1\""))
    #expect(text.contains("\"area\":7.123456789012345,\"bbox\":[1,1,4.1,3.3]"))
    #expect(text.contains("[[1,1,5.05,1,5,4.3],[0,0,2,0,2,2,0,2]]"))
    #expect(text.contains("\"supercategory\":\"human\""))
  }

  @Test(
    "Every change of what was written is found",
    arguments: [
      ("\"area\":7.123456789012345", "\"area\":7.123456789012344", "area"),
      ("[1,1,4.1,3.3]", "[1,1,4.1,3.4]", "box"), ("5.05", "7.05", "pixels"),
      ("\"iscrowd\":1", "\"iscrowd\":0", "crowd"), ("\"x\\\\1\"", "\"x\\\\2\"", "id"),
      ("\"num_keypoints\":1", "\"num_keypoints\":2", "further fields"),
      ("\"subject\":\"s1\"", "\"subject\":\"s2\"", "image train/a.png: its further fields differ"),
      ("\"category_id\":90", "\"category_id\":0", "class"),
      ("\"width\":8", "\"width\":9", "its size differs"),
      ("train/sub/b.png", "train/sub/d.png", "is not in the file"),
    ])
  func differences(old: String, new: String, what: String) throws {
    let set = try ExportCatalog.odd()
    let summary = try exported(set)
    let name = "out/annotations/instances_train.json"
    let text = String(decoding: try set.bytes(name), as: UTF8.self)
    let range = try #require(text.range(of: old))
    try text.replacingCharacters(in: range, with: new).write(
      to: set.folder.appending(path: name), atomically: true, encoding: .utf8)
    let found = try verified(set, summary)
    #expect(!found.isIdentical)
    #expect(found.differences.contains { $0.contains(what) }, "\(found.differences)")
  }

  @Test("Attributes that are called like COCO's own fields are left out and counted")
  func reservedAttributes() throws {
    let attributes = ["area": "7", "id": "x", "color": "red"].map {
      "<attribute><name>\($0.key)</name><value>\($0.value)</value></attribute>"
    }
    let set = try ExportCatalog(
      photos: ["a.png": (8, 6)],
      texts: [
        "a.xml": """
        <annotation><filename>a.png</filename><size><width>8</width><height>6</height></size><object>
        <name>cat</name><attributes>\(attributes.joined())</attributes>
        <bndbox><xmin>1</xmin><ymin>1</ymin><xmax>4</xmax><ymax>4</ymax></bndbox></object></annotation>
        """
      ], format: "voc")
    let summary = try exported(set)
    #expect(summary.leftOutAttributes == 2)
    let text = String(
      decoding: try set.bytes("out/annotations/instances.json"), as: UTF8.self)
    #expect(text.contains("\"color\":\"red\"") && !text.contains("\"area\":7,"))
    #expect(!text.contains("\"id\":\"x\""))
    #expect(try verified(set, summary).differences == [])
  }

  @Test("With its images copied the folder is a data set of its own")
  func copies() throws {
    let set = try ExportCatalog.odd()
    let summary = try exported(set, copies: true)
    #expect(summary.copied == 4 && summary.leftOut.isEmpty)
    #expect(try set.bytes("out/train/sub/b.png") == set.bytes("source/train/sub/b.png"))
    let again = try set.add(set.path + "/out:coco", named: "again")
    #expect(again.dataset.samples == 4 && again.dataset.rejected == 0)
    let keys = try set.catalog.samples(in: set.catalog.resolve("again")).map(\.key)
    #expect(keys == (try set.catalog.samples(in: set.catalog.resolve("set")).map(\.key)))
  }

  @Test("An image that is gone is listed all the same, and told when it is to be copied")
  func missingImage() throws {
    let set = try ExportCatalog.odd()
    try FileManager.default.removeItem(at: set.folder.appending(path: "source/train/a.png"))
    #expect(try exported(set).leftOut.isEmpty)
    let summary = try exported(set, copies: true)
    #expect(summary.copied == 3 && summary.leftOut.map(\.key) == ["train/a.png"])
    #expect(try verified(set, summary).isIdentical)
  }

  @Test("A file that is not an image is not copied")
  func notAnImage() throws {
    let set = try ExportCatalog.odd()
    try Data("root:x:0:0".utf8).write(to: set.folder.appending(path: "source/train/a.png"))
    let summary = try exported(set, copies: true)
    #expect(summary.copied == 3 && summary.leftOut.map(\.key) == ["train/a.png"])
    #expect(!FileManager.default.fileExists(atPath: set.path + "/out/train/a.png"))
  }

  @Test("A part is one file, and the files of a larger export before are removed")
  func parts() throws {
    let set = try ExportCatalog.odd()
    _ = try exported(set)
    let summary = try exported(set, view: "set/val")
    #expect(summary.images == 2 && summary.annotations == 1)
    #expect(try set.files("out") == ["annotations/instances_val.json"])
    #expect(try verified(set, summary).isIdentical)
  }

  @Test("Annotations and images without ids are numbered, and the same view gives the same bytes")
  func numbering() throws {
    let photo = (width: 4, height: 2)
    let set = try ExportCatalog(
      photos: ["images/a.png": photo, "images/b.png": photo, "masks/a.png": photo], texts: [:],
      format: "image-folder", ignoresCompanions: true)
    // Masks of photographs, made by hand below from the same images.
    let mask = Raster<UInt8>(width: 4, height: 2, elements: [0, 255, 255, 0, 255, 0, 0, 0])
    for name in ["a", "b"] {
      let bytes = try AssayPNG.bytes(try #require(mask))
      try Data(bytes).write(to: set.folder.appending(path: "source/masks/\(name).png"))
    }
    _ = try set.add(set.path + "/source:masks", named: "pairs")
    let summary = try exported(set, view: "pairs")
    #expect(summary.renumbered == 3 && summary.annotations == 2)
    #expect(try verified(set, summary).isIdentical)
    let first = try set.bytes("out/annotations/instances.json")
    _ = try exported(set, view: "pairs")
    #expect(try set.bytes("out/annotations/instances.json") == first)
    let value = try JSONValue(parsing: String(decoding: first, as: UTF8.self))
    #expect(value["images"]?.elements?.compactMap { $0["id"]?.double } == [1, 2])
    #expect(value["annotations"]?.elements?.compactMap { $0["id"]?.double } == [1, 2])
  }

  @Test("A set of labels alone is refused")
  func labels() throws {
    let set = try StatsCatalog(
      [.init(category: 0, raster: Raster(repeating: 1, width: 2, height: 2))], classes: ["cat"])
    let folder = try ExportFolder(set.folder.path + "/out", force: false)
    #expect(throws: ExportError.noFiles(dataset: "set")) {
      try COCOExport(catalog: set.catalog, view: "set").run(into: folder)
    }
  }

  @Test(
    "The real mini set reads back identical",
    .outsideData("coco/mini", twin: "COCOExportTests.identical"))
  func mini() throws {
    let set = try ExportCatalog.odd()
    _ = try set.add(OutsideFiles.path("coco/mini") + ":coco", named: "mini")
    let found = try verified(set, exported(set, view: "mini"))
    #expect(found.isIdentical && found.annotations == 624 && found.images == 79)
  }
}
