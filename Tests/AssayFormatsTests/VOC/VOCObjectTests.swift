import AssayCore
import AssayFormats
import Testing

@Suite("Objects of Pascal VOC")
struct VOCObjectTests {
  /// An object that is left out, and the issue.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var kind: IssueKind
    var says: String

    init(_ object: String, _ kind: IssueKind, _ says: String) {
      (testDescription, self.kind, self.says) = (object, kind, says)
    }
  }

  private static func box(_ corners: String) -> String {
    "<object><name>a</name><bndbox>\(corners)</bndbox></object>"
  }

  private static let cases = [
    Case("<object><name>a</name></object>", .missingField, "has no bndbox"),
    Case("<object><bndbox/></object>", .missingField, "object 2 has no name"),
    Case("<object><name> </name></object>", .missingField, "has no name"),
    Case(box("<xmin>1</xmin><ymin>1</ymin><xmax>2</xmax>"), .missingField, "no ymax"),
    Case(
      box("<xmin>x</xmin><ymin>1</ymin><xmax>2</xmax><ymax>2</ymax>"), .badField, "xmin is 'x'"),
    Case(
      box("<xmin>nan</xmin><ymin>1</ymin><xmax>2</xmax><ymax>2</ymax>"), .badField,
      "xmin is 'nan'"),
    Case(
      box("<xmin>1</xmin><ymin>1</ymin><xmax>1e99</xmax><ymax>2</ymax>"), .badField,
      "xmax is '1e99'"),
  ]

  @Test("An object without a class or a box is left out, with its place", arguments: cases)
  func leftOut(object: Case) throws {
    let tree = MemoryTree(voc: [VOCText.object("b", 1, 1, 2, 2), object.testDescription])
    let found = try CollectedShapes(tree, as: .voc)
    #expect(found.shapes.map(\.label) == ["b"])
    #expect(found.places == ["\(object.kind) error a.xml:4"])
    #expect(found.issues.first?.message.contains(object.says) == true, "\(found.issues)")
    #expect(found.issues.first?.sampleKey == "a.png")
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 2)
  }

  @Test("Fractions, exchanged corners and blanks are read; what is odd has an issue")
  func corners() throws {
    let tree = MemoryTree(voc: [
      Self.box("<xmin> 1.5\n</xmin><ymin>1</ymin><xmax>2.5</xmax><ymax>2</ymax>"),
      VOCText.object("a", 3, 2, 1, 1), VOCText.object("a", 1, 1, 9, 2),
      VOCText.object("a", 0, 1, 3, 2), VOCText.object("a", 0, 1, 3, 2),
    ])
    let found = try CollectedShapes(tree, as: .voc)
    #expect(
      found.shapes.map(\.box) == [
        Box(x: 0.5, y: 0, width: 2, height: 2), Box(x: 0, y: 0, width: 3, height: 2),
        Box(x: 0, y: 0, width: 9, height: 2), Box(x: -1, y: 0, width: 4, height: 2),
        Box(x: -1, y: 0, width: 4, height: 2),
      ])
    #expect(
      found.places == [
        "badShape warning a.xml:5", "duplicateID warning a.xml:8", "badShape warning a.xml:6",
        "badShape warning a.xml:7",
      ])
    #expect(found.issues[3].message.contains("2 boxes start before the first pixel"))
    #expect(found.isBalanced)
  }

  @Test("Further fields are kept with their names and types; unknown ones of images are reported")
  func attributes() throws {
    let object = VOCText.object(
      "a", 1, 1, 2, 2,
      more: "<pose>Left</pose><truncated>1</truncated><difficult>0</difficult><occluded/>"
        + "<score>0.25</score><id>007</id><tag>x</tag><tag>y</tag><distractor><a k=\"1\">2</a>"
        + "</distractor><attributes><attribute><name>wet</name><value>true</value></attribute>"
        + "<attribute><value>1</value></attribute></attributes>")
    let text = VOCText.annotation(objects: [object]).replacing(
      "<segmented>", with: "<weather>rain</weather><segmented>")
    let found = try CollectedShapes(MemoryTree(texts: ["a.png": nil, "a.xml": text]), as: .voc)
    #expect(
      found.shapes.map(\.attributes) == [
        ##"{"difficult":0,"distractor":{"a":{"k":1,"#text":2}},"id":"007","pose":"Left","##
          + ##""score":0.25,"tag":["x","y"],"truncated":1,"wet":true}"##
      ])
    #expect(found.places == ["missingField warning a.xml:3", "unsupportedField warning a.xml:2"])
    #expect(found.isBalanced)
  }

  @Test("Polygons of points and of numbered coordinates, and oriented boxes")
  func polygons() throws {
    let points = "<pt><x>1</x><y>1</y></pt><pt><x>3</x><y>1</y></pt><pt><x>3</x><y>3</y></pt>"
    let tree = MemoryTree(
      voc: [
        "<object><name>a</name><polygon>\(points)</polygon></object>",
        VOCText.object("a", 1, 1, 3, 2, more: "<polygon><x1>1</x1><y1>1</y1></polygon>"),
        "<object><name>a</name><polygon><x1>1</x1><y1>q</y1></polygon></object>",
        "<object><name>a</name><type>robndbox</type><robndbox><cx>4</cx><cy>4</cy><w>4</w><h>2</h>"
          + "<angle>1.5707963267948966</angle></robndbox></object>",
      ], size: nil)
    let found = try CollectedShapes(tree, as: .voc)
    #expect(found.shapes.map(\.kind) == [.polygon, .box, .polygon])
    #expect(found.shapes[0].points == [[0, 0, 2, 0, 2, 2]])
    let corners = try #require(found.shapes[2].points.first)
    let expected: [Double] = [5, 2, 5, 6, 3, 6, 3, 2]
    #expect(zip(corners, expected).allSatisfy { abs($0 - $1) < 1e-9 }, "\(corners)")
    #expect(found.shapes[2].attributes == #"{"rotation":90.0,"type":"robndbox"}"#)
    #expect(
      found.places == [
        "badShape warning a.xml:4", "badShape warning a.xml:5", "missingField error a.xml:5",
        "badShape warning a.xml:6",
      ])
    #expect(found.isBalanced)
  }

  @Test("A stated size that is wrong, missing or no size: the image's counts")
  func sizes() throws {
    let expected: [((Int, Int)?, [String])] = [
      ((3, 2), []), (nil, []), ((4, 2), ["imageSize warning a.png"]),
      ((0, 0), ["badField warning a.xml:2"]),
    ]
    for (size, places) in expected {
      let found = try CollectedShapes(
        MemoryTree(voc: [VOCText.object("a", 1, 1, 2, 2)], size: size), as: .voc)
      #expect(
        found.places == places && found.samples.map(\.size) == [ImageSize(width: 3, height: 2)])
    }
  }

  @Test("Broken XML, entities, another root and LabelMe's files leave the image out with the line")
  func broken() throws {
    let cases: [(String, String, Int)] = [
      ("<annotation>\n<object>", "no element found", 2),
      ("<annotation>\n<object></annotation>", "mismatched tag", 2),
      ("\n<!DOCTYPE a [<!ENTITY b \"c\">]><annotation>&b;</annotation>", "document type", 2),
      ("<annotation>&b;</annotation>", "undefined entity", 1),
      ("<html></html>", "its root is 'html'", 1),
      ("<annotation><object><deleted>0</deleted></object></annotation>", "no Pascal VOC", 1),
    ]
    for (text, says, line) in cases {
      let tree = MemoryTree(texts: [
        "a.png": nil, "a.xml": text, "b.png": nil,
        "b.xml": VOCText.annotation(objects: [VOCText.object("a", 1, 1, 2, 2)]),
      ])
      let found = try CollectedShapes(tree, as: .voc)
      #expect(found.keys == ["b.png"])
      #expect(found.places == ["unsupportedFile error a.xml:\(line)"], "\(found.issues)")
      #expect(found.issues[0].message.contains(says), "\(found.issues)")
      #expect(found.isBalanced && found.run.outcome.rejected == 1)
    }
  }
}
