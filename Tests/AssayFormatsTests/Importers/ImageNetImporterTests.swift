import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("ImageNet and lists of images and classes")
struct ImageNetImporterTests {
  private static let png = DatasetLayout.png

  private func tree(_ images: [String], _ texts: [String: String] = [:]) -> MemoryTree {
    var files = texts.mapValues { Array($0.utf8) }
    for image in images { files[image] = Self.png }
    return MemoryTree(folder: files)
  }

  private func refusal(_ tree: MemoryTree, as format: DatasetFormat? = nil) -> String? {
    do {
      _ = try Collected(
        tree, as: FormatDetector.detect(tree, forced: format).format, ImportOptions())
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("Kaggle's tree: folders of synsets, flat validation images, names and their order")
  func kaggle() throws {
    let tree = FileTree(fixture: "imagenet/kaggle")
    #expect(try FormatDetector.detect(tree).format == .imageNet)
    let found = try Collected(detecting: tree)
    let data = "ILSVRC/Data/CLS-LOC"
    #expect(
      found.keys == [
        "\(data)/test/ILSVRC2012_test_00000001.JPEG",
        "\(data)/train/n01440764/n01440764_10026.JPEG", "\(data)/train/n02012849/n02012849_7.JPEG",
        "\(data)/train/n03126707/n03126707_1.JPEG", "\(data)/val/ILSVRC2012_val_00000001.JPEG",
        "\(data)/val/ILSVRC2012_val_00000002.JPEG",
      ])
    #expect(found.samples.map(\.location) == found.keys.map { $0 })
    #expect(
      found.labels == [nil, "tench", "crane", "crane (n03126707)", "tench", "crane (n03126707)"])
    #expect(found.splits == ["test", "train", "train", "train", "val", "val"])
    #expect(found.classes == ["tench", "crane", "crane (n03126707)", "toilet tissue"])
    #expect(found.sourceIDs[2] == .text("n03126707"))
    #expect(found.samples[1].size == ImageSize(width: 4, height: 5))
    // Boxes are named, and the test images have no class.
    #expect(found.kinds == [.unsupportedField, .missingLabel])
    #expect(found.issues[0].location.file == "LOC_val_solution.csv")
    #expect(found.issues[1].message.contains("the only image of the split test"))
    #expect(found.isBalanced)
    #expect(found.run.lists == nil)
  }

  @Test(
    "Kaggle's XML files are boxes beside the classes; alone, or of another challenge, they are VOC's"
  )
  func boxes() throws {
    let xml = VOCText.annotation(objects: [VOCText.object("n01440764", 1, 1, 2, 2)])
    let images = [
      "ILSVRC/Data/CLS-LOC/train/n01440764/n01440764_1.png",
      "ILSVRC/Data/CLS-LOC/val/ILSVRC2012_val_00000001.png",
    ]
    let texts = [
      "ILSVRC/Annotations/CLS-LOC/train/n01440764/n01440764_1.xml": xml,
      "ILSVRC/Annotations/CLS-LOC/val/ILSVRC2012_val_00000001.xml": "<broken",
      "ILSVRC/ImageSets/CLS-LOC/val.txt": "ILSVRC2012_val_00000001 1\n",
      "LOC_synset_mapping.txt": "n01440764 tench, Tinca tinca\n",
      "LOC_val_solution.csv":
        "ImageId,PredictionString\nILSVRC2012_val_00000001,n01440764 1 1 2 2 \n",
    ]
    let detection = try FormatDetector.detect(tree(images, texts))
    #expect(detection.format == .imageNet)
    #expect(detection.others[.voc]?.contains("is an annotation of ImageNet") == true)
    let found = try CollectedShapes(tree(images, texts), as: .imageNet)
    #expect(found.samples.map(\.label) == ["tench", "tench"] && found.splits == ["train", "val"])
    #expect(found.names == ["tench"] && found.shapes.map(\.label) == ["tench"])
    #expect(found.shapes[0].box == Box(x: 0, y: 0, width: 2, height: 2))
    #expect(found.kinds == [.unsupportedFile] && found.run.lists?.annotationsKept == 1)
    let detectionChallenge = tree(
      ["ILSVRC/Data/DET/val/1.png"], ["ILSVRC/Annotations/DET/val/1.xml": xml])
    #expect(try VOCImporter().probe(detectionChallenge).isMatch)
    #expect(try VOCImporter().probe(tree([], texts)).isMatch)
  }

