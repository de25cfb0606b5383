import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("Pascal VOC datasets")
struct VOCImporterTests {
  @Test("The challenge's folders: boxes from 1, parts, actions, masks of objects, splits of Main")
  func challenge() throws {
    let tree = FileTree(fixture: "voc/challenge")
    let detection = try FormatDetector.detect(tree)
    #expect(detection.format == .voc)
    #expect(
      detection.reason == "Annotations/1.xml is a Pascal VOC annotation of JPEGImages/1.png")
    let found = try CollectedShapes(tree, as: .voc)
    #expect(found.keys == (1...3).map { "JPEGImages/\($0).png" })
    #expect(found.splits == ["train", "val", "val"])
    #expect(found.names == ["cat", "dog", "head", "person", "void"])
    #expect(found.classes.map(\.isVoid) == [false, false, false, false, true])
    let first = found.samples[0].regions
    #expect(first.map(\.label) == ["person", "head", "cat", "void"])
    #expect(first.map(\.kind) == [.mask, .box, .mask, .mask])
    // Corners 3…10 and 2…11 are 8 columns and 10 rows; the mask has 6 × 8 pixels.
    #expect(first[0].box == Box(x: 2, y: 1, width: 8, height: 10) && first[0].area == 48)
    #expect(
      first[0].attributes
        == #"{"actions":{"jumping":1,"phoning":0},"difficult":0,"group":1,"occluded":1,"#
        + #""point":[4.0,5.0],"pose":"Frontal","truncated":0}"#)
    #expect(first[1].box == Box(x: 3, y: 1, width: 4, height: 4))
    #expect(first[1].attributes == #"{"group":1,"part_of":"person"}"#)
    #expect(first[2].box == Box(x: 11, y: 3, width: 7, height: 6) && first[2].area == 20)
    #expect(first[2].attributes == #"{"difficult":1}"#)
    // 8 × 10 - 48 and 7 × 6 - 20 pixels of the borders.
    #expect(first[3].area == 54 && !first[3].isCrowd)
    let second = found.samples[1].regions
    #expect(second.map(\.box) == [Box(x: 0, y: 0, width: 10, height: 10)])
    #expect(second[0].kind == .box && second[0].area == 100)
    #expect(second[0].attributes == #"{"truncated":1}"#)
    #expect(found.samples[2].regions.isEmpty)
    #expect(found.places == ["missingLabel warning JPEGImages/3.png"])
    #expect(
      found.issues[0].message == "1 image (JPEGImages/3.png) of split 'val' without an annotation; "
        + "imported as an image without objects")
    #expect(
      found.run.notes == [
        "the values of SegmentationClass are named as the 20 classes of Pascal VOC",
        "1 object is marked difficult (first Annotations/1.xml:8); the mark is kept and evaluation "
          + "counts them like others",
      ])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 5)
  }

  @Test("Roboflow: XML beside the images, edges moved by 1, folders as splits, polygons")
  func roboflow() throws {
    let found = try CollectedShapes(detecting: FileTree(fixture: "voc/roboflow"))
    #expect(found.keys == ["train/a_png.rf.1.png", "valid/b_png.rf.2.png"])
    #expect(found.splits == ["train", "valid"] && found.names == ["head", "helmet"])
    let shapes = found.shapes
    #expect(shapes.map(\.kind) == [.box, .polygon])
    #expect(shapes[0].box == Box(x: 0, y: 2, width: 10, height: 6))
    #expect(shapes[1].box == Box(x: 2, y: 1, width: 4, height: 4))
    #expect(shapes[1].points == [[2, 1, 6, 1, 6, 5]])
    #expect(found.issues.isEmpty && found.isBalanced)
    #expect(
      found.run.notes == [
        "the coordinates of 1 image are read as Roboflow writes them (train/a_png.rf.1.xml): "
          + "x = xmin - 1, width = xmax - xmin"
      ])
  }

  @Test("Datumaro: labelmap.txt gives classes and colors, coordinates are edges from 0")
  func datumaro() throws {
    let found = try CollectedShapes(detecting: FileTree(fixture: "voc/datumaro"))
    #expect(found.keys == ["JPEGImages/x/1.png", "JPEGImages/x/2.png"])
    #expect(found.splits == ["default", "default"])
    #expect(found.names == ["car", "tree", "ignored", "wheel"])
    #expect(
      found.samples.map(\.size) == Array(repeating: ImageSize(width: 10, height: 10), count: 2))
    let first = found.samples[0].regions
    #expect(first.map(\.label) == ["tree", "car", "wheel"])
    #expect(first[0].box == Box(x: 2, y: 2.5, width: 5, height: 3.5))
    #expect(first[0].attributes == #"{"kind":"oak","occluded":0,"rotation":0.0}"#)
    #expect(first[1].box == Box(x: 0, y: 0, width: 4, height: 2))
    #expect(first[2].box == Box(x: 0, y: 1, width: 1, height: 1))
    let second = found.samples[1].regions
    #expect(second.map(\.label) == ["car", "car", "tree", "ignored"])
    #expect(second.map(\.area) == [10, 10, 25, 1])
    #expect(second[1].box == Box(x: 2, y: 0, width: 2, height: 5))
    #expect(found.places == ["missingImage warning datumaro"])
    #expect(found.run.notes.count == 1 && found.run.notes[0].contains("because of labelmap.txt"))
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 7)
  }

  @Test(
    "Datumaro's tree with all tasks is imported",
    .outsideData("formats/voc_dataset/voc_dataset1", twin: "VOCImporterTests.challenge"))
  func realTasks() throws {
    let found = try CollectedShapes(
      detecting: FileTree(outside: "formats/voc_dataset/voc_dataset1"))
    #expect(found.keys == ["JPEGImages/2007_000001.jpg", "JPEGImages/2007_000002.jpg"])
    #expect(found.splits == ["train", "test"])
    let boxes = found.samples[0].regions.filter { $0.kind == .box }
    #expect(boxes.map(\.label) == ["cat", "person", "head"])
    #expect(boxes[0].box == Box(x: 0, y: 1, width: 3, height: 3))
    #expect(boxes[2].box == Box(x: 4.5, y: 5, width: 3, height: 3))
    let masks = found.samples[0].regions.filter { $0.kind == .mask }
    // The whole image has the color of value 2 and is one object, which is not the cat.
    #expect(masks.map(\.label) == ["bicycle"] && masks.map(\.area) == [200])
    #expect(found.kinds.contains(.unpairedMask))
    #expect(found.isBalanced)
  }

  @Test(
    "Datumaro's tree with a label map and without images is imported",
    .outsideData("formats/voc_dataset/voc_dataset2", twin: "VOCImporterTests.datumaro"))
  func realLabelMap() throws {
    let found = try CollectedShapes(
      detecting: FileTree(outside: "formats/voc_dataset/voc_dataset2"))
    #expect(found.keys == ["@", "a", "b", "c", "d"].map { "JPEGImages/\($0).jpg" })
    #expect(found.splits == Array(repeating: "trainval", count: 5))
    #expect(found.names == VOCNames.classes + ["ignored", "background"])
    let shapes = try #require(found.samples.first { $0.key == "JPEGImages/b.jpg" }).regions
    #expect(shapes.map(\.label) == ["aeroplane"])
    #expect(shapes[0].box == Box(x: 2, y: 2, width: 5, height: 4))
    #expect(found.isBalanced)
  }

  @Test(
    "Datumaro's tree with a comment in its list is imported; three datasets at once are refused",
    .outsideData("formats/voc_dataset", twin: "VOCImporterTests.challenge"))
  func realComment() throws {
    let found = try CollectedShapes(
      detecting: FileTree(outside: "formats/voc_dataset/voc_dataset3"))
    #expect(found.keys == ["JPEGImages/2007_000001.jpg"] && found.splits == ["train"])
    #expect(found.shapes.map(\.box) == [Box(x: 0, y: 1, width: 3, height: 3)])
    #expect(found.issues.isEmpty && found.run.notes.isEmpty && found.isBalanced)
    let error = #expect(throws: FormatError.self) {
      try FormatDetector.detect(FileTree(outside: "formats/voc_dataset"))
    }
    #expect("\(try #require(error))".contains("\n  voc_dataset2: Pascal VOC annotations"))
  }

  @Test("Any number of workers gives the same samples and issues")
  func workers() throws {
    var files: [String: [UInt8]] = [:]
    for number in 0..<200 {
      files["Annotations/\(number).xml"] = Array(
        VOCText.annotation(
          objects: (0..<(number % 4)).map {
            VOCText.object("c\(number % 7)", $0 - 1, 1, number % 30, 5)
          }
        ).utf8)
      if number % 5 > 0 { files["JPEGImages/\(number).png"] = DatasetLayout.png }
    }
    let tree = MemoryTree(folder: files)
    let one = try CollectedShapes(tree, as: .voc, .init(workers: 1))
    #expect(one.isBalanced && one.samples.count == 200 && !one.issues.isEmpty)
    for workers in [2, 5] {
      #expect(try CollectedShapes(tree, as: .voc, .init(workers: workers)) == one)
    }
  }

  @Test("Options that do not apply are refused, and a file is not a dataset")
  func options() throws {
    let tree = FileTree(fixture: "voc/roboflow")
    #expect(throws: FormatError.unusedOption("--size", format: .voc)) {
      try CollectedShapes(tree, as: .voc, .init(size: ImageSize(width: 1, height: 1)))
    }
    let file = MemoryTree(VOCText.annotation(objects: []), name: "a.xml")
    #expect(throws: FormatError.self) { try CollectedShapes(file, as: .voc) }
    #expect(throws: FormatError.self) { try FormatDetector.detect(file) }
    let empty = MemoryTree(folder: ["a.png": DatasetLayout.png])
    let error = #expect(throws: FormatError.self) { try CollectedShapes(empty, as: .voc) }
    #expect("\(try #require(error))".contains("no image has a Pascal VOC annotation"))
  }

  @Test("--classes gives the classes and their order; another one is left out")
  func classes() throws {
    let tree = FileTree(fixture: "voc/roboflow")
    let found = try CollectedShapes(tree, as: .voc, .init(classes: ["helmet", "hat"]))
    #expect(found.names == ["helmet", "hat"] && found.shapes.map(\.label) == ["helmet"])
    #expect(found.places == ["unknownLabel error train/a_png.rf.1.xml:8"])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 2)
  }
}
