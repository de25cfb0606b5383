import AssayCore
import AssayFormats
import Testing

@Suite("Files and images of CVAT")
struct CVATLayoutTests {
  private func text(_ images: String, labels: [String] = ["a"], task: String = "") -> String {
    let list = labels.map { "<label><name>\($0)</name></label>" }.joined()
    return "<annotations><meta><task>\(task)<labels>\(list)</labels></task></meta>\n\(images)"
      + "</annotations>"
  }

  private func image(_ name: String, _ more: String = "") -> String {
    "<image id=\"0\" name=\"\(name)\" width=\"3\" height=\"2\" \(more)>"
      + "<box label=\"a\" xtl=\"0\" ytl=\"0\" xbr=\"1\" ybr=\"1\"/></image>\n"
  }

  @Test("Images are beside the file or in images/, also below subsets and under longer names")
  func places() throws {
    let tree = MemoryTree(texts: [
      "x/annotations.xml": text(
        image("1.png") + image("2.png") + image("3.png", "subset=\"val\"")
          + image("share/y/4.png") + image("../5.png") + image("/6.png") + image("7.png")),
      "x/1.png": nil, "x/images/2.png": nil, "x/images/val/3.png": nil, "x/images/y/4.png": nil,
      "x/images/5.png": nil, "x/images/8.png": nil,
    ])
    let found = try CollectedShapes(detecting: tree)
    #expect(
      found.keys == ["x/1.png", "x/images/2.png", "x/images/5.png", "x/images/6.png"]
        + ["x/images/7.png", "x/images/val/3.png", "x/images/y/4.png"])
    #expect(found.splits == [nil, nil, nil, nil, nil, "val", nil])
    #expect(
      found.places == [
        "outsideRoot warning x/annotations.xml:6", "outsideRoot warning x/annotations.xml:7",
        "missingLabel error x/images", "missingImage warning x/images/6.png",
        "missingImage warning x/images/7.png",
      ])
    #expect(found.isBalanced)
  }

  @Test("FiftyOne's data/ beside labels.xml")
  func fiftyOne() throws {
    let tree = MemoryTree(texts: ["labels.xml": text(image("1.png")), "data/1.png": nil])
    let found = try CollectedShapes(detecting: tree)
    #expect(found.keys == ["data/1.png"] && found.shapes.count == 1)
    #expect(found.issues.isEmpty)
  }

  @Test("An image in two jobs has the shapes of both; files are splits by name or subset")
  func jobs() throws {
    let twice = MemoryTree(texts: [
      "train.xml": text(image("1.png") + image("3.png")),
      "test.xml": text(image("1.png") + image("2.png")),
      "images/1.png": nil, "images/2.png": nil, "images/3.png": nil,
    ])
    let found = try CollectedShapes(detecting: twice)
    #expect(found.splits == ["test", "test", "train"] && found.shapes.count == 4)
    #expect(
      found.places == ["duplicateID warning train.xml:2", "duplicateID warning images/1.png"])
    let subset = MemoryTree(texts: [
      "annotations.xml": text(image("1.png"), task: "<id>5</id><subset>Val</subset>"), "1.png": nil,
    ])
    #expect(try CollectedShapes(detecting: subset).splits == ["Val"])
    #expect(found.isBalanced)
  }

  @Test("Tasks with the same classes are one dataset; others are refused with a list")
  func several() throws {
    func tree(_ labels: [String]) -> MemoryTree {
      MemoryTree(texts: [
        "t1/annotations.xml": text(image("1.png")), "t1/images/1.png": nil,
        "t2/annotations.xml": text(image("1.png"), labels: labels), "t2/images/1.png": nil,
      ])
    }
    #expect(try CollectedShapes(detecting: tree(["a"])).keys.count == 2)
    let error = #expect(throws: FormatError.self) { try FormatDetector.detect(tree(["b"])) }
    #expect(
      "\(try #require(error))".contains(
        "\n  t1: CVAT annotations (assay import PATH/t1)\n  t2: CVAT annotations (assay import PATH/t2)"
      ))
    let mixed = MemoryTree(texts: [
      "annotations.xml": text(image("1.png")), "images/1.png": nil,
      "more.json": #"{"shapes": [], "imagePath": "1.png"}"#,
    ])
    #expect(throws: FormatError.self) { try FormatDetector.detect(mixed) }
  }

  @Test("Frames without images are kept under CVAT's names; other names only by their number")
  func frames() throws {
    let track = """
      <track id="3" label="a"><box frame="0" outside="0" xtl="0" ytl="0" xbr="1" ybr="1"/>
      <box frame="1" outside="0" xtl="0" ytl="0" xbr="2" ybr="2"/><box frame="x" outside="0"/>
      <box frame="2" outside="1" xtl="0" ytl="0" xbr="1" ybr="1"/></track>
      """
    let alone = try CollectedShapes(
      detecting: MemoryTree(texts: ["annotations.xml": text(track)]))
    #expect(alone.keys == ["images/frame_000000.png", "images/frame_000001.png"])
    #expect(
      alone.places == ["badField error annotations.xml:3", "missingImage warning memory"])
    #expect(alone.isBalanced && alone.run.lists?.annotationsRead == 3)
    let named = try CollectedShapes(
      detecting: MemoryTree(texts: [
        "annotations.xml": text(track, task: "<size>2</size>"), "images/p.png": nil,
        "images/q.png": nil,
      ]))
    #expect(named.keys == ["images/p.png", "images/q.png"])
    #expect(named.shapes.map(\.box?.width) == [1, 2])
    #expect(named.run.notes.count == 1 && named.run.notes[0].contains("frame 0 is images/p.png"))
    let beside = try CollectedShapes(
      detecting: MemoryTree(texts: [
        "annotations.xml": text(image("p.png") + track), "images/p.png": nil,
      ]))
    #expect(beside.samples.map(\.regions.count) == [2])
    #expect(
      beside.places == ["badField error annotations.xml:4", "missingImage error annotations.xml:4"])
    #expect(beside.isBalanced)
  }

  @Test("A broken file is refused with its line; UTF-16 and Latin-1 are read")
  func broken() throws {
    let tree = MemoryTree(texts: [
      "annotations.xml": "<annotations>\n<meta/>\n<image id=\"0\" name=\"1.png\">\n", "1.png": nil,
    ])
    #expect(
      throws: FormatError.table(
        "annotations.xml", line: 4, problem: "invalid XML: no element found")
    ) { try CollectedShapes(tree, as: .cvat) }
    let content = text(image("é.png"))
    var wide: [UInt8] = [0xFF, 0xFE]
    for unit in ("<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n" + content).utf16 {
      wide += [UInt8(unit & 255), UInt8(unit >> 8)]
    }
    let latin =
      Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n".utf8)
      + content.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    for bytes in [wide, latin, Array(content.utf8)] {
      let found = try CollectedShapes(
        detecting: MemoryTree(folder: [
          "annotations.xml": bytes, "images/é.png": DatasetLayout.png,
        ]))
      #expect(found.keys == ["images/é.png"] && found.shapes.count == 1 && found.issues.isEmpty)
    }
  }

  @Test("XML of other formats is not CVAT's")
  func foreign() throws {
    for name in ["voc/challenge", "voc/roboflow", "yolo/darknet", "image-folder/splits"] {
      #expect(try !CVATImporter().probe(FileTree(fixture: name)).isMatch, "\(name)")
    }
    let other = MemoryTree(texts: ["a.png": nil, "a.xml": "<annotations><a/></annotations>"])
    #expect(try !CVATImporter().probe(other).isMatch)
    for name in ["cvat/images", "cvat/video", "cvat/project"] {
      #expect(try !VOCImporter().probe(FileTree(fixture: name)).isMatch)
    }
  }
}
