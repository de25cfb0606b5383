import AssayCore
import AssayFormats
import Testing

@Suite("Layouts of YOLO datasets")
struct YOLOLayoutTests {
  private static let line = "0 0.5 0.5 0.2 0.2\n"

  private func refusal(_ tree: some SourceTree, as format: DatasetFormat? = nil) throws -> String? {
    do {
      _ = try FormatDetector.detect(tree, forced: format)
      return nil
    } catch let error as FormatError {
      return "\(error)"
    }
  }

  @Test(
    "Labels are in labels/ beside images/ or beside the image, splits above or below",
    arguments: [
      ("images/a.png", "labels/a.txt", nil), ("images/val/a.png", "labels/val/a.txt", "val"),
      ("val/images/a.png", "val/labels/a.txt", "val"), ("Images/a.png", "Annotations/a.txt", nil),
      ("IMAGES/a.png", "labels/a.txt", nil),
      ("x/imgs/test/s/a.png", "x/label/test/s/a.txt", "test"),
      ("images/images/a.png", "images/labels/a.txt", nil), ("a.png", "a.txt", nil),
      ("valid/a.png", "valid/a.txt", "valid"),
      ("images/train/a.png", "images/train/a.txt", "train"),
      ("JPEGImages/a.png", "labels/a.txt", nil),
      ("test/images/train/a.png", "test/labels/train/a.txt", "train"),
      ("train2017/a.b.png", "train2017/a.b.txt", "train2017"),
    ] as [(String, String, String?)])
  func places(image: String, label: String, split: String?) throws {
    let tree = try MemoryTree(images: [image], texts: [label: Self.line, "classes.txt": "cat\n"])
    let found = try CollectedObjects(detecting: tree)
    #expect(found.keys == [image] && found.objects.map(\.label) == ["cat"])
    #expect(found.splits == [split])
    #expect(found.run.notes.isEmpty && found.isBalanced)
    #expect(found.kinds == (image.hasPrefix("test/images") ? [.unknownSplit] : []))
  }

