import AssayCore
@testable import AssayFormats
import AssayTestSupport
import Testing

@Suite("VIA 3 projects")
struct VIAProjectTests {
  @Test("All shapes of images with their attributes; videos are named and left out")
  func project() throws {
    let tree = FileTree(fixture: "via/three")
    let detection = try FormatDetector.detect(tree)
    #expect(detection.format == .via && detection.reason.contains("is a VIA 3 project"))
    var fields: [String?] = []
    let found = try CollectedShapes(tree, as: .via)
    _ = try VIAImporter().run(tree, ImportOptions()) { fields += $0.samples.map(\.attributes) }
    #expect(found.keys == ["a.png", "b.png"] && found.isBalanced)
    #expect(fields == [#"{"caption":"two animals"}"#, nil])
    // The options of the attribute that the project shows as the label, with their ids.
    #expect(
      found.classes == [
        Category(name: "eye", sourceID: .text("0")), Category(name: "line", sourceID: .text("1")),
        Category(name: "ball", sourceID: .text("2")), Category(name: "cat", sourceID: .text("3")),
        Category(name: "dog", sourceID: .text("4")),
      ])
    #expect(found.run.notes.last == "the class is the region attribute 'kind'")
    let shapes = found.samples[0].regions
    #expect(
      shapes.map(\.label) == [
        "dog", "cat", "ball", "ball", "line", "line", "eye", "dog", "ball",
      ])
    #expect(
      shapes.map(\.kind) == [
        .box, .polygon, .polygon, .polygon, .polyline, .polyline, .points, .box, .polygon,
      ])
    #expect(shapes[0].box == Box(x: 2, y: 1, width: 8, height: 6))
    #expect(shapes[0].attributes == #"{"state":{"wet":true,"dirty":true}}"#)
    #expect(shapes[1].points == [[0, 0, 4, 0, 4, 4, 0, 4]])
    #expect(shapes[2].attributes == #"{"circle":[10.0,5.0,4.0]}"#)
    #expect(shapes[3].attributes == #"{"ellipse":[10.0,5.0,4.0,2.0,0.0]}"#)
    #expect(shapes[4].points == [[0, 0, 5, 5, 9, 0]] && shapes[5].points == [[0, 0, 5, 5]])
    #expect(shapes[6].points == [[3, 4]])
    // The box and the circle through the extreme points, which are kept.
    #expect(shapes[7].box == Box(x: 2, y: 1, width: 7, height: 7))
    #expect(
      shapes[7].attributes == #"{"extreme_points":[2.0,5.0,6.0,1.0,9.0,4.0,5.0,8.0]}"#)
    #expect(shapes[8].box == Box(x: 6, y: 1, width: 8, height: 8))
    #expect(
      shapes[8].attributes
        == #"{"circle":[10.0,5.0,4.0],"extreme_points":[6.0,5.0,10.0,1.0,14.0,5.0]}"#)
    #expect(found.places == ["unsupportedFile error via_project.json#/view/3"])
    #expect(found.run.lists?.annotationsRead == 11 && found.run.lists?.annotationsKept == 9)
  }

  @Test("A project alone with --images, and the name of a file in an address")
  func alone() throws {
    let tree = FileTree(fixture: "via/three/via_project.json")
    #expect(try FormatDetector.detect(tree).format == .via)
    #expect(try VIAImporter().someImageNames(in: tree) == ["a.png"])
    let images = FileTree(fixture: "via/three")
    let found = try CollectedShapes(tree, as: .via, ImportOptions(images: images))
    #expect(found.keys == ["a.png", "b.png"] && found.shapes.count == 9)
  }

  private static func tree(
    _ metadata: String,
    attributes: String = #""1": {"aname": "k", "anchor_id": "FILE1_Z0_XY1", "type": 1}"#,
    files: String = #""1": {"fid": 1, "fname": "a.png", "type": 2, "loc": 1, "src": ""}"#,
    views: String = #""1": {"fid_list": [1]}"#
  ) throws -> MemoryTree {
    try MemoryTree(
      pngs: ["a.png"],
      texts: [
        "x.json": #"{"project": {"pid": "x"}, "attribute": {\#(attributes)}, "file": {\#(files)}, "#
          + #""metadata": {\#(metadata)}, "view": {\#(views)}}"#
      ])
  }

  private static let good = #""1_a": {"vid": "1", "z": [], "xy": [1, 3, 4], "av": {"1": "p"}}"#

  @Test(
    "Every entry that cannot be read is an issue with its pointer",
    arguments: [
      ("3", "badField error", ""),
      (#"{"vid": "1", "z": [], "xy": [1, 3, 4]}"#, "badField error", ""),
      (entry("2, 1, 1"), "badField error", ""),
      (entry(#"2, 1, 1, "3", 4"#), "badField error", ""),
      (entry("2, 1, 1, NaN, 4"), "badShape error", ""),
      (entry("2, 1, 1, -3, 4"), "badShape error", ""),
      (entry("3, 1, 1, 0"), "badShape error", "/xy"),
      (entry("7, 1, 1, 2"), "badField error", ""),
      (entry("7, 1, 1, 2, 2"), "badShape error", ""),
      (entry("9, 0, 0, 1, 1, 2, 2"), "badShape error", ""),
      (entry("0, 1, 1"), "badShape error", ""), (entry(#""x""#), "badShape error", ""),
      (entry("10, 1, 1"), "badShape error", ""), (entry("1e300, 1, 1"), "badShape error", ""),
      (entry("1, 1, 1", z: "0.5"), "unsupportedField error", ""),
      (entry("", z: "0.5, 1"), "unsupportedField error", ""),
      (entry("1, 1, 1", av: ""), "missingLabel error", "/av"),
    ])
  func odd(entry: String, kind: String, pointer: String) throws {
    let found = try CollectedShapes(detecting: Self.tree(Self.good + #", "1_/b": \#(entry)"#))
    #expect(found.places == ["\(kind) x.json#/metadata/1_~1b\(pointer)"])
    #expect(found.shapes.map(\.points) == [[[3, 4]]] && found.isBalanced)
    #expect(found.run.lists?.annotationsRead == 2)
  }

  private static func entry(_ xy: String, z: String = "", av: String = #""1": "p""#) -> String {
    #"{"vid": "1", "flg": 0, "z": [\#(z)], "xy": [\#(xy)], "av": {\#(av)}}"#
  }

  @Test("Values of unknown attributes and options are kept, with a warning")
  func values() throws {
    let attributes =
      #""1": {"aname": "k", "anchor_id": "FILE1_Z0_XY1", "type": 4, "options": {"0": "cat"}}"#
    let metadata =
      #""1_a": {"vid": 1, "flg": 2, "z": [], "xy": [1, 3, 4], "av": {"1": "9", "7": "x"}}, "#
      + #""1_b": {"vid": 1, "z": [], "xy": [], "av": {"8": "y"}}"#
    let tree = try Self.tree(metadata, attributes: attributes)
    let found = try CollectedShapes(tree, as: .via, ImportOptions(classes: ["cat", "9"]))
    #expect(found.shapes.map(\.label) == ["9"])
    #expect(found.shapes[0].attributes == #"{"7":"x","flg":2}"#)
    #expect(
      found.places == [
        "badField warning x.json#/metadata/1_a/av", "badField warning x.json#/metadata/1_a/av",
        "badField warning x.json#/metadata/1_b/av",
      ])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 1)
  }

  @Test("Views of no file, of several, of missing ones, and metadata without a view are left out")
  func views() throws {
    let file = #""1": {"fid": 1, "fname": "a.png", "type": 2, "loc": 1, "src": ""}, "#
    let tree = try Self.tree(
      Self.good + #", "z_a": {"vid": "z", "z": [], "xy": [1, 3, 4], "av": {"1": "p"}}"#,
      files: file + #""2": {"type": 2}, "3": {"fname": "b.wav", "type": 8}"#,
      views: #""1": {"fid_list": ["1"]}, "2": {"fid_list": []}, "3": {"fid_list": [1, 2]}, "#
        + #""4": {"fid_list": [9]}, "5": {"fid_list": [2]}, "6": {"fid_list": [3]}"#)
    let found = try CollectedShapes(detecting: tree)
    #expect(found.keys == ["a.png"] && found.isBalanced)
    #expect(
      Set(found.places) == [
        "missingField error x.json#/view/2", "unsupportedField error x.json#/view/3",
        "missingField error x.json#/view/4", "missingField error x.json#/view/5",
        "unsupportedFile error x.json#/view/6", "missingField error x.json#/view/z",
      ])
  }

  @Test("An image inside the JSON is kept without a file")
  func inline() throws {
    let tree = try MemoryTree(
      folder: [
        "x.json": Array(
          (#"{"project": {}, "attribute": {}, "file": {"1": {"fname": "in.png", "type": 2, "loc": 4, "#
            + #""src": "data:image/png;base64,iVBORw0KGgo="}}, "metadata": {"1_a": {"vid": "1", "z": [], "#
            + #""xy": [2, 1, 1, 2, 2], "av": {}}}, "view": {"1": {"fid_list": ["1"]}}}"#).utf8)
      ])
    let found = try CollectedShapes(tree, as: .via, ImportOptions(classes: ["thing"]))
    #expect(found.keys == ["in.png"] && found.shapes.map(\.label) == ["thing"])
    #expect(found.places.contains("unsupportedField warning x.json#/file/1/src"))
  }

  @Test("A project beside annotations of VIA 2, and a broken one, are named")
  func beside() throws {
    let second = #"{"1": {"filename": "a.png", "size": 1, "regions": [], "file_attributes": {}}}"#
    let project = try Self.tree(Self.good)
    let text = try String(decoding: project.readAll("x.json", limit: 1 << 20), as: UTF8.self)
    let both = try MemoryTree(pngs: ["a.png"], texts: ["x.json": text, "y.json": second])
    let error = #expect(throws: FormatError.self) { try FormatDetector.detect(both) }
    #expect(error?.description.contains("VIA 3 annotations (x.json)") == true)
    let broken = MemoryTree(
      Array(text.replacing("\"av\": {", with: "\"av\" {").utf8), name: "x.json")
    #expect(throws: FormatError.self) { try CollectedShapes(broken, as: .via) }
  }
}
