import AssayCore
import AssayTestSupport
import Testing

@testable import AssayFormats

@Suite("Datasets of the LabelMe tool")
struct LabelMeXMLImporterTests {
  @Test("Polygons, boxes, masks, points and lines; parts and marks are kept, deleted objects not")
  func tool() throws {
    let tree = FileTree(fixture: "labelme/xml/tool")
    #expect(try FormatDetector.detect(tree).format == .labelMe)
    let found = try CollectedShapes(tree, as: .labelMe)
    #expect(found.keys == ["Images/set/a.png"] && found.splits == [nil])
    #expect(found.names == ["car", "lamp", "pane", "window", "wire"])
    let shapes = found.shapes
    #expect(shapes.map(\.label) == ["window", "pane", "car", "lamp", "wire"])
    #expect(shapes.map(\.kind) == [.polygon, .box, .mask, .points, .polyline])
    #expect(shapes[0].points == [[1, 1, 5, 1, 5, 4]])
    #expect(
      shapes[0].attributes
        == #"{"date":"1-Jan-2020","hasparts":[1],"occluded":0,"username":"ann","verified":0}"#)
    #expect(shapes[1].box == Box(x: 2, y: 2, width: 4, height: 3))
    #expect(
      shapes[1].attributes
        == #"{"attributes":"wet, old=1","date":"1-Jan-2020","ispartof":[0],"occluded":1,"#
        + #""username":"ann","verified":0}"#)
    #expect(shapes[2].box == Box(x: 3, y: 2, width: 4, height: 2) && shapes[2].area == 8)
    #expect(
      shapes[2].attributes?.hasPrefix(
        #"{"box":{"xmin":3,"ymin":2,"xmax":6,"ymax":3},"date":"1-Jan-2020""#) == true)
    #expect(shapes[2].attributes?.contains("a_scribble_2.png") == true)
    #expect(found.places == ["missingLabel error Images/set"])
    #expect(
      found.run.notes == [
        "1 image without annotations is left out",
        "2 annotations are lines or points; they are kept and not evaluated",
        "1 object is marked as deleted and not imported",
      ])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 5)
  }

  @Test(
    "Datumaro's tree is imported",
    .outsideData("formats/labelme_dataset", twin: "LabelMeXMLImporterTests.tool"))
  func real() throws {
    let found = try CollectedShapes(detecting: FileTree(outside: "formats/labelme_dataset"))
    #expect(found.keys == ["Images/subset1/img1.png"])
    #expect(found.names == ["b1", "hg", "license plate", "m1", "o1", "q1", "window"])
    let shapes = found.shapes
    #expect(
      shapes.map(\.kind) == [.polygon, .mask, .polygon, .polygon, .box, .mask, .polygon])
    #expect(shapes[0].box == Box(x: 43, y: 34, width: 2, height: 3))
    #expect(shapes[1].box == Box(x: 58, y: 67, width: 5, height: 2) && shapes[1].area == 10)
    #expect(shapes[4].box == Box(x: 13, y: 19, width: 10, height: 11))
    #expect(found.issues.isEmpty && found.isBalanced)
  }

  @Test("Objects that make no shape, masks that cannot be used, and broken files have issues")
  func odd() throws {
    func annotation(_ objects: String) -> String {
      "<annotation><filename>a.png</filename>\n"
        + objects.replacing("<o>", with: "<object><name>a</name><deleted>0</deleted>")
        + "</annotation>"
    }
    let tree = MemoryTree(texts: [
      "a.png": nil, "b.png": nil, "Masks/m.png": nil, "Masks/j.png": "x",
      "a.xml": annotation(
        """
        <o></object>
        <object><deleted>0</deleted><polygon/></object>
        <o><polygon/></object>
        <o><polygon><pt><x>1</x></pt></polygon></object>
        <o><segm></segm></object>
        <o><segm><mask>../m.png</mask></segm></object>
        <o><segm><mask>n.png</mask></segm></object>
        <o><segm><mask>j.png</mask></segm></object>
        <o><segm><mask>m.png</mask></segm></object>
        """),
      "b.xml": "<annotation>\n<object><deleted>", "c.xml": annotation("<o></object>"),
    ])
    let found = try CollectedShapes(tree, as: .labelMe)
    #expect(found.keys == ["a.png"] && found.shapes.count == 1)
    #expect(
      found.places == [
        "missingField error a.xml:2", "missingLabel error a.xml:3", "badShape error a.xml:4",
        "badField error a.xml:5", "missingField error a.xml:6", "outsideRoot error a.xml:7",
        "unpairedMask error a.xml:8", "unreadableImage error a.xml:9",
        "unsupportedFile error b.xml:2", "duplicateID error c.xml",
      ])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 10)
  }

  @Test("Other names of images, several datasets, options, and XML of other formats")
  func layout() throws {
    let xml = "<annotation><filename>x.png</filename><folder>f</folder><imagesize/></annotation>"
    let named = MemoryTree(texts: ["item_1.xml": xml, "f/x.png": nil])
    #expect(try CollectedShapes(detecting: named).keys == ["f/x.png"])
    let missing = MemoryTree(texts: ["Annotations/f/1.xml": xml])
    #expect(try CollectedShapes(detecting: missing).keys == ["Images/f/x.png"])
    let several = MemoryTree(texts: [
      "p/Annotations/x.xml": xml, "p/Images/x.png": nil, "q/Annotations/x.xml": xml,
      "q/Images/x.png": nil,
    ])
    #expect(throws: FormatError.self) { try FormatDetector.detect(several) }
    #expect(throws: FormatError.unusedOption("--classes", format: .labelMe)) {
      try CollectedShapes(named, as: .labelMe, .init(classes: ["a"]))
    }
    for name in ["voc/challenge", "cvat/images", "yolo/darknet", "image-folder/splits"] {
      #expect(try !LabelMeXMLImporter().probe(FileTree(fixture: name)).isMatch, "\(name)")
    }
    #expect(try !VOCImporter().probe(FileTree(fixture: "labelme/xml/tool")).isMatch)
  }
}
