import AssayCore
@testable import AssayFormats
import AssayTestSupport
import Testing

@Suite("Supervisely projects")
struct SuperviselyImporterTests {
  @Test("A project: all shapes, tags, classes of meta.json, splits of folders")
  func project() throws {
    let tree = FileTree(fixture: "supervisely/project")
    #expect(try FormatDetector.detect(tree).format == .supervisely)
    let found = try CollectedShapes(tree, as: .supervisely)
    #expect(
      found.keys == ["train/img/a.png", "val/img/b.png"] && found.splits == ["train", "val"])
    #expect(found.names == ["sky", "cat", "dog", "ring", "lane", "eye", "person", "bird"])
    let shapes = found.samples[0].regions
    #expect(
      shapes.map(\.kind) == [.box, .polygon, .mask, .mask, .mask, .polyline, .points, .points])
    // Both corners are inside: 9 - 2 + 1 wide, 6 - 1 + 1 high.
    #expect(shapes[0].box == Box(x: 2, y: 1, width: 8, height: 6))
    #expect(shapes[0].attributes == #"{"age":3,"labelerLogin":"me","wet":true}"#)
    #expect(shapes[1].points == [[0, 0, 4, 0, 4, 4, 0, 4]] && shapes[1].area == 16)
    #expect(shapes[2].area == 36 - 4 && shapes[2].box == Box(x: 10, y: 0, width: 6, height: 6))
    #expect(shapes[2].attributes?.contains(#""interior":[[[12,2]"#) == true)
    #expect(shapes[3].area == 7 && shapes[3].box == Box(x: 5, y: 6, width: 3, height: 3))
    #expect(shapes[4].area == 21)
    #expect(shapes[4].box == Box(x: 12, y: 4, width: 5, height: 6))
    #expect(shapes[5].points == [[0, 9, 5, 5, 9, 9]] && shapes[6].points == [[3, 4]])
    #expect(shapes[7].points == [[1, 2, 3, 4]])
    #expect(shapes[7].attributes?.contains(#""disabled":true"#) == true)
    #expect(found.places.isEmpty && found.isBalanced && found.run.lists?.annotationsRead == 8)
    var fields: [String?] = []
    _ = try SuperviselyImporter().run(tree, ImportOptions()) {
      fields += $0.samples.map(\.attributes)
    }
    #expect(fields == [#"{"city":"Ulm","night":true}"#, nil])
  }

  @Test("The objects of a missing image do not land on another image of the same name")
  func missing() throws {
    func file(_ right: Int) -> String {
      #"{"size": {"width": 20, "height": 10}, "tags": [], "objects": [{"classTitle": "a", "#
        + #""geometryType": "rectangle", "points": {"exterior": [[1, 1], [\#(right), 3]]}}]}"#
    }
    let found = try CollectedShapes(
      detecting: MemoryTree(
        pngs: ["jan/img/a.png"],
        texts: ["feb/ann/a.png.json": file(8), "jan/ann/a.png.json": file(4)]))
    #expect(found.samples.map(\.regions.count) == [1] && found.keys == ["jan/img/a.png"])
    #expect(found.shapes[0].box == Box(x: 1, y: 1, width: 4, height: 3))
    #expect(found.places == ["missingImage error feb/ann/a.png.json"])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 2)
  }

  @Test("Older files: names without the image's suffix, shapes without a type")
  func older() throws {
    let found = try CollectedShapes(detecting: FileTree(fixture: "supervisely/older"))
    #expect(found.keys == ["ds/img/a.png"] && found.shapes.map(\.kind) == [.polygon, .mask])
    #expect(found.names == ["cat", "sky"] && found.places.isEmpty && found.shapes[1].area == 4)
  }

  private static func tree(_ objects: String, more: String = "", meta: String? = nil) throws
    -> MemoryTree
  {
    var texts = [
      "ds/ann/a.png.json":
        #"{"size": {"width": 20, "height": 10}, "tags": [], "objects": \#(objects)\#(more)}"#
    ]
    texts["meta.json"] = meta
    return try MemoryTree(pngs: ["ds/img/a.png"], texts: texts)
  }

  private static func object(_ kind: String, _ members: String) -> String {
    #"{"classTitle": "a", "geometryType": "\#(kind)", \#(members)}"#
  }

  private static func bitmap(_ bytes: [UInt8], origin: String = "[0, 0]") -> String {
    object("bitmap", #""bitmap": {"data": "\#(Base64.text(of: bytes))", "origin": \#(origin)}"#)
  }

  @Test(
    "Every object that cannot be read is an issue with its pointer",
    arguments: [
      ("3", "badField error", ""), (#"{"geometryType": "point"}"#, "missingLabel error", ""),
      (object("cuboid", #""points": {}"#), "unsupportedField error", ""),
      (#"{"classTitle": "a"}"#, "unsupportedField error", ""),
      (object("point", #""points": {}"#), "badField error", "/points"),
      (object("point", #""points": {"exterior": [[NaN, 1]]}"#), "badShape error", ""),
      (object("rectangle", #""points": {"exterior": [[1, 1]]}"#), "badShape error", "/points"),
      (object("polygon", #""points": {"exterior": [[1, 1], [2, 2]]}"#), "badShape error", ""),
      (
        object(
          "polygon", #""points": {"exterior": [[1, 1], [5, 1], [5, 5]], "interior": [[[1, 2]]]}"#),
        "badShape error", "/points/interior"
      ),
      (object("graph", #""nodes": {"a": {}}"#), "badField error", "/nodes"),
      (object("bitmap", #""bitmap": {}"#), "missingField error", "/bitmap"),
      (bitmap([1, 2], origin: "[1]"), "badField error", "/bitmap"),
      (bitmap([1, 2]), "badShape error", "/bitmap"),
      (bitmap([0x89, 0x50, 0x4E, 0x47]), "badShape error", "/bitmap"),
    ])
  func odd(object: String, kind: String, pointer: String) throws {
    let good = Self.object("rectangle", #""points": {"exterior": [[4, 5], [1, 2]]}"#)
    let found = try CollectedShapes(detecting: Self.tree("[\(good), \(object)]"))
    #expect(found.places == ["\(kind) ds/ann/a.png.json#/objects/1\(pointer)"])
    #expect(found.shapes.map(\.box) == [Box(x: 1, y: 2, width: 4, height: 4)] && found.isBalanced)
  }

  @Test("Classes that meta.json lacks, odd tags, and a missing list of objects")
  func kept() throws {
    let point =
      #"{"classTitle": "b", "geometryType": "point", "tags": [3, {"name": "t"}, {"name": "t", "value": 1}], "#
      + #""points": {"exterior": [[1, 1]]}}"#
    let meta = #"{"classes": [{"title": "a", "shape": "point"}]}"#
    let found = try CollectedShapes(detecting: Self.tree("[\(point)]", meta: meta))
    #expect(found.names == ["a", "b"] && found.shapes[0].attributes == #"{"t":[true,1]}"#)
    #expect(
      found.places == [
        "badField warning ds/ann/a.png.json#/objects/0/tags/0",
        "unknownLabel warning ds/ann/a.png.json#/objects/0/classTitle",
      ])
    let none = try CollectedShapes(detecting: Self.tree("{}"))
    #expect(none.keys.isEmpty && none.places == ["badField error ds/ann/a.png.json#/objects"])
  }

  @Test("Compressed data are never unpacked beyond their limit")
  func limits() throws {
    // zlib of 1,000 zeros, by Python's zlib.compress.
    let packed: [UInt8] = [
      0x78, 0x9C, 0x63, 0x60, 0x18, 0x05, 0xA3, 0x60, 0x14, 0x0C, 0x77, 0x00, 0x00, 0x03, 0xE8,
      0x00, 0x01,
    ]
    #expect(ZlibBytes.inflate(packed, limit: 1000) == [UInt8](repeating: 0, count: 1000))
    #expect(ZlibBytes.inflate(packed, limit: 999) == nil)
    for count in 0..<packed.count {
      #expect(ZlibBytes.inflate(Array(packed[..<count]), limit: 1000) == nil)
    }
  }

  @Test("Only Supervisely's fixtures are taken")
  func others() throws {
    #expect(
      try ForeignFixtures.taken(by: SuperviselyImporter()) == [
        "supervisely/project", "supervisely/older",
      ])
  }

  @Test("Damaged files are imported in part or refused")
  func damage() throws {
    let run = try JSONDamage(
      format: .supervisely, fixtures: ["supervisely/project", "supervisely/older"]
    ).run(seed: 37)
    #expect(run.imported > run.rounds / 8 && run.objects > run.rounds / 8)
  }
}
