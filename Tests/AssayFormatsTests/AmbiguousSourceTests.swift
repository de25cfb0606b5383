import AssayCore
import AssayImaging
@testable import AssayFormats
import AssayTestSupport
import Testing

/// Sources that look like one thing and mean another: each is refused, or read as what it is.
@Suite("Sources that can mean two things")
struct AmbiguousSourceTests {
  private static func png(_ width: Int = 100, _ height: Int = 80) throws -> [UInt8] {
    try ImageCodec.encodePNG(
      Raster<UInt8>(repeating: 9, width: width, height: height, channels: 3))
  }

  /// What an import says: its error, or its notes, or nothing.
  private func answer(_ body: () throws -> FinishedImport) -> String {
    do {
      return try body().notes.joined(separator: "; ")
    } catch {
      return "refused: \(error)"
    }
  }

  @Test(
    "Masks whose values are no index are refused",
    arguments: [
      ("stray-gray", "0.png"), ("inverted-palette", "(255, 255, 255)"),
      ("other-palettes", "other masks"),
    ])
  func masks(name: String, says: String) {
    let tree = FileTree(fixture: "masks/odd/\(name)")
    let said = answer { try CollectedMasks(tree, as: .masks).run }
    #expect(said.hasPrefix("refused") && (said.contains(says) || name == "stray-gray"), "\(said)")
    if name == "stray-gray" {
      #expect(said.contains("it has the value 254, and 255 has 23 of 24 pixels"), "\(said)")
    }
  }

  @Test("Void beside classes, and colors on a transparent background, stay as they are")
  func usualMasks() throws {
    let index = try CollectedMasks(FileTree(fixture: "masks/odd/void-edges"), as: .masks)
    #expect(index.names == ["class 1", "class 2", "void"])
    let cut = try CollectedMasks(
      FileTree(fixture: "masks/odd/transparent-background"), as: .masks)
    #expect(cut.names == ["foreground"] && cut.areas("images/0.png") == ["foreground": 6])
  }

  @Test("A mask in the alpha channel is left out, with the reason")
  func alpha() throws {
    let found = try CollectedMasks(FileTree(fixture: "masks/odd/in-alpha"), as: .masks)
    #expect(found.samples.isEmpty && found.kinds == [.maskValue])
    #expect(found.issues[0].message.contains("alpha channel"))
  }

  @Test("Binary masks do not get CamVid's names")
  func camVid() throws {
    let image = try Self.png(3, 2)
    let mask = try ImageCodec.encodePNG(
      #require(Raster<UInt8>(width: 3, height: 2, elements: [0, 1, 1, 0, 0, 0])))
    let tree = MemoryTree(folder: [
      "images/0.png": image, "masks/0.png": mask,
      "train.txt": Array("images/0.png masks/0.png\n".utf8),
    ])
    let said = answer { try CollectedMasks(tree, as: .camVid).run }
    #expect(said.contains("as masks of one class, not CamVid's"), "\(said)")
    let more = try ImageCodec.encodePNG(
      #require(Raster<UInt8>(width: 3, height: 2, elements: [0, 1, 2, 3, 0, 0])))
    let classes = MemoryTree(folder: [
      "images/0.png": image, "masks/0.png": more,
      "train.txt": Array("images/0.png masks/0.png\n".utf8),
    ])
    #expect(answer { try CollectedMasks(classes, as: .camVid).run }.contains("have CamVid's names"))
  }

  @Test("A table's images in several folders: those of its split, or none")
  func tables() throws {
    let png = try Self.png()
    let images = MemoryTree(folder: [
      "test/0.png": png, "test/1.png": png, "train/0.png": png, "train/1.png": png,
    ])
    func said(_ name: String, _ text: String, _ format: DatasetFormat) -> (String, [String]) {
      var keys: [String] = []
      let said = answer {
        try Importers.importer(for: format).run(
          MemoryTree(text, name: name), ImportOptions(images: images)
        ) { keys += $0.samples.map(\.key) }
      }
      return (said, keys)
    }
    let labels = "image,label\n0.png,cat\n1.png,dog\n"
    #expect(said("train.csv", labels, .csv).1 == ["train/0.png", "train/1.png"])
    #expect(said("labels_test.csv", labels, .csv).1 == ["test/0.png", "test/1.png"])
    #expect(
      said("labels.csv", labels, .csv).0.contains(
        "images of these names are in test/ and in train/: name the folder with --images"))
    let columns = "image,cat,dog\n0.png,1,0\n1.png,1,1\n"
    #expect(said("train.csv", columns, .multiLabelCSV).1 == ["train/0.png", "train/1.png"])
    #expect(said("all.csv", columns, .multiLabelCSV).0.contains("name the folder with --images"))
  }

  @Test("Numbers in a column of images are no pixels, and of pixels they are")
  func numbers() throws {
    let names = MemoryTree("image,label\n1,cat\n2,dog\n3,cat\n", name: "labels.csv")
    #expect(
      answer { try Collected(names, as: .pixelCSV).run }.contains("can be the name of an image"))
    let pixels = MemoryTree("image,label\n1 2 3 4,cat\n2 2 3 4,dog\n", name: "labels.csv")
    #expect(try Collected(pixels, as: .pixelCSV).samples.count == 2)
  }

