import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("Open Images")
struct OpenImagesImporterTests {
  @Test("Verified labels of images alone are a dataset; what is absent is no label")
  func labelsAlone() throws {
    let tree = MemoryTree(
      texts: [
        "a1.png": nil, "b2.png": nil,
        "class-descriptions.csv": "LabelName,DisplayName\n/m/1,Cat\n/m/2,Dog\n",
        "train-annotations-human-imagelabels.csv":
          "ImageID,Source,LabelName,Confidence\na1,verification,/m/1,1\na1,verification,/m/2,0\n"
          + "b2,verification,/m/1,1\nb2,verification,/m/2,1\n",
      ])
    #expect(try FormatDetector.detect(tree).format == .openImages)
    let found = try CollectedObjects(detecting: tree)
    #expect(found.keys == ["a1.png", "b2.png"] && found.splits == ["train", "train"])
    #expect(found.objects.map(\.label) == ["Cat", "Cat", "Dog"])
    #expect(found.names.contains("Cat") && found.isBalanced)
  }

  private let v6 = FileTree(fixture: "openimages/v6")

  @Test("The tree is recognized by the headers of its tables, and trees of other formats are not")
  func detection() throws {
    let detection = try FormatDetector.detect(v6)
    #expect(detection.format == .openImages)
    #expect(detection.reason == "oidv6-train-annotations-bbox.csv holds Open Images' boxes")
    #expect(
      try FormatFixtures.taken(by: OpenImagesImporter()) == ["openimages/v6", "openimages/v5"])
    let table = FileTree(fixture: "openimages/v6/validation-annotations-bbox.csv")
    let error = #expect(throws: FormatError.self) { try FormatDetector.detect(table) }
    #expect("\(try #require(error))".contains("name its folder"))
  }

  @Test("Boxes are relative to the image; a mask with the corners of a box is one object with it")
  func objects() throws {
    let found = try CollectedObjects(v6, as: .openImages)
    #expect(
      found.keys == [
        "train/0001eeaf4aed83f9.png", "train/000595fe6fee6369.png",
        "validation/00075905539074f2.png",
      ])
    let objects = found.samples[0].objects
    #expect(objects.map(\.label) == ["Person", "Car", "Car", "Person"])
    // The last one is a label of the image.
    #expect(objects[3].box == nil && objects[3].attributes == #"{"Source":"verification"}"#)
    #expect(objects[0].box == Box(x: 2, y: 2, width: 8, height: (0.6 - 0.2) * 10))
    #expect(objects[0].area == 32)
    #expect(
      objects[0].attributes
        == #"{"Clicks":"0.1 0.2 1;0.3 0.4 0","IsDepiction":false,"PredictedIoU":0.84,"Source":"xclick","#
        + #""occluded":true,"truncated":false}"#)
    #expect(objects[1].box == Box(x: 5, y: 5, width: 10, height: 5) && objects[1].area == 50)
    #expect(objects[2].box == Box(x: 0, y: 0, width: 3, height: 3) && objects[2].area == 9)
    #expect(found.samples[2].objects[0].box == Box(x: 0, y: 8, width: 16, height: 4))
    #expect(
      found.samples[2].objects[0].attributes
        == #"{"PredictedIoU":0.9,"Source":"xclick","score":0.5}"#)
    let masks = try CollectedMasks(v6, as: .openImages)
    #expect(masks.samples[0].regions.map(\.mask.area) == [32, 9])
    #expect(masks.samples[0].regions[0].mask.boundingBox == Box(x: 2, y: 2, width: 8, height: 4))
  }

  @Test("Groups are crowds, and BoxID is the object's id")
  func fields() throws {
    var crowds: [Bool] = []
    var ids: [SourceID?] = []
    _ = try OpenImagesImporter().run(v6, ImportOptions()) { batch in
      crowds += batch.annotations.map(\.isCrowd)
      ids += batch.annotations.map(\.sourceID)
    }
    #expect(crowds == [false, true, false, false, false])
    #expect(ids == [.text("aa"), nil, .text("bb"), nil, .text("cc")])
  }

  @Test("Verified labels are tags, absent classes an attribute of the image")
  func labels() throws {
    var shapes: [ShapeKind] = []
    var attributes: [String?] = []
    _ = try OpenImagesImporter().run(v6, ImportOptions()) { batch in
      shapes += batch.annotations.map(\.shape)
      attributes += batch.samples.map(\.attributes)
    }
    #expect(shapes == [.mask, .box, .mask, .tag, .box])
    #expect(attributes == [#"{"absentLabels":["Bicycle, old"]}"#, nil, nil])
  }

  @Test("The classes are those of the boxable list, with ids and parents")
  func classes() throws {
    let found = try CollectedObjects(v6, as: .openImages)
    #expect(
      found.classes == [
        Category(name: "Person", sourceID: .text("/m/01g317")),
        Category(name: "Car", sourceID: .text("/m/0k4j")),
        Category(name: "Ambulance", sourceID: .text("/m/012n7d"), supercategory: "Car"),
      ])
    #expect(found.splits == ["train", "train", "validation"])
  }

  @Test(
    "What is not kept is an issue with its place: columns, missing images, masks")
  func issues() throws {
    let found = try CollectedObjects(v6, as: .openImages)
    #expect(
      found.places == [
        "unsupportedField warning train-images-boxable-with-rotation.csv:2",
        "missingImage error oidv6-train-annotations-bbox.csv:4",
        "unsupportedField warning oidv6-train-annotations-bbox.csv:1",
        "missingImage error train-annotations-human-imagelabels-boxable.csv:4",
        "unsupportedField warning train-annotations-machine-imagelabels.csv",
        "unpairedMask warning validation-annotations-object-segmentation.csv:2",
      ])
    #expect(found.issues[1].message.hasPrefix("2 rows are for images that are not there (1)"))
    #expect(found.issues[2].message == "columns that are not kept: XClick1X")
    #expect(
      found.issues[3].message == "1 row is for images that are not there (1); left out")
    // 4 objects, a label, 3 rows of missing images.
    #expect(found.run.lists?.annotationsRead == 8 && found.run.lists?.annotationsKept == 5)
    #expect(found.isBalanced)
  }

  @Test("Rows of one image need not be together; a list without a header names the classes")
  func scattered() throws {
    let found = try CollectedObjects(detecting: FileTree(fixture: "openimages/v5"))
    #expect(found.keys == ["images/test/c.png", "images/train/a.png", "images/train/b.png"])
    #expect(found.splits == ["test", "train", "train"])
    #expect(found.names == ["cat", "dog", "cat (/m/2)", "/m/9"])
    #expect(found.samples[1].objects.map(\.label) == ["cat", "cat (/m/2)", "cat"])
    #expect(
      found.samples[1].objects.map(\.box) == [
        Box(x: 0, y: 0, width: 5, height: 5), Box(x: 5, y: 0, width: 5, height: 5),
        Box(x: 0, y: 5, width: 5, height: 5),
      ])
    #expect(
      found.places == [
        "duplicateID warning annotations/class-descriptions.csv:3",
        "unknownLabel warning annotations/boxes.csv:5",
      ])
  }

  @Test("Options that do not apply are refused, and so is a folder without images")
  func options() throws {
    #expect(throws: FormatError.unusedOption("--classes", format: .openImages)) {
      try CollectedObjects(v6, as: .openImages, ImportOptions(classes: ["a"]))
    }
    #expect(throws: FormatError.unusedOption("--size", format: .openImages)) {
      try CollectedObjects(
        v6, as: .openImages, ImportOptions(size: ImageSize(width: 1, height: 1)))
    }
    let tables = MemoryTree(
      folder: ["a.csv": Array("ImageID,LabelName,XMin,XMax,YMin,YMax\n".utf8)])
    #expect(throws: FormatError.self) { try CollectedObjects(tables, as: .openImages) }
  }
}
