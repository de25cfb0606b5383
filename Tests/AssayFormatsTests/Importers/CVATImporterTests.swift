import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("CVAT datasets")
struct CVATImporterTests {
  @Test("Images: every shape, attributes with their types, classes of the task in order")
  func images() throws {
    let tree = FileTree(fixture: "cvat/images")
    let detection = try FormatDetector.detect(tree)
    #expect(detection.format == .cvat)
    #expect(detection.reason == "annotations.xml holds CVAT annotations")
    let found = try CollectedShapes(tree, as: .cvat)
    #expect(found.keys == ["images/a.png", "images/b.png", "images/sub/c.png"])
    #expect(found.splits == [nil, nil, nil])
    #expect(found.samples[1].size == ImageSize(width: 30, height: 20))
    #expect(found.names == ["car", "tree", "person", "sunny"])
    let shapes = found.samples[0].regions
    #expect(
      shapes.map(\.kind) == [
        .box, .polygon, .polygon, .polyline, .points, .mask, .polygon, .polygon, .points,
      ])
    #expect(shapes[0].box == Box(x: 1, y: 2.5, width: 4, height: 1.5))
    #expect(
      shapes[0].attributes
        == #"{"doors":4,"occluded":1,"parked":true,"plate":"007","source":"manual","z_order":1}"#)
    // 4 × 2 pixels about (4, 3), turned by 90 degrees.
    let turned = try #require(shapes[1].points.first)
    #expect(zip(turned, [5, 1, 5, 5, 3, 5, 3, 1] as [Double]).allSatisfy { abs($0 - $1) < 1e-9 })
    #expect(shapes[1].attributes == #"{"occluded":0,"rotation":90.0,"z_order":0}"#)
    #expect(shapes[2].points == [[1, 1, 5, 1, 5, 5]])
    #expect(shapes[2].attributes == #"{"group_id":3,"occluded":0}"#)
    #expect(shapes[3].box == Box(x: 0, y: 0, width: 10, height: 5) && shapes[3].area == nil)
    #expect(shapes[4].box == Box(x: 1, y: 2, width: 2, height: 2))
    // Row 1: background, 2 pixels; row 2: background, 2 pixels; from column 3.
    #expect(shapes[5].box == Box(x: 4, y: 1, width: 2, height: 2) && shapes[5].area == 4)
    #expect(shapes[6].points.first?.count == 128)
    let ellipse = try #require(shapes[6].box)
    #expect(abs(ellipse.x - 6) < 1e-9 && abs(ellipse.width - 8) < 1e-9)
    #expect(abs(ellipse.y - 3) < 1e-9 && abs(ellipse.height - 4) < 1e-9)
    #expect(shapes[6].attributes == #"{"ellipse":[10.0,5.0,4.0,2.0],"occluded":0}"#)
    #expect(shapes[7].box == Box(x: 1, y: 1, width: 6, height: 5))
    #expect(shapes[7].points.first?.count == 12)
    #expect(shapes[8].box == Box(x: 4, y: 2, width: 0, height: 6))
    #expect(
      shapes[8].attributes
        == #"{"keypoints":[4.0,2.0,2,0,0,0,4.0,8.0,1],"num_keypoints":2,"source":"manual","#
        + #""z_order":0}"#)
    #expect(found.samples[2].regions.map(\.box) == [Box(x: 0, y: 0, width: 8, height: 8)])
    #expect(
      found.places == [
        "missingImage warning images/b.png", "unsupportedField warning annotations.xml:37",
      ])
    #expect(found.samples.compactMap(\.label) == ["sunny"])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 11)
    #expect(found.run.lists?.annotationsKept == 11)
  }

  @Test("Video: tracks by frame with the frames that exist; shapes outside are no annotations")
  func video() throws {
    let found = try CollectedShapes(detecting: FileTree(fixture: "cvat/video"))
    #expect(found.keys == ["images/frame_000010.png", "images/frame_000016.png"])
    #expect(found.samples.map(\.regions.count) == [2, 1])
    let first = found.samples[0].regions
    #expect(first[0].box == Box(x: 3, y: 4, width: 7, height: 1))
    #expect(
      first[0].attributes
        == #"{"frame":10,"keyframe":1,"occluded":1,"outside":0,"plate":"x","source":"manual","#
        + #""track":7,"z_order":0}"#)
    #expect(first[1].kind == .points && first[1].label == "person")
    #expect(
      first[1].attributes?.hasPrefix(
        #"{"frame":10,"keyframe":1,"keypoints":[4.5,2.0,2,0,0,0,5.0,8.0,1],"num_keypoints":2"#)
        == true)
    #expect(found.places == ["missingImage error annotations.xml:29"])
    #expect(found.issues[0].message.hasPrefix("1 shape is on 1 frame without an image"))
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 4)
  }

  @Test("A project: subsets are splits, and the same name in two subsets is two images")
  func project() throws {
    let found = try CollectedShapes(detecting: FileTree(fixture: "cvat/project"))
    #expect(found.keys == ["images/Test/a.png", "images/Train/a.png"])
    #expect(found.splits == ["Test", "Train"] && found.names == ["zebra", "cat"])
    #expect(found.shapes.map(\.label) == ["cat", "zebra"])
    #expect(found.issues.isEmpty && found.run.notes.isEmpty && found.isBalanced)
  }

  @Test("Any number of workers gives the same samples and issues")
  func workers() throws {
    var text = "<annotations><meta><task><labels/></task></meta>\n"
    for number in 0..<300 {
      text += "<image id=\"\(number)\" name=\"\(number % 250).png\" width=\"3\" height=\"2\">\n"
      for place in 0..<(number % 4) {
        text += "<box label=\"c\(number % 7)\" xtl=\"\(place)\" ytl=\"x\" xbr=\"2\" ybr=\"2\"/>\n"
        text += "<points label=\"c\(place)\" points=\"1,\(place)\"/>\n"
      }
      text += "</image>"
    }
    let tree = MemoryTree(texts: [
      "annotations.xml": text + "</annotations>", "1.png": nil, "images/2.png": nil,
    ])
    let one = try CollectedShapes(tree, as: .cvat, .init(workers: 1))
    #expect(one.isBalanced && one.samples.count == 250 && !one.shapes.isEmpty)
    for workers in [2, 5] {
      #expect(try CollectedShapes(tree, as: .cvat, .init(workers: workers)) == one)
    }
  }

  @Test("Options that do not apply are refused, and a file is not a dataset")
  func options() throws {
    let tree = FileTree(fixture: "cvat/project")
    #expect(throws: FormatError.unusedOption("--size", format: .cvat)) {
      try CollectedShapes(tree, as: .cvat, .init(size: ImageSize(width: 1, height: 1)))
    }
    #expect(throws: FormatError.unusedOption("--classes", format: .cvat)) {
      try CollectedShapes(tree, as: .cvat, .init(classes: ["a"]))
    }
    let file = MemoryTree("<annotations><meta/></annotations>", name: "annotations.xml")
    #expect(throws: FormatError.self) { try CollectedShapes(file, as: .cvat) }
    #expect(throws: FormatError.self) { try FormatDetector.detect(file) }
    #expect(throws: FormatError.self) {
      try CollectedShapes(MemoryTree(texts: ["a.png": nil]), as: .cvat)
    }
    let empty = MemoryTree(texts: ["annotations.xml": "<annotations><meta/></annotations>"])
    #expect(throws: FormatError.self) { try CollectedShapes(empty, as: .cvat) }
  }
}
