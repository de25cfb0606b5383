import AssayCore
import AssayFormats
import Testing

@Suite("Folders of Pascal VOC")
struct VOCLayoutTests {
  private static let xml = VOCText.annotation(objects: [VOCText.object("a", 1, 1, 2, 2)])

  @Test(
    "Images are found in folders of any usual name, also beside the annotations",
    arguments: [
      ["Annotations/1.xml", "JPEGImages/1.png"], ["annotations/xmls/1.xml", "images/1.png"],
      ["labels/train/1.xml", "images/train/1.png"], ["train/labels/1.xml", "train/images/1.png"],
      ["1.xml", "1.png"], ["x/annotations/1.xml", "x/1.png"], ["Annotation/1.xml", "pics/1.png"],
      ["VOCdevkit/VOC2007/Annotations/a.b.xml", "VOCdevkit/VOC2007/JPEGImages/a.b.png"],
      ["Annotations/x/1.xml", "JPEGImages/x/1.png"],
    ])
  func folders(paths: [String]) throws {
    let tree = MemoryTree(texts: [paths[0]: Self.xml, paths[1]: nil])
    let found = try CollectedShapes(detecting: tree)
    #expect(found.keys == [paths[1]] && found.shapes.count == 1)
    #expect(found.issues.isEmpty && found.isBalanced)
  }

