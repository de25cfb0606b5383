import AssayCore
import AssayFormats
import AssayImaging
import Foundation
import Testing

import AssayWorkflows

@Suite("Export to masks")
struct MaskExportTests {
  private func exported(
    _ set: ExportCatalog, view: String = "set", to folder: String = "out",
    _ change: (inout MaskExportRequest) -> Void = { _ in }
  ) throws -> MaskExportSummary {
    var request = MaskExportRequest(view: view)
    change(&request)
    return try MaskExport(request, catalog: set.catalog, workers: 2).run(
      into: ExportFolder(set.path + "/" + folder, force: false))
  }

  private func mask(_ set: ExportCatalog, _ name: String) throws -> Raster<UInt8> {
    try AssayPNG.stored(set.bytes("out/masks/" + name))
  }

  /// One image of 6×4 with a large box of `a`, a small one of `b` inside, a crowd of `a`, and an
  /// additional image without annotations.
  private func boxes() throws -> ExportCatalog {
    let json = """
      {"images":[{"id":1,"file_name":"x.png","width":6,"height":4},
      {"id":2,"file_name":"y.png","width":2,"height":2}],
      "annotations":[
      {"id":2,"image_id":1,"category_id":2,"iscrowd":0,"area":2,"bbox":[1,1,2,1],
      "segmentation":[[1,1,3,1,3,2,1,2]]},
      {"id":1,"image_id":1,"category_id":1,"iscrowd":0,"area":12,"bbox":[0,0,4,3],
      "segmentation":[[0,0,4,0,4,3,0,3]]},
      {"id":3,"image_id":1,"category_id":1,"iscrowd":1,"area":4,"bbox":[5,0,1,4],
      "segmentation":{"size":[4,6],"counts":[20,4]}}],
      "categories":[{"id":1,"name":"a"},{"id":2,"name":"b"}]}
      """
    return try ExportCatalog(
      photos: ["x.png": (6, 4), "y.png": (2, 2)], texts: ["instances.json": json], format: "coco")
  }

  @Test("With one class a mask is the union of its regions, crowds too, in 0 and 255")
  func binary() throws {
    let set = try boxes()
    let summary = try exported(set) { $0.categories = ["a"] }
    #expect(summary.pairs.map(\.path) == ["x.png", "y.png"] && summary.empty == 1)
    // Columns 0–3 of rows 0–2, and the last column: 12 + 4 pixels.
    let row: [UInt8] = [255, 255, 255, 255, 0, 255]
    #expect(try mask(set, "x.png").elements == row + row + row + [0, 0, 0, 0, 0, 255])
    #expect(summary.pairs.map(\.painted) == [16, 0] && summary.covered == 0)
    #expect(try mask(set, "y.png").elements == [0, 0, 0, 0])
    #expect(try set.bytes("out/classes.txt") == Array("background\na\n".utf8))
    let image = try ImageCodec.decode(set.bytes("out/images/x.png"), as: .rgb8)
    #expect(try image == ImageCodec.decode(set.bytes("source/x.png"), as: .rgb8))
  }

