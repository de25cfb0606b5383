import AssayCore
@testable import AssayFormats
import AssayTestSupport
import Testing

@Suite("VIA datasets")
struct VIAImporterTests {
  @Test("A project and a CSV: the same shapes; declared options are the order of the classes")
  func layouts() throws {
    let project = FileTree(fixture: "via/one")
    #expect(try FormatDetector.detect(project).format == .via)
    let found = try CollectedShapes(project, as: .via)
    #expect(found.keys == ["a.png", "b.png"] && found.isBalanced)
    #expect(found.names == ["eye", "line", "ball", "cat", "dog", "bird"])
    let shapes = found.samples[0].regions
    #expect(shapes.map(\.label) == ["dog", "cat", "ball", "ball", "line", "eye"])
    #expect(shapes.map(\.kind) == [.box, .polygon, .polygon, .polygon, .polyline, .points])
    #expect(shapes[0].box == Box(x: 2, y: 1, width: 8, height: 6) && shapes[0].attributes == nil)
    #expect(shapes[1].points == [[0, 0, 4, 0, 4, 4, 0, 4]] && shapes[1].area == 16)
    // 64 corners on the circle; the ellipse is turned by a quarter.
    #expect(shapes[2].box == Box(x: 6, y: 1, width: 8, height: 8))
    #expect(shapes[2].attributes == #"{"circle":[10.0,5.0,4.0]}"#)
    #expect(shapes[3].box == Box(x: 8, y: 1, width: 4, height: 8))
    #expect(shapes[3].attributes == #"{"ellipse":[10.0,5.0,4.0,2.0,90.0]}"#)
    #expect(shapes[4].points == [[0, 0, 5, 5, 9, 0]] && shapes[5].points == [[3, 4]])
    #expect(found.places.isEmpty && found.run.lists?.annotationsRead == 6)
    let table = FileTree(fixture: "via/table")
    #expect(try FormatDetector.detect(table).format == .via)
    let rows = try CollectedShapes(table, as: .via)
    #expect(rows.samples == found.samples && rows.places.isEmpty && rows.isBalanced)
    #expect(rows.names == ["ball", "cat", "dog", "eye", "line"])
    var fields: [String?] = []
    for tree in [project, table] {
      _ = try VIAImporter().run(tree, ImportOptions()) { fields += $0.samples.map(\.attributes) }
    }
    #expect(fields == [#"{"caption":"two animals"}"#, nil, #"{"caption":"two animals"}"#, nil])
  }

  @Test("Region data alone, and those of VIA 1, whose regions are an object")
  func alone() throws {
    let images = FileTree(fixture: "via/one")
    for name in ["regions.json", "first/via_region_data.json", "table/via_export_csv.csv"] {
      let tree = FileTree(fixture: "via/\(name)")
      #expect(try FormatDetector.detect(tree).format == .via, "\(name)")
      #expect(try VIAImporter().someImageNames(in: tree).first == "a.png")
      let found = try CollectedShapes(tree, as: .via, ImportOptions(images: images))
      #expect(Array(found.samples[0].regions.prefix(2).map(\.label)) == ["dog", "cat"], "\(name)")
      #expect(found.keys[0] == "a.png" && found.isBalanced)
    }
    let first = try CollectedShapes(detecting: FileTree(fixture: "via/first"))
    #expect(first.keys == ["a.png"] && first.shapes.count == 2 && first.places.isEmpty)
  }