  @Test("The file name of an annotation finds an image with another name")
  func names() throws {
    let tree = MemoryTree(texts: [
      "Annotations/1.xml": VOCText.annotation(file: "cat.png", objects: []),
      "JPEGImages/cat.png": nil,
      "Annotations/2.xml": VOCText.annotation(file: "C:\\pictures\\dog.png", objects: []),
      "JPEGImages/dog.png": nil,
      "Annotations/3.xml": VOCText.annotation(file: "cat.png", objects: []),
    ])
    let found = try CollectedShapes(tree, as: .voc)
    #expect(found.keys == ["JPEGImages/cat.png", "JPEGImages/dog.png"])
    #expect(
      found.places == [
        "outsideRoot warning Annotations/2.xml", "duplicateID error Annotations/3.xml",
      ])
    #expect(found.isBalanced && found.run.outcome.rejected == 1)
  }

  @Test("An annotation that names another image belongs to the one with its own name")
  func otherName() throws {
    let tree = MemoryTree(texts: [
      "a.png": nil, "b.png": nil, "c.png": nil,
      "a.xml": VOCText.annotation(file: "b.png", objects: []),
      "b.xml": VOCText.annotation(file: "b.jpg", objects: []),
      "c.xml": VOCText.annotation(file: "z.jpg", objects: []),
    ])
    let found = try CollectedShapes(tree, as: .voc)
    #expect(found.keys == ["a.png", "b.png", "c.png"])
    #expect(found.places == ["badField warning a.xml:2"])
    #expect(found.run.notes.count == 1 && found.run.notes[0].contains("1 image is not that"))
  }

  @Test("Images that do not exist are kept with their annotations, each under a name of its own")
  func missing() throws {
    let tree = MemoryTree(texts: [
      "Annotations/1.xml": VOCText.annotation(file: "x/cat.jpg", objects: []),
      "Annotations/2.xml": VOCText.annotation(file: "../../etc/x/cat.jpg", objects: []),
      "Annotations/3.xml": VOCText.annotation(size: nil, objects: []),
      "Annotations/4.xml": VOCText.annotation(file: "x/cat.jpg", objects: []),
    ])
    let found = try CollectedShapes(tree, as: .voc)
    #expect(
      found.keys == ["3.jpg", "4.jpg", "cat.jpg", "x/cat.jpg"].map { "JPEGImages/\($0)" })
    #expect(
      found.places == [
        "outsideRoot warning Annotations/2.xml", "duplicateID warning Annotations/4.xml",
        "missingField warning Annotations/3.xml:1", "missingImage warning memory",
      ])
    #expect(found.isBalanced)
  }

  @Test("Two annotations of an image: the first counts; an image that nothing names is left out")
  func twice() throws {
    let tree = MemoryTree(texts: [
      "images/1.png": nil, "images/1.xml": Self.xml, "annotations/1.xml": Self.xml,
      "images/2.png": nil, "other/3.png": nil,
    ])
    let found = try CollectedShapes(tree, as: .voc)
    #expect(found.keys == ["images/1.png"] && found.shapes.count == 1)
    #expect(
      found.places == [
        "missingLabel error images", "missingLabel error other", "duplicateID error images/1.xml",
      ])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 2)
  }

  @Test(
    "Lists: comments, quotes, suffixes, repeated and unknown names, paths that leave the folder")
  func lists() throws {
    let tree = MemoryTree(texts: [
      "Annotations/a b.xml": Self.xml, "Annotations/c.xml": Self.xml, "Annotations/d.xml": Self.xml,
      "Annotations/e.xml": Self.xml, "JPEGImages/a b.png": nil, "JPEGImages/c.png": nil,
      "JPEGImages/d.png": nil, "JPEGImages/e.png": nil,
      "ImageSets/Main/train.txt": "# x\r\na b\r\n\r\nc.png\r\nc\r\n",
      "ImageSets/Main/test.txt": "c\n../Annotations/d\nnothing\n",
      "ImageSets/Main/d_test.txt": "d -1\n", "ImageSets/Segmentation/val.txt": "\"d\" 1\nc\n",
    ])
    let found = try CollectedShapes(detecting: tree)
    #expect(found.splits == ["train", "train", "val", nil])
    #expect(
      found.places == [
        "duplicateID warning ImageSets/Main/train.txt",
        "outsideRoot error ImageSets/Main/test.txt:2",
        "missingImage error ImageSets/Main/test.txt:3",
        "duplicateID warning ImageSets/Main/test.txt",
        "unknownSplit warning JPEGImages",
      ])
    #expect(
      found.run.notes == [
        "1 image has another split in ImageSets/Segmentation or a later task than in ImageSets/Main, "
          + "which counts (c: 'val' instead of 'train')"
      ])
    #expect(found.isBalanced)
  }

  @Test("Lists per class are labels of images: those that the objects repeat are not kept twice")
  func classLists() throws {
    let object = [VOCText.object("cat", 1, 1, 2, 2)]
    let tree = MemoryTree(texts: [
      "Annotations/1.xml": VOCText.annotation(objects: object), "JPEGImages/1.png": nil,
      "Annotations/2.xml": VOCText.annotation(objects: object), "JPEGImages/2.png": nil,
      "JPEGImages/3.png": nil, "ImageSets/Main/train.txt": "1\n2\n3\n",
      "ImageSets/Main/cat_train.txt": "1  1\n2  0\n3 -1\n",
      "ImageSets/Main/traffic_light_train.txt": "1 -1\n2  1\n3  1\n9  1\n",
    ])
    let found = try CollectedShapes(detecting: tree)
    #expect(found.samples.map(\.label) == [nil, "traffic_light", "traffic_light"])
    #expect(found.shapes.map(\.label) == ["cat", "cat"])
    #expect(found.splits == ["train", "train", "train"])
    #expect(found.places == ["missingImage error ImageSets/Main/traffic_light_train.txt:4"])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 4)
  }

  @Test("Lists that deny the classes of objects are independent labels, as Datumaro writes them")
  func independentLists() throws {
    let objects = [VOCText.object("cat", 1, 1, 2, 2), VOCText.object("dog", 1, 1, 2, 2)]
    let tree = MemoryTree(texts: [
      "Annotations/1.xml": VOCText.annotation(objects: objects), "JPEGImages/1.png": nil,
      "Annotations/2.xml": VOCText.annotation(objects: []), "JPEGImages/2.png": nil,
      "ImageSets/Main/train.txt": "1\n2\n", "ImageSets/Main/cat_train.txt": "1  1\n2 1\n",
      "ImageSets/Main/dog_train.txt": "1 -1\n2  1\n",
    ])
    let found = try CollectedShapes(detecting: tree)
    #expect(found.samples.map(\.label) == ["cat", nil])
    #expect(found.shapes.map(\.label) == ["cat", "dog", "cat", "dog"])
    #expect(found.shapes.map(\.kind) == [.box, .box, .tag, .tag])
    #expect(found.issues.isEmpty && found.run.lists?.annotationsRead == 5)
    let closed = try CollectedShapes(tree, as: .voc, ImportOptions(classes: ["cat"]))
    #expect(closed.samples.map(\.label) == ["cat", "cat"])
    #expect(closed.kinds == [.unknownLabel, .unknownLabel])
  }

  @Test("Images with lists per class alone are a dataset of labels")
  func classification() throws {
    let tree = MemoryTree(texts: [
      "JPEGImages/1.png": nil, "JPEGImages/2.png": nil, "ImageSets/Main/train.txt": "1\n",
      "ImageSets/Main/val.txt": "2\n", "ImageSets/Main/cat_train.txt": "1  1\n",
      "ImageSets/Main/cat_val.txt": "2 -1\n", "ImageSets/Main/dog_train.txt": "1 -1\n",
      "ImageSets/Main/dog_val.txt": "2  1\n",
      "labelmap.txt": "background:0,0,0::\ncat:1,1,1::\ndog:2,2,2::\n",
    ])
    let detection = try FormatDetector.detect(tree)
    #expect(detection.format == .voc)
    #expect(detection.reason == "ImageSets/Main/cat_train.txt lists the images of the class cat")
    let found = try CollectedShapes(tree, as: .voc)
    #expect(found.samples.map(\.label) == ["cat", "dog"] && found.splits == ["train", "val"])
    #expect(found.names == ["cat", "dog"] && found.issues.isEmpty && found.isBalanced)
  }

  @Test("Several datasets are refused with a list; annotations of other formats beside are refused")
  func several() throws {
    func refusal(_ texts: [String: String?]) throws -> String? {
      do {
        _ = try FormatDetector.detect(MemoryTree(texts: texts))
        return nil
      } catch let error as FormatError { return "\(error)" }
    }
    let years = [2007, 2012].map { "VOCdevkit/VOC\($0)" }
    var files: [String: String?] = [:]
    for year in years {
      files["\(year)/Annotations/1.xml"] = Self.xml
      files["\(year)/JPEGImages/1.png"] = String?.none
      files["\(year)/ImageSets/Main/train.txt"] = "1\n"
    }
    let text = try #require(try refusal(files))
    #expect(
      text.contains(
        "one at a time:\n  VOCdevkit/VOC2007: Pascal VOC annotations (assay import PATH/VOCdevkit/VOC2007)\n"
      ))
    let parts: [String: String?] = [
      "train/a.png": nil, "train/a.xml": Self.xml, "valid/b.png": nil, "valid/b.xml": Self.xml,
      "test/annotations/c.xml": Self.xml, "test/images/c.png": nil,
    ]
    #expect(try refusal(parts) == nil)
    var mixed: [String: String?] = ["a.png": nil, "a.xml": Self.xml]
    mixed["x/a.json"] = #"{"shapes": [], "imagePath": "a.png"}"#
    #expect(try refusal(mixed)?.contains("LabelMe annotations (JSON)") == true)
  }

  @Test("XML of other formats is not Pascal VOC's")
  func foreign() throws {
    for text in [
      "<annotations><image/></annotations>", "<a/>", "not XML",
    ] {
      let tree = MemoryTree(texts: ["cat/a.png": nil, "cat/a.xml": text])
      #expect(throws: FormatError.self) { try FormatDetector.detect(tree) }
      #expect(try !VOCImporter().probe(tree).isMatch)
    }
    for name in [
      "coco/polygons.json", "yolo/darknet", "camvid/index", "camvid/colors", "masks/binary",
      "image-folder/splits", "goldens/data/street",
    ] { #expect(try !VOCImporter().probe(FileTree(fixture: name)).isMatch, "\(name)") }
  }
}