  @Test("With all classes a mask holds their values, the smaller region on top")
  func index() throws {
    let set = try boxes()
    let summary = try exported(set)
    #expect(summary.classes == ["a", "b"] && !summary.isBinary)
    // Two pixels of a are under b.
    #expect(summary.covered == 2 && summary.overlapping == 1)
    #expect(
      try mask(set, "x.png").elements == [
        1, 1, 1, 1, 0, 1,
        1, 2, 2, 1, 0, 1,
        1, 1, 1, 1, 0, 1,
        0, 0, 0, 0, 0, 1,
      ])
    let chosen = try exported(set) { $0.categories = ["b", "a"] }
    #expect(chosen.classes == ["b", "a"])
    #expect(try mask(set, "x.png")[1, 1] == 1 && mask(set, "x.png")[0, 0] == 2)
  }

  @Test(
    "More than 254 classes make masks of 16 bits, resized by the same plan; the manifest says so")
  func wide() throws {
    let classes = (1...300).map { #"{"id":\#($0),"name":"c\#($0)"}"# }.joined(separator: ",")
    let json =
      #"{"images":[{"id":1,"file_name":"x.png","width":6,"height":4}],"annotations":["#
      + #"{"id":1,"image_id":1,"category_id":300,"iscrowd":0,"area":8,"bbox":[1,0,2,4]},"#
      + #"{"id":2,"image_id":1,"category_id":256,"iscrowd":0,"area":4,"bbox":[4,0,1,4]}],"#
      + #""categories":[\#(classes)]}"#
    let set = try ExportCatalog(
      photos: ["x.png": (6, 4)], texts: ["instances.json": json], format: "coco")
    func values() throws -> [UInt16] {
      try ImageCodec.decodeValues(set.bytes("out/masks/x.png")).elements
    }
    let summary = try exported(set)
    #expect(summary.depth.bits == 16 && summary.note?.contains("16 bits per value") == true)
    let row: [UInt16] = [0, 300, 300, 0, 256, 0]
    #expect(try values() == row + row + row + row)
    #expect(summary.pairs.map(\.painted) == [12])
    #expect(summary.manifest["bits"] == 16 && summary.manifest["values"]?["void"] == 65_535)
    _ = try exported(set) { $0.side = 2 }
    #expect(try values() == [300, 256, 300, 256])
    let few = try exported(set) { $0.categories = ["c300", "c256"] }
    #expect(few.depth.bits == 8 && few.note == nil && few.manifest["bits"] == nil)
    #expect(try mask(set, "x.png").elements.prefix(6) == [0, 1, 1, 0, 2, 0])
  }

  @Test("Squares are the center of image and mask, by one plan")
  func squares() throws {
    let set = try boxes()
    let summary = try exported(set) {
      $0.categories = ["a"]
      $0.side = 2
    }
    // The center square of 6×4 is columns 1–4; the pixels at the centers of its quarters are used:
    // columns 2 and 4, rows 1 and 3.
    #expect(try mask(set, "x.png").elements == [255, 0, 0, 0])
    #expect(summary.pairs[0].size == ImageSize(width: 2, height: 2))
    let source = try ImageCodec.decode(set.bytes("source/x.png"), as: .rgb8)
    let image = try ImageCodec.decode(set.bytes("out/images/x.png"), as: .rgb8)
    let mean = [(1, 0), (2, 0), (1, 1), (2, 1)].reduce(0) { $0 + Int(source[$1.0, $1.1, 0]) }
    #expect(abs(Double(image[0, 0, 0]) - Double(mean) / 4) <= 0.51)
    let stretched = try exported(set) {
      $0.categories = ["a"]
      $0.side = 2
      $0.crop = .none
    }
    #expect(stretched.request.crop == .none)
    // All six columns: centers at columns 1 and 4.
    #expect(try mask(set, "x.png").elements == [255, 0, 0, 0])
  }

  @Test("What is exported is imported again: the same regions of the same classes")
  func again() throws {
    let set = try ExportCatalog.odd()
    _ = try exported(set)
    let summary = try set.add(set.path + "/out", named: "again")
    #expect(summary.dataset.format == .masks && summary.dataset.issues == 0)
    let selection = try set.catalog.resolve("again")
    let names = try set.catalog.taxonomy(of: selection.dataset.id).names
    #expect(names == ["person", "traffic \"light\""])
    let samples = try set.catalog.samples(in: selection)
    #expect(
      samples.map(\.key) == [
        "images/train/a.png", "images/train/sub/b.png", "images/val/c.png", "images/val/empty.png",
      ])
    #expect(samples.map(\.split) == ["train", "train", "val", "val"])
    // In a second export, the masks have the same bytes.
    _ = try exported(set, view: "again", to: "out2")
    for name in ["train/a.png", "train/sub/b.png", "val/c.png", "val/empty.png"] {
      #expect(try set.bytes("out/masks/" + name) == set.bytes("out2/masks/images/" + name))
    }
  }

  @Test("An image that cannot be read is left out and told")
  func leftOut() throws {
    let set = try boxes()
    try Data([1, 2, 3]).write(to: set.folder.appending(path: "source/y.png"))
    let summary = try exported(set)
    #expect(summary.pairs.map(\.key) == ["x.png"] && summary.leftOut.map(\.key) == ["y.png"])
    #expect(try set.files("out").contains("masks/y.png") == false)
    let manifest = try JSONValue(
      parsing: String(decoding: set.bytes("out/manifest.json"), as: UTF8.self))
    #expect(manifest["left_out"]?.elements?.count == 1 && manifest["pairs"] == 1)
  }

  @Test("An unknown class is named with the nearest one")
  func unknownClass() throws {
    let set = try ExportCatalog.odd()
    let expected = ExportError.unknownCategory(
      "persom", dataset: "set", suggestion: "person", known: ["person", "traffic \"light\""])
    #expect(throws: expected) { try exported(set) { $0.categories = ["persom"] } }
    #expect(!FileManager.default.fileExists(atPath: set.path + "/out"))
  }

  @Test("A smaller export removes what the larger one left, and nothing else")
  func smaller() throws {
    let set = try ExportCatalog.odd()
    _ = try exported(set)
    try Data([1]).write(to: set.folder.appending(path: "out/notes.txt"))
    _ = try exported(set, view: "set/val")
    #expect(
      try set.files("out") == [
        "classes.txt", "images/val/c.png", "images/val/empty.png", "label_colors.txt",
        "manifest.json",
        "masks/val/c.png", "masks/val/empty.png", "notes.txt",
      ])
  }

  @Test("Folders that assay did not write, and sources, are not written into")
  func foreign() throws {
    let set = try boxes()
    try FileManager.default.createDirectory(
      atPath: set.path + "/mine", withIntermediateDirectories: true)
    #expect(try ExportFolder(set.path + "/mine", force: false).path.hasSuffix("mine"))
    try Data([1]).write(to: set.folder.appending(path: "mine/x"))
    #expect(throws: OutputError.foreign(path: set.path + "/mine")) {
      try ExportFolder(set.path + "/mine", force: false)
    }
    #expect(throws: OutputError.notAFolder(path: set.path + "/mine/x")) {
      try ExportFolder(set.path + "/mine/x", force: true)
    }
    let source = try ExportFolder(set.path + "/source", force: true)
    #expect(throws: OutputError.foreign(path: set.path + "/source")) {
      try MaskExport(MaskExportRequest(view: "set"), catalog: set.catalog).run(into: source)
    }
  }
}