  @Test("Lists with numbers: places in the table of synsets")
  func caffe() throws {
    let found = try Collected(detecting: FileTree(fixture: "imagenet/caffe"))
    #expect(found.labels == ["tench", "goldfish", "goldfish"])
    #expect(found.splits == ["train", "train", "val"])
    #expect(found.issues.isEmpty)
    #expect(
      found.run.notes == ["the numbers of the lists are places in synset_words.txt, from 0"])
  }

  @Test("Tiny ImageNet: classes from folders and val_annotations.txt; its boxes are named")
  func tiny() throws {
    let found = try Collected(detecting: FileTree(fixture: "imagenet/tiny"))
    #expect(found.labels == [nil, "goldfish", "go-kart"])
    #expect(found.splits == ["test", "train", "val"])
    #expect(found.classes == ["go-kart", "goldfish"])
    #expect(
      found.issues.map(\.location.file).sorted() == [
        "tiny", "train/n01443537/n01443537_boxes.txt", "val/val_annotations.txt",
      ])
  }

  @Test("Plain lists: names with blanks, a list of class names, missing images")
  func lists() throws {
    let found = try Collected(detecting: FileTree(fixture: "imagenet/lists"))
    #expect(found.keys == ["images/a b.jpg", "images/c.png", "images/gone.jpg"])
    #expect(found.labels == ["dog", "cat", "cat"])
    #expect(found.splits == ["train", "test", "train"])
    #expect(found.classes == ["cat", "dog", "owl"])
    #expect(found.sourceIDs == [.integer(0), .integer(1), .integer(2)])
    #expect(found.kinds == [.missingImage])
    let renamed = try Collected(
      FileTree(fixture: "imagenet/lists"), as: .imageNet, ImportOptions(classes: ["a", "b"]))
    #expect(renamed.labels == ["b", "a", "a"])
    #expect(throws: FormatError.self) {
      try Collected(
        FileTree(fixture: "imagenet/lists"), as: .imageNet, ImportOptions(classes: ["a"]))
    }
    #expect(throws: FormatError.unusedOption("--classes", format: .imageNet)) {
      try Collected(
        FileTree(fixture: "imagenet/tiny"), as: .imageNet, ImportOptions(classes: ["a"]))
    }
  }

  @Test("Numbers without names are named by folders if each has its own, else they stay numbers")
  func numbers() throws {
    let folders = try Collected(detecting: FileTree(fixture: "imagenet/folders"))
    #expect(folders.labels == ["cat", "dog"])
    #expect(folders.classes == ["dog", "cat"])
    let plain = try Collected(
      detecting: tree(["a.png", "b.png"], ["train.txt": "a.png 10\nb.png 9\n"]))
    #expect(plain.labels == ["10", "9"])
    #expect(plain.classes == ["9", "10"])
    #expect(plain.run.notes.contains { $0.contains("nothing names the numbers") })
    let words = try Collected(
      detecting: tree(["a.png", "b.png"], ["train_list.txt": "a.png owl\nb.png cat\n"]))
    #expect(words.labels == ["owl", "cat"])
    #expect(words.classes == ["cat", "owl"])
  }

  @Test("Datumaro's lists: synsets.txt with any names, several numbers per image, quoted names")
  func datumaroLists() throws {
    let images = ["images/1.png", "images/a b.png", "images/2.png"]
    let texts = [
      "synsets.txt": "background\ncat\ndog\n", "train.txt": "1.png 1\n\"a b\".png 2\n",
      "default.txt": "2.png 0 2\n",
    ]
    let found = try Collected(detecting: tree(images, texts))
    #expect(found.keys == ["images/1.png", "images/2.png", "images/a b.png"])
    #expect(found.labels == ["cat", nil, "dog"])
    #expect(found.splits == ["train", "default", "train"])
    #expect(found.classes == ["background", "cat", "dog"])
    #expect(found.run.notes.contains("synsets.txt names the numbers of the lists, from 0"))
    #expect(found.issues.isEmpty && found.isBalanced)
    let shapes = try CollectedShapes(tree(images, texts), as: .imageNet)
    #expect(shapes.shapes.map(\.label) == ["background", "dog"])
    #expect(shapes.shapes.map(\.kind) == [.tag, .tag] && shapes.run.lists?.annotationsKept == 2)
  }

  @Test("ILSVRC's numbers of validation images are classes only if there are no synsets")
  func groundTruth() throws {
    let images = ["ILSVRC2012_val_00000001.png", "ILSVRC2012_val_00000002.png"]
    let texts = ["ILSVRC2012_validation_ground_truth.txt": "490\n361\n"]
    let found = try Collected(detecting: tree(images, texts))
    #expect(found.labels == ["490", "361"])
    #expect(found.splits == ["val", "val"])
    #expect(found.run.notes.contains { $0.contains("which meta.mat names") })
    let mixed = try Collected(detecting: tree(images + ["train/n01440764/1.png"], texts))
    #expect(mixed.labels == [nil, nil, "n01440764"])
    #expect(Set(mixed.kinds) == [.unsupportedField, .missingLabel])
    #expect(
      refusal(tree(images, ["ILSVRC2012_validation_ground_truth.txt": "x\n"]))?.contains(
        "ground_truth.txt:1: expected the number of a class") == true)
  }

  @Test("Oddities of lists are issues with their lines")
  func odd() throws {
    let found = try Collected(
      detecting: tree(
        ["a.png", "b.png", "c.png", "n01440764/d.png", "e.png"],
        [
          "train.txt": """
          a.png 0
          b.png 7
          a.png 1
          a.png 0
          ../x.png 0
          /etc/x.png 1
          c.png x 1
          n01440764/d.png 1
          """, "synsets.txt": "n01440764\nn01443537\n",
        ]), ImportOptions())
    #expect(found.keys == ["a.png", "b.png", "c.png", "e.png", "n01440764/d.png"])
    #expect(found.labels == ["n01440764", nil, nil, nil, "n01443537"])
    #expect(
      found.issues.map { "\($0.kind) \($0.location)" }.sorted() == [
        "badField train.txt:8", "duplicateID train.txt:3", "duplicateID train.txt:4",
        "fieldCount train.txt:7", "missingLabel memory", "outsideRoot train.txt:5",
        "outsideRoot train.txt:6", "unknownLabel train.txt:2",
      ])
    #expect(found.issues.contains { $0.message.contains("none of the 3 images without a split") })
    #expect(found.isBalanced)
  }

  @Test("Keras's table of classes gives order and names; a synset that it lacks is reported")
  func classIndex() throws {
    let index = #"{"1": ["n01440764", "tench"], "0": ["n01443537", "goldfish"]}"#
    let found = try Collected(
      detecting: tree(
        ["n01440764/1.png", "n02012849/1.png"], ["imagenet_class_index.json": index]))
    #expect(found.labels == ["tench", "n02012849"])
    #expect(found.classes == ["goldfish", "tench", "n02012849"])
    #expect(found.kinds == [.unknownLabel])
    for (text, problem) in [("{", "broken JSON"), (#"{"3": ["n01443537", "a"]}"#, "0, 1, 2")] {
      let tree = tree(["n01440764/1.png"], ["imagenet_class_index.json": text])
      #expect(refusal(tree)?.contains(problem) == true)
    }
  }

  @Test("Boxes in XML elsewhere are read as voc, and named where the classes alone are asked for")
  func companions() throws {
    let images = ["Data/CLS-LOC/train/n01440764/n01440764_1.png"]
    let voc = ["boxes/n01440764_1.xml": DatasetLayout.voc]
    #expect(try FormatDetector.detect(tree(images, voc)).format == .voc)
    let error = try #require(throws: FormatError.self) {
      try FormatDetector.detect(tree(images, voc), forced: .imageNet)
    }
    #expect("\(error)".contains("1 .xml file looks like Pascal VOC annotations"))
    #expect("\(error)".contains("PATH:imagenet --ignore-companions"))
    let found = try Collected(
      tree(images, voc), as: .imageNet, ImportOptions(ignoresCompanions: true))
    #expect(found.labels == ["n01440764"])
  }

  @Test("A plain folder per class stays image-folder, and no other tree is taken")
  func border() throws {
    for images in [
      ["cat/1.png", "dog/1.png"], ["train/cat/1.png", "val/cat/1.png"],
      ["n01440764/1.png", "cat/1.png"], ["1.png"],
    ] {
      #expect(try FormatDetector.detect(tree(images)).format == .imageFolder)
    }
    #expect(try FormatDetector.detect(tree(["train/n01440764/1.png"])).format == .imageNet)
    // A list of images without classes is none, nor is one of images and masks.
    for text in ["cat/1.png\n", "cat/1.png cat/2.png\n", "cat/1.png -1\n", "cat/1.png 0.5 0.5\n"] {
      let probe = try Importers.importer(for: .imageNet).probe(
        tree(["cat/1.png", "cat/2.png"], ["train.txt": text]))
      #expect(!probe.isMatch)
    }
    #expect(try FixtureTrees.claimed(by: .imageNet).isEmpty)
    #expect(try FixtureTrees.wronglyDetected().isEmpty)
    #expect(refusal(tree(["cat/1.png"]), as: .imageNet)?.contains("no image has a class") == true)
  }

  @Test("Any number of workers gives one result")
  func workers() throws {
    let images = (0..<300).map { "train/n0144000\($0 % 7)/\($0).png" }
    let source = tree(images)
    let serial = try Collected(source, as: .imageNet, ImportOptions(workers: 1))
    #expect(serial.samples.count == 300 && serial.classes.count == 7)
    #expect(try Collected(source, as: .imageNet, ImportOptions(workers: 4)) == serial)
  }

  @Test("Damaged lists and tables are imported in part or refused")
  func mutations() throws {
    var trees = MutatedTree(
      fixtures: ["kaggle", "caffe", "tiny", "lists", "folders"].map { "imagenet/\($0)" },
      words: ["n01440764", "a.JPEG", " 0", "-1", "ImageId"], seed: 53)
    var imported = 0
    let rounds = LongTests.areOn ? 100_000 : 1_000
    for round in 0..<rounds {
      guard let tree = trees.next(round) else { continue }
      do {
        if round % 3 == 0 { _ = try FormatDetector.detect(tree) }
        let found = try Collected(tree, as: .imageNet)
        imported += 1
        #expect(found.isBalanced && Set(found.keys).count == found.keys.count)
        #expect(Set(found.classes).count == found.classes.count)
      } catch is FormatError {
        continue
      }
    }
    #expect(imported > rounds / 2)
  }

  @Test(
    "Datumaro's tree is image-folder, with an issue for what its folders do not say",
    .outsideData("formats/imagenet_dataset", twin: "ImageFolderImporterTests.nestedFolders"))
  func datumaro() throws {
    let found = try Collected(detecting: FileTree(outside: "formats/imagenet_dataset"))
    #expect(
      found.keys == [
        "label_0/label_0_1.jpg", "label_0_2.jpg", "label_1/label_1_1.jpg",
        "label_1/label_1_1/label_1_1.jpg",
      ])
    #expect(found.labels == ["label_0", nil, "label_1", "label_1"])
    #expect(
      found.issues.map { "\($0.kind) \($0.location)" } == [
        "nestedFolder label_1/label_1_1", "missingLabel label_0_2.jpg",
      ])
  }
}