  @Test("Of several attributes, the one whose values --classes names is the class")
  func choice() throws {
    let tree = FileTree(fixture: "via/project")
    let error = #expect(throws: FormatError.self) { try CollectedShapes(tree, as: .via) }
    let text = try #require(error?.description)
    #expect(text.contains("it has 2 region attributes"))
    #expect(text.contains("'kind' (cat, dog), 'quality' (frontal, good)"))
    #expect(text.contains("--classes 'cat,dog'"))
    let found = try CollectedShapes(tree, as: .via, ImportOptions(classes: ["dog", "cat"]))
    #expect(found.names == ["dog", "cat"] && found.shapes.map(\.label) == ["dog", "cat"])
    #expect(found.shapes[0].attributes == #"{"quality":{"good":true,"frontal":true}}"#)
    #expect(found.run.notes == ["the class is the region attribute 'kind'"])
    // A checkbox can have several values.
    let quality = try CollectedShapes(tree, as: .via, ImportOptions(classes: ["good", "frontal"]))
    #expect(quality.shapes.map(\.label) == ["good", "good"])
    #expect(quality.kinds == [.badField])
    #expect(throws: FormatError.self) {
      try CollectedShapes(tree, as: .via, ImportOptions(classes: ["dog"]))
    }
    #expect(throws: FormatError.self) {
      try CollectedShapes(tree, as: .via, ImportOptions(size: ImageSize(width: 1, height: 1)))
    }
  }

  private static func tree(_ regions: String, file: String = "{}") throws -> MemoryTree {
    try MemoryTree(
      pngs: ["a.png"],
      texts: [
        "x.json":
          #"{"a.png1": {"filename": "a.png", "size": 1, "regions": \#(regions), "file_attributes": \#(file)}}"#
      ])
  }

  private static let rect =
    #""shape_attributes": {"name": "rect", "x": 1, "y": 2, "width": 3, "height": 4}"#

  @Test("Without region attributes: --classes names the class, or the only file attribute")
  func noAttributes() throws {
    let bare = try Self.tree("[{\(Self.rect)}]")
    let error = #expect(throws: FormatError.self) { try CollectedShapes(bare, as: .via) }
    #expect(error?.description.contains("--classes NAME") == true)
    let named = try CollectedShapes(bare, as: .via, ImportOptions(classes: ["balloon"]))
    #expect(named.names == ["balloon"] && named.shapes.map(\.label) == ["balloon"])
    let file = try CollectedShapes(
      detecting: Self.tree("[{\(Self.rect)}]", file: #"{"animal": "cat"}"#))
    #expect(file.shapes.map(\.label) == ["cat"] && file.isBalanced)
    let label = try Self.tree("[]", file: #"{"animal": "cat"}"#)
    let found = try Collected(detecting: label)
    #expect(found.labels == ["cat"] && found.classes == ["cat"])
    let several = try Self.tree("[{\(Self.rect)}]", file: #"{"a": "x", "b": "y"}"#)
    #expect(throws: FormatError.self) { try CollectedShapes(several, as: .via) }
  }

  @Test(
    "Every region that cannot be read is an issue with its pointer",
    arguments: [
      ("3", "badField error", ""), ("{}", "badField error", "/shape_attributes"),
      (
        #"{"shape_attributes": {}, "region_attributes": 4}"#, "badField error", "/region_attributes"
      ),
      ("{\(rect)}", "missingLabel error", "/region_attributes"),
      (shape(#""name": "rect", "x": 1"#), "badField error", "/shape_attributes"),
      (
        shape(#""name": "rect", "x": NaN, "y": 1, "width": 1, "height": 1"#), "badShape error",
        "/shape_attributes"
      ),
      (shape(#""name": "rect", "x": 1, "y": 1, "width": -1, "height": 1"#), "badShape error", ""),
      (
        shape(#""name": "circle", "cx": 1, "cy": 1, "r": 0"#), "badShape error", "/shape_attributes"
      ),
      (
        shape(#""name": "polygon", "all_points_x": [1, 2], "all_points_y": [1]"#), "badField error",
        "/shape_attributes"
      ),
      (
        shape(#""name": "polygon", "all_points_x": ["1"], "all_points_y": [1]"#), "badField error",
        "/shape_attributes"
      ),
      (
        shape(#""name": "polygon", "all_points_x": [1, 2], "all_points_y": [1, 2]"#),
        "badShape error", ""
      ),
      (shape(#""name": "cube""#), "badShape error", "/shape_attributes/name"),
    ])
  func odd(region: String, kind: String, pointer: String) throws {
    let good = "{\(Self.rect), \"region_attributes\": {\"k\": \"a\"}}"
    let found = try CollectedShapes(detecting: Self.tree("[\(good), \(region)]"))
    #expect(found.places == ["\(kind) x.json#/a.png1/regions/1\(pointer)"])
    #expect(found.shapes.map(\.box) == [Box(x: 1, y: 2, width: 3, height: 4)] && found.isBalanced)
  }

  private static func shape(_ members: String) -> String {
    #"{"shape_attributes": {\#(members)}, "region_attributes": {"k": "a"}}"#
  }

  @Test("Rows of a CSV that cannot be read are issues with their line")
  func rows() throws {
    let header =
      "#filename,file_size,file_attributes,region_count,region_id,region_shape_attributes,region_attributes"
    let good =
      #"a.png,1,"{}",2,0,"{""name"":""point"",""cx"":1,""cy"":2}","{""k"":""a""}""#
    let rows = [
      header, good, #"a.png,1,"{}",2,1,"{""name"":""poi","{""k"":""a""}""#, "a.png,1", "",
      #",1,"{}",1,0,"{""name"":""point"",""cx"":1,""cy"":2}","{""k"":""a""}""#,
    ]
    let tree = try MemoryTree(pngs: ["a.png"], texts: ["x.csv": rows.joined(separator: "\r\n")])
    let found = try CollectedShapes(detecting: tree)
    #expect(found.keys == ["a.png"] && found.shapes.count == 1)
    #expect(
      found.places == [
        "badField error x.csv:3", "fieldCount error x.csv:4", "missingField error x.csv#/1",
      ])
    #expect(found.isBalanced)
  }

  @Test("Images without a list of regions, and names that leave the source, are left out")
  func images() throws {
    let text =
      #"{"1": {"filename": "a.png", "size": 1, "regions": [], "file_attributes": {}}, "#
      + #""2": {"filename": "../../b.png", "size": 1, "regions": []}, "3": {"filename": "b.png"}}"#
    let tree = try MemoryTree(pngs: ["a.png", "b.png"], texts: ["x.json": text])
    let found = try CollectedShapes(tree, as: .via)
    #expect(found.keys == ["a.png"])
    #expect(found.places.contains("missingField error x.json#/3"))
    let outside = try CollectedShapes(
      MemoryTree(folder: ["x.json": Array(text.replacing("\"b.png\"", with: "\"c.png\"").utf8)]),
      as: .via)
    #expect(outside.places.contains("outsideRoot error x.json#/2"))
  }

  @Test("A CSV beside the JSON is named")
  func companions() throws {
    let header =
      "filename,file_size,file_attributes,region_count,region_id,region_shape_attributes,region_attributes\n"
    let tree = try MemoryTree(
      pngs: ["a.png"],
      texts: [
        "x.json": #"{"1": {"filename": "a.png", "size": 1, "regions": [], "file_attributes": {}}}"#,
        "x.csv": header,
      ])
    let error = #expect(throws: FormatError.self) { try FormatDetector.detect(tree) }
    #expect(error?.description.contains("VIA annotations (CSV) (x.csv)") == true)
  }

  @Test("Only VIA's fixtures are taken")
  func others() throws {
    #expect(
      try ForeignFixtures.taken(by: VIAImporter()) == [
        "via/one", "via/project", "via/table", "via/first", "via/regions.json", "via/three",
      ])
  }

  @Test("Damaged files are imported in part or refused")
  func damage() throws {
    let run = try JSONDamage(
      format: .via, fixtures: ["via/one", "via/first", "via/table", "via/three"]
    )
    .run(seed: 36)
    #expect(run.imported > run.rounds / 8 && run.objects > run.rounds / 8)
  }
}
