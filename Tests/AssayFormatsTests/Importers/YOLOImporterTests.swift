import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("YOLO datasets")
struct YOLOImporterTests {
  @Test(
    "Ultralytics: data.yaml gives splits and names; an image without a label file is background")
  func ultralytics() throws {
    let tree = FileTree(fixture: "yolo/ultralytics")
    let detection = try FormatDetector.detect(tree)
    #expect(detection.format == .yolo)
    #expect(
      detection.reason == "labels/train/a.txt holds YOLO labels of images/train/a.png; data.yaml "
        + "describes the dataset")
    let found = try CollectedObjects(tree)
    #expect(found.keys == ["images/train/a.png", "images/train/b.png", "images/val/c.png"])
    #expect(found.splits == ["train", "train", "val"])
    #expect(found.names == ["person", "bicycle", "traffic light"])
    #expect(found.classes.map(\.sourceID) == [.integer(0), .integer(1), .integer(2)])
    #expect(
      found.samples.map(\.size) == [
        ImageSize(width: 20, height: 10), ImageSize(width: 8, height: 8),
        ImageSize(width: 16, height: 16),
      ])
    let objects = found.samples[0].objects
    #expect(objects.map(\.label) == ["person", "traffic light"])
    #expect(objects[0].box == Box(x: 6, y: 2, width: 8, height: 6))
    #expect(objects[0].area == 48 && objects[0].polygons.isEmpty && objects[0].attributes == nil)
    #expect(objects[1].box == Box(x: 0, y: 0, width: 10, height: 5))
    #expect(found.samples[1].objects.isEmpty)
    #expect(found.samples[2].objects.map(\.box) == [Box(x: 0, y: 0, width: 16, height: 16)])
    #expect(found.issues.isEmpty)
    #expect(
      found.run.notes == [
        "the path of data.yaml (/home/someone/datasets/three) is not in the folder and is ignored"
      ])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 3)
  }

  @Test("Roboflow: ../train/images is beside data.yaml; an empty label file is background")
  func roboflow() throws {
    let tree = FileTree(fixture: "yolo/roboflow")
    let found = try CollectedObjects(detecting: tree)
    #expect(
      found.keys == [
        "train/images/a_jpg.rf.1.png", "train/images/b_jpg.rf.2.png",
        "valid/images/c_jpg.rf.3.png",
      ])
    #expect(found.splits == ["train", "train", "val"])
    #expect(found.names == ["cat", "dog"])
    #expect(found.samples.map(\.objects.count) == [1, 0, 2])
    #expect(found.objects[0].box == Box(x: 4, y: 4, width: 2, height: 2))
    #expect(found.objects[1].box == Box(x: 4, y: 8, width: 2, height: 4))
    #expect(found.objects[2].box == Box(x: 4, y: 4, width: 2, height: 2))
    #expect(found.places == ["missingImage warning data.yaml:3"])
    #expect(found.issues[0].message.contains("'test' names ../test/images, which does not exist"))
    #expect(found.run.notes.isEmpty && found.isBalanced)
  }

  @Test("Darknet: obj.data names lists and names; listed paths are matched by their end")
  func darknet() throws {
    let tree = FileTree(fixture: "yolo/darknet")
    let found = try CollectedObjects(detecting: tree)
    #expect(found.keys == (1...3).map { "obj_train_data/\($0).png" })
    #expect(found.splits == ["train", "train", "valid"])
    #expect(found.names == ["cat", "dog", "owl"])
    #expect(found.objects.map(\.label) == ["cat", "dog", "owl"])
    #expect(found.objects[1].box == Box(x: 4, y: 4, width: 2, height: 2))
    #expect(found.issues.isEmpty && found.run.notes.isEmpty && found.isBalanced)
  }

  @Test("Images and labels in one folder need no data file; classes.txt names the classes")
  func loose() throws {
    let found = try CollectedObjects(detecting: FileTree(fixture: "yolo/loose"))
    #expect(found.keys == ["a.png", "b.png"] && found.splits == [nil, nil])
    #expect(found.names == ["cat", "dog"])
    #expect(found.objects.map(\.label) == ["dog"])
    #expect(found.objects[0].box == Box(x: 0, y: 0, width: 10, height: 10))
    #expect(found.issues.isEmpty && found.run.notes.isEmpty && found.isBalanced)
    let split = try CollectedObjects(
      FileTree(fixture: "yolo/loose"), .init(split: "test", classes: ["a", "b"]))
    #expect(split.splits == ["test", "test"] && split.names == ["a", "b"])
    #expect(split.run.notes == ["the names of --classes replace those of classes.txt"])
  }

  @Test("Polygons keep their points; lists are relative to their folder or matched by their end")
  func segment() throws {
    let found = try CollectedObjects(detecting: FileTree(fixture: "yolo/segment"))
    #expect(found.keys == ["images/a.png", "images/b.png"] && found.splits == ["train", "val"])
    #expect(found.names == ["box", "leaf"])
    #expect(found.objects.map(\.label) == ["box", "leaf", "leaf"])
    #expect(found.objects[0].polygons == [[1, 1, 5, 1, 5, 3, 1, 3]])
    #expect(found.objects[0].box == Box(x: 1, y: 1, width: 4, height: 2))
    // Columns 1 to 4 and rows 1 and 2.
    #expect(found.objects[0].area == 8)
    #expect(found.objects[1].polygons == [[0, 0, 10, 0, 10, 10]])
    #expect(found.objects[2].polygons == [[2, 2, 4, 2, 4, 4, 3, 5, 2, 4]])
    #expect(found.issues.isEmpty && found.run.notes.isEmpty && found.isBalanced)
  }

  @Test("Keypoints of kpt_shape are kept as COCO keeps them, in pixels")
  func pose() throws {
    let found = try CollectedObjects(detecting: FileTree(fixture: "yolo/pose"))
    #expect(found.splits == ["train"])
    #expect(found.objects.map(\.box) == [Box(x: 4, y: 6, width: 2, height: 8)])
    #expect(
      found.objects[0].attributes
        == #"{"keypoints":[4.5,8.0,2,5.5,12.0,0],"num_keypoints":1}"#)
    #expect(found.places == ["duplicateID warning data.yaml:2"])
    #expect(
      found.run.notes == [
        "1 object has keypoints, which evaluate --iou-type keypoints compares; YOLO's files state no --sigmas"
      ])
    #expect(
      found.issues[0].message
        == "1 image of 'val' (images/a.png) is already in split 'train'; kept there")
    #expect(found.isBalanced)
  }

  @Test("Coordinates are relative to the displayed image, as its EXIF orientation turns it")
  func turned() throws {
    let found = try CollectedObjects(detecting: FileTree(fixture: "yolo/turned"))
    #expect(found.samples.map(\.size) == [ImageSize(width: 2, height: 6)])
    #expect(found.objects.map(\.box) == [Box(x: 0, y: 1.5, width: 2, height: 3)])
    #expect(found.names == ["0"])
    #expect(found.run.notes.contains { $0.contains("--classes a,b,c names them") })
    #expect(found.issues.isEmpty)
  }

  @Test(
    "The trees of Datumaro are imported",
    .outsideData("formats/yolo_dataset", twin: "YOLOImporterTests.darknet"),
    arguments: [
      ("annotations", ["Images/1.jpg"], [nil]),
      ("labels", ["images/train/1.jpg", "images/val/1.jpg"], ["train", "val"]),
      ("strict", ["obj_train_data/1.jpg"], ["train"]),
    ] as [(String, [String], [String?])])
  func real(name: String, keys: [String], splits: [String?]) throws {
    let tree = FileTree(outside: "formats/yolo_dataset/\(name)")
    let found = try CollectedObjects(detecting: tree)
    #expect(found.keys == keys && found.splits == splits)
    #expect(found.names == (0..<10).map { "label_\($0)" })
    for sample in found.samples {
      #expect(sample.size == ImageSize(width: 15, height: 10))
      #expect(sample.objects.map(\.label) == ["label_2", "label_4"])
      // 2 0.133333 0.3 0.266667 0.2 and 4 0.266667 0.45 0.133333 0.3 on 15 × 10 pixels.
      let expected = [(-0.0000075, 2, 4.000005, 2), (3.0000075, 3, 1.999995, 3)]
      for (object, box) in zip(sample.objects, expected) {
        let found = try #require(object.box)
        let differences = [
          found.x - box.0, found.y - Double(box.1), found.width - box.2,
          found.height - Double(box.3),
        ]
        #expect(differences.allSatisfy { abs($0) < 1e-9 }, "\(found)")
      }
    }
    #expect(found.issues.isEmpty && found.isBalanced)
  }

  @Test("Any number of workers gives the same samples and issues")
  func workers() throws {
    let images = (0..<200).map { "images/train/\($0).png" }
    var texts = ["data.yaml": "train: images/train\nnames: [a, b, c]\n"]
    for number in 0..<200 where number % 3 > 0 {
      texts["labels/train/\(number).txt"] =
        "\(number % 5) 0.5 0.5 0.2 0.1\n\(number % 3) 0.\(number) 0.2 0.1 0.1 \(number % 2)\n"
    }
    let tree = try MemoryTree(images: images, texts: texts)
    let one = try CollectedObjects(tree, .init(workers: 1))
    #expect(one.isBalanced && one.samples.count == 200)
    for workers in [2, 5] {
      #expect(try CollectedObjects(tree, .init(workers: workers)) == one)
    }
  }

  @Test("Options that do not apply are refused, and a file is not a dataset")
  func options() throws {
    let tree = FileTree(fixture: "yolo/loose")
    #expect(throws: FormatError.unusedOption("--size", format: .yolo)) {
      try CollectedObjects(tree, .init(size: ImageSize(width: 1, height: 1)))
    }
    let file = MemoryTree("train: images\nval: images\nnames: [a]\n", name: "data.yaml")
    let error = #expect(throws: FormatError.self) { try CollectedObjects(file) }
    #expect("\(try #require(error))".contains("name its folder"))
    #expect(throws: FormatError.self) { try FormatDetector.detect(file) }
  }
}

extension CollectedObjects {
  fileprivate init(_ tree: some SourceTree, _ options: ImportOptions) throws {
    try self.init(tree, as: .yolo, options)
  }
}