  @Test("Relative boxes and corners of an image folder are refused")
  func imageFolder() throws {
    func said(_ box: String) throws -> String {
      let line = #"{"file_name": "1.png", "objects": {"bbox": [\#(box)], "categories": ["cat"]}}"#
      let tree = MemoryTree(folder: [
        "1.png": try Self.png(), "metadata.jsonl": Array((line + "\n").utf8),
      ])
      return answer { try CollectedObjects(tree, as: .hfImageFolder).run }
    }
    #expect(try said("[0.1, 0.2, 0.3, 0.4]").contains("relative to the size"))
    #expect(try said("[50, 40, 90, 70]").contains("all fit as corners"))
    #expect(try !said("[10, 20, 30, 40]").contains("refused"))
  }

  @Test(
    "Rows of numbers after an image are not classes",
    arguments: [
      ("0 1 0 0\n1 0 0 1\n0 0 0 0", "probably one for each class"),
      ("10 20 30 40 1\n15 25 35 45 0\n7 8 9 10 3", "as boxes have"),
      ("3 3\n1 2\n4 5", "occurs twice"), ("3\n1 2\n4 5", ""),
    ])
  func lists(lines: String, says: String) throws {
    let png = try Self.png()
    let list = lines.split(separator: "\n").enumerated().map { "images/\($0).png \($1)\n" }
    let tree = MemoryTree(folder: [
      "images/0.png": png, "images/1.png": png, "images/2.png": png,
      "train.txt": Array(list.joined().utf8),
    ])
    let said = answer { try Collected(tree, as: .imageNet).run }
    #expect(
      said.hasPrefix("refused") == !says.isEmpty && (says.isEmpty || said.contains(says)), "\(said)"
    )
  }

  @Test("Numbers that reach the number of names and never 0 are refused")
  func fromOne() throws {
    let png = try Self.png()
    let tree = MemoryTree(folder: [
      "0.png": png, "1.png": png, "classes.txt": Array("cat\ndog\n".utf8),
      "train.txt": Array("0.png 1\n1.png 2\n".utf8),
    ])
    #expect(
      answer { try Collected(tree, as: .imageNet).run }.contains("which count from 0"))
  }

  @Test("Regions of another image of a Label Studio task are left out, with the reason")
  func labelStudio() throws {
    func region(_ label: String, _ target: String, _ further: String = "") -> String {
      """
      {"type": "rectanglelabels", "from_name": "label", "to_name": "\(target)"\(further),
       "original_width": 100, "original_height": 80,
       "value": {"x": 10, "y": 10, "width": 20, "height": 30, "rectanglelabels": ["\(label)"]}}
      """
    }
    func found(_ data: String, _ regions: [String]) throws -> CollectedObjects {
      let text =
        #"[{"id": 1, "data": {\#(data)}, "annotations": [{"id": 1, "result": ["#
        + regions.joined(separator: ",") + "]}]}]"
      return try CollectedObjects(
        MemoryTree(folder: [
          "a.png": try Self.png(), "b.png": try Self.png(), "p.json": Array(text.utf8),
        ]), as: .labelStudio)
    }
    let two = try found(
      #""image": "a.png", "image2": "b.png""#, [region("cat", "image"), region("dog", "image2")])
    #expect(two.samples[0].objects.map(\.label) == ["cat"])
    #expect(two.issues.contains { $0.message.contains("belongs to “image2” of the task") })
    let pages = try found(
      #""image": "a.png""#,
      [
        region("cat", "image", #", "item_index": 0"#),
        region("dog", "image", #", "item_index": 1"#),
      ])
    #expect(pages.samples[0].objects.map(\.label) == ["cat"])
    #expect(pages.issues.contains { $0.message.contains("page 2") })
    // The name of the only image need not be that of the data.
    #expect(try found(#""image": "a.png""#, [region("cat", "img-1")]).samples[0].objects.count == 1)
  }

  @Test("Boxes with keypoints are no polygons without kpt_shape; outlines are")
  func poses() throws {
    func said(_ lines: String) throws -> String {
      let tree = MemoryTree(folder: [
        "images/a.png": try Self.png(), "labels/a.txt": Array(lines.utf8),
        "classes.txt": Array("person\n".utf8),
      ])
      return answer { try CollectedObjects(tree, as: .yolo).run }
    }
    let pose = """
      0 0.5 0.5 0.2 0.25 0.45 0.45 0.55 0.45 0.5 0.55 0.5 0.6 0.52 0.61
      0 0.2 0.2 0.2 0.2 0.15 0.15 0.25 0.15 0.2 0.2 0.18 0.25 0.22 0.25

      """
    #expect(try said(pose).contains("kpt_shape: [5, 2]"))
    let outlines = """
      0 0.5 0.4 0.6 0.45 0.62 0.5 0.55 0.6 0.45 0.58 0.42 0.5
      0 0.7 0.7 0.8 0.7 0.8 0.8 0.75 0.85 0.7 0.8

      """
    #expect(try !said(outlines).contains("refused"))
  }

  @Test("A second bndbox of an object is an issue")
  func vocBoxes() throws {
    func box(_ start: Int) -> String {
      "<bndbox><xmin>\(start)</xmin><ymin>\(start)</ymin><xmax>\(start + 9)</xmax><ymax>\(start + 9)</ymax></bndbox>"
    }
    let text = """
      <annotation><filename>a.png</filename><size><width>100</width><height>80</height><depth>3</depth></size>
      <object><name>cat</name>\(box(1))\(box(51))</object></annotation>
      """
    let found = try CollectedObjects(
      MemoryTree(folder: ["a.png": try Self.png(), "a.xml": Array(text.utf8)]), as: .voc)
    #expect(found.samples[0].objects.count == 1)
    #expect(found.issues.contains { $0.message.contains("has 2 bndbox elements") })
  }
}