  @Test("labels/ comes before a text beside the image, and the other file is an issue")
  func twoLabels() throws {
    let tree = try MemoryTree(
      images: ["images/a.png", "images/b.png", "images/b.jpg"],
      texts: [
        "labels/a.txt": Self.line, "images/a.txt": "1 0.5 0.5 0.2 0.2\n", "labels/b.txt": Self.line,
      ])
    let found = try CollectedObjects(detecting: tree)
    #expect(found.samples.map(\.objects.count) == [1, 1, 1])
    #expect(found.names == ["0"])
    #expect(
      found.issues.map { "\($0.kind) \($0.location): \($0.message)" } == [
        "duplicateID images/b.png: 1 image has the label file of another image (images/b.png and "
          + "images/b.jpg have labels/b.txt); all are kept, with the same objects",
        "duplicateID images/a.txt: 1 label file is not read, because the image has another one "
          + "(images/a.png: labels/a.txt is read, images/a.txt is not)",
      ])
  }

  @Test("Without a data file, lists named like splits give the splits, else the folders do")
  func lists() throws {
    let tree = try MemoryTree(
      images: ["images/a.png", "images/b.png", "images/c.png"],
      texts: [
        "labels/a.txt": Self.line, "labels/b.txt": "", "labels/c.txt": Self.line,
        "train.txt": "images/a.png\n", "val.txt": "/home/me/set/images/b.png\n",
        "everything.txt": "images/a.png\nimages/b.png\n", "notes.txt": "hello\n",
      ])
    let found = try CollectedObjects(detecting: tree)
    #expect(found.splits == ["train", "val", nil])
    #expect(
      found.places == ["unknownSplit warning images"], "\(found.issues)")
    #expect(found.issues[0].message.contains("that no list names"))
    #expect(found.run.notes[0] == "everything.txt lists images and is not read")
  }

  @Test("Images of a split without labels are kept, those of other folders without labels left out")
  func unlabeled() throws {
    let tree = try MemoryTree(
      images: [
        "images/train/a.png", "images/train/b.png", "images/test/c.png", "images/test/d.png",
        "preview.png",
      ], texts: ["labels/train/a.txt": Self.line, "README.txt": Self.line])
    let found = try CollectedObjects(detecting: tree)
    #expect(
      found.keys == [
        "images/test/c.png", "images/test/d.png", "images/train/a.png", "images/train/b.png",
      ])
    #expect(
      found.places == ["missingLabel error .", "missingLabel warning images/test/c.png"])
    #expect(found.issues[1].message.contains("none of the 2 images of split 'test'"))
  }

  @Test("Label files without an image are issues, however many; other texts are not")
  func alone() throws {
    var texts = [
      "labels/a.txt": Self.line, "labels/z.txt": Self.line, "labels/empty.txt": " \n",
      "labels/notes.txt": "drawn by hand\n", "labels/README.txt": "0 1 2\n",
      "labels/test/t.txt": Self.line, "labels/train.cache": "\u{93}NUMPY", "images/a.npy": "x",
    ]
    let found = try CollectedObjects(
      detecting: MemoryTree(images: ["images/a.png"], texts: texts))
    #expect(
      found.places == [
        "missingImage error labels/empty.txt", "missingImage error labels/test/t.txt",
        "missingImage error labels/z.txt",
      ])
    #expect(found.run.outcome.read == 4 && found.isBalanced)
    for number in 0..<100 {
      texts["labels/more/\(number).txt"] = Self.line
      texts["labels/\(number).txt"] = Self.line
    }
    let many = try CollectedObjects(
      detecting: MemoryTree(images: ["images/a.png"], texts: texts))
    #expect(many.run.outcome.read == 205 && many.samples.count == 1 && many.isBalanced)
    #expect(many.kinds.allSatisfy { $0 == .missingImage })
  }

  @Test("Names come from obj.names, classes.txt and the like; without any, classes are numbers")
  func names() throws {
    for name in [
      "obj.names", "data/coco.names", "classes.txt", "labels/classes.txt", "_darknet.labels",
      "labels.txt",
    ] {
      let tree = try MemoryTree(
        images: ["images/a.png"], texts: ["labels/a.txt": Self.line, name: "\u{FEFF}cat \r\ndog"])
      let found = try CollectedObjects(detecting: tree)
      #expect(found.names == ["cat", "dog"] && found.issues.isEmpty && found.run.notes.isEmpty)
    }
    let tree = try MemoryTree(
      lines: "10 0.5 0.5 0.2 0.2\n9 0.5 0.5 0.2 0.2\n")
    let found = try CollectedObjects(detecting: tree)
    #expect(found.names == ["9", "10"])
    #expect(found.classes.map(\.sourceID) == [.integer(9), .integer(10)])
    #expect(
      found.run.notes == [
        "there are no class names, so the classes are called by their numbers; --classes a,b,c "
          + "names them"
      ])
  }

  @Test("--classes must name every class of the labels")
  func givenNames() throws {
    let tree = try MemoryTree(lines: "0 0.5 0.5 0.2 0.2\n2 0.5 0.5 0.2 0.2\n")
    let found = try CollectedObjects(tree, as: .yolo, ImportOptions(classes: ["a", "b", "c"]))
    #expect(found.names == ["a", "b", "c"] && found.objects.map(\.label) == ["a", "c"])
    let error = #expect(throws: FormatError.self) {
      try CollectedObjects(tree, as: .yolo, ImportOptions(classes: ["a", "b"]))
    }
    #expect(
      "\(try #require(error))"
        == "labels/a.txt:2: the line has class 2, and --classes names 2 classes; give at least 3 "
        + "names")
  }

  @Test("Lists of names that differ are refused, unless a data file or --classes decides")
  func namesDiffer() throws {
    var texts = [
      "train/a.txt": Self.line, "train/classes.txt": "cat\n", "val/b.txt": Self.line,
      "val/classes.txt": "cat\n",
    ]
    let images = ["train/a.png", "val/b.png"]
    let same = try CollectedObjects(detecting: MemoryTree(images: images, texts: texts))
    #expect(same.splits == ["train", "val"] && same.names == ["cat"])
    texts["val/classes.txt"] = "dog\ncat\n"
    let tree = try MemoryTree(images: images, texts: texts)
    let error = #expect(throws: FormatError.self) { try CollectedObjects(detecting: tree) }
    #expect(
      "\(try #require(error))".contains("lists of class names differ (train/classes.txt has 1"))
    let given = try CollectedObjects(tree, as: .yolo, ImportOptions(classes: ["x"]))
    #expect(given.names == ["x"])
    texts["data.yaml"] = "train: train\nval: val\nnames: [owl]\n"
    let described = try CollectedObjects(detecting: MemoryTree(images: images, texts: texts))
    #expect(described.names == ["owl"])
    #expect(
      described.run.notes == [
        "the class names are those of data.yaml; 2 lists (train/classes.txt, …) have other names"
      ])
  }

  @Test("A dataset without any label file is refused with the place where it was looked for")
  func noLabels() throws {
    let data = "train: images\nval: images\nnames: [a]\n"
    let tree = try MemoryTree(images: ["images/a.png"], texts: ["data.yaml": data])
    #expect(try FormatDetector.detect(tree).format == .yolo)
    let error = #expect(throws: FormatError.self) { try CollectedObjects(detecting: tree) }
    #expect("\(try #require(error))".contains("no image has a label file"))
    let other = try MemoryTree(
      images: ["images/a.png"], texts: ["data.yaml": data, "labels/b.txt": Self.line])
    let place = #expect(throws: FormatError.self) { try CollectedObjects(detecting: other) }
    #expect("\(try #require(place))".contains("there is no labels/a.txt for images/a.png"))
    let texts = MemoryTree(folder: ["labels/a.txt": Array(Self.line.utf8)])
    let none = #expect(throws: FormatError.self) { try CollectedObjects(texts) }
    #expect("\(try #require(none))".contains("it has no images"))
  }

  @Test("Several datasets are refused with a list, unless one data file or list of names is theirs")
  func several() throws {
    let images = ["a/images/1.png", "b/images/1.png"]
    var texts = ["a/labels/1.txt": Self.line, "b/labels/1.txt": Self.line]
    let two = try #require(try refusal(MemoryTree(images: images, texts: texts)))
    #expect(
      two.contains(
        "one at a time:\n  a: YOLO labels (assay import PATH/a)\n  b: YOLO labels (assay import PATH/b)\n"
      ))
    for (name, text) in [
      ("classes.txt", "cat\n"),
      ("config/all.yaml", "train: [a/images, b/images]\nnames: [cat]\n"),
    ] {
      let tree = try MemoryTree(images: images, texts: texts.merging([name: text]) { $1 })
      #expect(try refusal(tree) == nil)
      #expect(try CollectedObjects(tree).keys == images)
    }
    texts["a/data.yaml"] = "train: images\nnames: [a]\n"
    texts["b/data.yaml"] = "train: images\nnames: [b]\n"
    let described = try #require(try refusal(MemoryTree(images: images, texts: texts)))
    #expect(
      described.contains(
        "one at a time:\n  a: YOLO labels (assay import PATH/a)\n  b: YOLO labels (assay import PATH/b)\n"
      ))
    // Folders without the names of a layout are parts of one dataset.
    let cameras = try MemoryTree(
      images: ["left/1.png", "right/1.png"],
      texts: ["left/1.txt": Self.line, "right/1.txt": Self.line])
    #expect(try CollectedObjects(detecting: cameras).keys == ["left/1.png", "right/1.png"])
  }

  @Test("Labels beside annotations of another kind, or beside masks, are refused")
  func mixtures() throws {
    let texts = ["labels/a.txt": Self.line, "classes.txt": "cat\n"]
    let captions = try MemoryTree(
      images: ["images/a.png"],
      texts: texts.merging(["x.json": #"[{"image_id": 1, "caption": "a cat"}]"#]) { $1 })
    let text = try #require(try refusal(captions))
    #expect(text.contains("as yolo it would lose annotations"))
    #expect(text.contains("COCO captions"))
    #expect(try CollectedObjects(captions, as: .yolo).objects.count == 1)
    let masks = try MemoryTree(
      masks: ["masks/a.png": [[0, 255], [0, 0]]], photos: ["images/a.png": (2, 2)], texts: texts)
    #expect(
      try refusal(masks)?.contains("1 image looks like a mask (masks/a.png of images/a.png)")
        == true)
    let beside = try MemoryTree(
      masks: ["a_mask.png": [[0, 255], [0, 0]]], photos: ["a.png": (2, 2)],
      texts: ["a.txt": Self.line])
    #expect(try refusal(beside)?.contains("PATH:masks") == true)
    let alone = try CollectedObjects(beside, as: .yolo, ImportOptions(ignoresCompanions: true))
    #expect(alone.keys == ["a.png"])
    #expect(alone.run.notes.first == "1 mask was left out (a_mask.png)")
    // Files of unknown content are no annotations.
    let notes = try MemoryTree(
      images: ["images/a.png"],
      texts: texts.merging(["notes.json": #"{"info": 1}"#, "x.zip": "PK\u{3}\u{4}"]) { $1 })
    #expect(try refusal(notes) == nil)
  }

  @Test(
    "Texts beside images that hold no YOLO lines are not recognized",
    arguments: [
      "a photo of a cat\n", "0.1 0.2 0.3\n", "0 120 45 30 60\n", "cat 0.5 0.5 0.1 0.1\n", "",
      "Car 0.00 0 -1.57 599 156 629 189 2.85 2.63 12.34 0.47 1.49 69.44 -1.56\n",
      "10 10 90 10 90 90 10 90 plane 0\n",
    ])
  func otherTexts(text: String) throws {
    let tree = try MemoryTree(images: ["cat/a.png"], texts: ["cat/a.txt": text])
    let refused = try #require(try refusal(tree))
    #expect(!refused.contains("as yolo"))
    #expect(refused.contains("as image-folder"))
    // Lines in pixels are refused by their coordinates if the format is given.
    if text.hasPrefix("0 120") {
      #expect(try CollectedObjects(tree).kinds == [.badShape])
    }
  }

  @Test("Image folders and classification datasets stay what they are")
  func imageFolders() throws {
    let tree = try MemoryTree(
      images: ["train/cat/1.png", "val/cat/1.png"], texts: ["README.txt": Self.line])
    #expect(try FormatDetector.detect(tree).format == .imageFolder)
  }
}
