import AssayCore
import AssayFormats
import Testing

@Suite("Shapes of CVAT")
struct CVATShapeTests {
  /// A shape that is left out, and the issue.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var kind: IssueKind
    var says: String

    init(_ shape: String, _ kind: IssueKind, _ says: String) {
      (testDescription, self.kind, self.says) = (shape, kind, says)
    }
  }

  private static func mask(_ rle: String, _ width: Int = 2, left: String = "0") -> String {
    "<mask label=\"a\" rle=\"\(rle)\" left=\"\(left)\" top=\"0\" width=\"\(width)\" height=\"2\"/>"
  }

  private static let cases = [
    Case("<box label=\"a\" xtl=\"0\" ytl=\"0\" xbr=\"1\"/>", .missingField, "no ybr"),
    Case("<box label=\"a\" xtl=\"q\" ytl=\"0\" xbr=\"1\" ybr=\"1\"/>", .badField, "xtl is 'q'"),
    Case("<polygon label=\"a\" points=\"1,1;2\"/>", .badField, "'2' is no point"),
    Case("<polygon label=\"a\" points=\"1,1;nan,2\"/>", .badField, "'nan,2' is no point"),
    Case("<polygon label=\"a\"/>", .badShape, "no points"),
    Case("<polygon label=\"a\" points=\"1,1;2,2\"/>", .badShape, "fewer than three points"),
    Case("<polyline label=\"a\" points=\"1,1\"/>", .badShape, "fewer than two points"),
    Case("<ellipse label=\"a\" cx=\"1\" cy=\"1\" rx=\"0\" ry=\"1\"/>", .badShape, "no area"),
    Case(mask("1, 2"), .badShape, "are 3 pixels, expected 2×2"),
    Case(mask("1, 9"), .badShape, "more than 2×2"), Case(mask("1, x"), .badField, "is 'x'"),
    Case(mask("1, -1"), .badField, "is '-1'"), Case(mask("4"), .badShape, "empty"),
    Case(mask("0, 4", left: "0.5"), .badField, "whole pixels"),
    Case(mask("0, 4", left: "9"), .badShape, "empty"), Case(mask("", 0), .badShape, "0×2 pixels"),
    Case(mask("", 9_999_999), .badShape, "the run lengths are 0 pixels"),
    Case(mask("", 60_000_000), .badField, "width is"),
    Case("<skeleton label=\"a\"/>", .badShape, "no visible points"),
    Case("<sphere label=\"a\"/>", .unsupportedField, "unknown element 'sphere'"),
  ]

  private func tree(_ shapes: String, size: String = "width=\"3\" height=\"2\"") -> MemoryTree {
    MemoryTree(texts: [
      "a.png": nil,
      "annotations.xml":
        "<annotations>\n<image id=\"0\" name=\"a.png\" \(size)>\n\(shapes)\n</image></annotations>",
    ])
  }

  @Test("A shape without a class is kept as unlabeled", arguments: ["", " label=\" \""])
  func unlabeled(label: String) throws {
    let box = "<box\(label) xtl=\"0\" ytl=\"0\" xbr=\"1\" ybr=\"1\"/>"
    let found = try CollectedShapes(tree(box), as: .cvat)
    #expect(found.shapes.map(\.label) == ["unlabeled"])
    #expect(found.places == ["missingLabel warning annotations.xml:3"] && found.isBalanced)
  }

  @Test("A shape with numbers that make none is left out", arguments: cases)
  func leftOut(shape: Case) throws {
    let good = "<box label=\"b\" xtl=\"0\" ytl=\"0\" xbr=\"1\" ybr=\"1\"/>"
    let found = try CollectedShapes(tree(good + "\n" + shape.testDescription), as: .cvat)
    #expect(found.shapes.map(\.label) == ["b"])
    #expect(found.places == ["\(shape.kind) error annotations.xml:4"])
    #expect(found.issues.first?.message.contains(shape.says) == true, "\(found.issues)")
    #expect(found.issues.first?.sampleKey == "a.png")
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 2)
  }

  @Test("Masks are placed in the image, and clipped at its edges")
  func masks() throws {
    let found = try CollectedShapes(
      tree(
        """
        <mask label="a" rle="0, 4" left="2" top="1" width="2" height="2"/>
        <mask label="a" rle="0, 4" left="-1" top="-1" width="2" height="2"/>
        <mask label="a" rle="0,1,1,2" left="1" top="0" width="2" height="2"/>
        """), as: .cvat)
    #expect(
      found.shapes.map(\.box) == [
        Box(x: 2, y: 1, width: 1, height: 1), Box(x: 0, y: 0, width: 1, height: 1),
        Box(x: 1, y: 0, width: 2, height: 2),
      ])
    #expect(found.shapes.map(\.area) == [1, 1, 3] && found.issues.isEmpty)
  }

  @Test("Exchanged corners, odd rotations and attributes that repeat CVAT's own are kept")
  func kept() throws {
    let found = try CollectedShapes(
      tree(
        """
        <box label="a" occluded="0" xtl="2" ytl="1" xbr="0" ybr="0" rotation="x">
        <attribute name="occluded">maybe</attribute><attribute>1</attribute>
        </box>
        """, size: ""), as: .cvat)
    #expect(found.shapes.map(\.box) == [Box(x: 0, y: 0, width: 2, height: 1)])
    #expect(
      found.shapes.map(\.attributes) == [#"{"occluded":0,"occluded (attribute)":"maybe"}"#])
    #expect(
      found.places == [
        "missingField warning annotations.xml:2", "badShape warning annotations.xml:3",
        "badField warning annotations.xml:3", "missingField warning annotations.xml:4",
      ])
    #expect(found.isBalanced)
  }

  @Test("A class that the task does not list is kept with an issue")
  func unknown() throws {
    let found = try CollectedShapes(
      MemoryTree(texts: [
        "a.png": nil,
        "annotations.xml": """
        <annotations><meta><task><labels><label><name>z</name></label></labels></task></meta>
        <image id="0" name="a.png" width="3" height="2"><points label="a" points="1,1"/>
        <points label="z" points="1,1"/></image></annotations>
        """,
      ]), as: .cvat)
    #expect(
      found.names == ["z", "a"] && found.places == ["unknownLabel warning annotations.xml:2"])
  }
}
