import AssayCore
import AssayFormats
import Testing

@Suite("Lists of splits and further files of Pascal VOC")
struct VOCListTests {
  private static func xml(_ label: String) -> String {
    VOCText.annotation(objects: [VOCText.object(label, 1, 1, 2, 2)])
  }

  private static func dataset(_ names: [String], _ texts: [String: String]) -> MemoryTree {
    var files: [String: String?] = texts.mapValues { $0 }
    for (number, name) in names.enumerated() {
      files["JPEGImages/\(name).png"] = .some(nil)
      files["Annotations/\(name).xml"] = xml(number.isMultiple(of: 2) ? "dog" : "cat")
    }
    return MemoryTree(texts: files)
  }

  @Test("Lists per class give the splits if no other list does, also VoTT's with names and blanks")
  func classLists() throws {
    let main = "ImageSets/Main"
    for (names, ending) in [(["0", "1", "2"], ""), (["a 0", "a 1", "a 2"], ".png")] {
      func lines(_ flags: [Int], from first: Int = 0) -> String {
        flags.enumerated().map { "\(names[first + $0])\(ending)  \($1)\n" }.joined()
      }
      let found = try CollectedShapes(
        detecting: Self.dataset(
          names,
          [
            "\(main)/cat_train.txt": lines([-1, 1]), "\(main)/cat_val.txt": lines([-1], from: 2),
            "\(main)/dog_train.txt": lines([1, -1]), "\(main)/dog_val.txt": lines([1], from: 2),
          ]))
      #expect(found.splits == ["train", "train", "val"])
      // The lists repeat the classes of the objects.
      #expect(found.shapes.map(\.label) == ["dog", "cat", "dog"])
      #expect(found.issues.isEmpty && found.isBalanced)
    }
  }

  @Test("A split that no plain list names is that of its lists per class")
  func mixed() throws {
    let found = try CollectedShapes(
      detecting: Self.dataset(
        ["0", "1", "2"],
        [
          "ImageSets/Main/train.txt": "0\n1\n", "ImageSets/Main/cat_train.txt": "0 -1\n1 1\n",
          "ImageSets/Main/cat_val.txt": "2 -1\n", "ImageSets/Main/red_cars.txt": "0\n",
        ]))
    #expect(found.splits == ["train", "train", "val"])
  }

  @Test(
    "Lists of names or paths beside the folders give the splits",
    arguments: [("0\n1\n", "2\n"), ("0.png\n1.png", "JPEGImages/2.png\n"), ("0\n1\n", "\n2")])
  func plainLists(train: String, val: String) throws {
    let found = try CollectedShapes(
      detecting: Self.dataset(["0", "1", "2"], ["train.txt": train, "val.txt": val]))
    #expect(found.splits == ["train", "train", "val"])
    #expect(found.issues.isEmpty && found.isBalanced)
  }

  @Test("Lists with other names, and lists beside ImageSets, do not change the splits of that")
  func otherLists() throws {
    let texts = ["train.txt": "x\ny\n", "val.txt": "no list of images\n"]
    #expect(try CollectedShapes(detecting: Self.dataset(["0"], texts)).splits == [nil])
    let both = ["ImageSets/Main/train.txt": "0\n", "val.txt": "0\n"]
    let found = try CollectedShapes(detecting: Self.dataset(["0"], both))
    #expect(found.splits == ["train"])
    #expect(found.run.notes.contains { $0.contains("another split in val.txt") })
    // A list of images and labels is another dataset's.
    let labels = Self.dataset(["0"], ["train.txt": "0.png cat\n"])
    #expect(throws: FormatError.self) { try FormatDetector.detect(labels) }
  }

  @Test("A missing image is named as the images beside it, and has their split")
  func missing() throws {
    let found = try CollectedShapes(
      detecting: MemoryTree(texts: [
        "train/images/0.png": nil, "train/annotations/0.xml": Self.xml("a"),
        "val/images/1.png": nil, "val/annotations/1.xml": Self.xml("a"),
        "val/annotations/gone.xml": Self.xml("a"),
      ]))
    #expect(found.keys == ["train/images/0.png", "val/images/1.png", "val/images/gone.jpg"])
    #expect(found.splits == ["train", "val", "val"])
    #expect(found.places == ["missingImage warning val/images/gone.jpg"])
  }

  @Test("labelme2voc's masks are read; its copies as arrays and its drawings are named")
  func labelme() throws {
    for (masks, arrays) in [("", "Npy"), ("PNG", "")] {
      var files: [String: [UInt8]] = [
        "JPEGImages/a.png": DatasetLayout.png,
        "class_names.txt": Array("_background_\ncat\n".utf8),
      ]
      for kind in ["Class", "Object"] {
        files["Segmentation\(kind)\(masks)/a.png"] = DatasetLayout.png
        files["Segmentation\(kind)\(arrays)/a.npy"] = [0x93] + Array("NUMPY".utf8)
        files["Segmentation\(kind)Visualization/a.png"] = DatasetLayout.png
      }
      let detection = try FormatDetector.detect(MemoryTree(folder: files))
      #expect(detection.format == .voc)
      let found = try CollectedShapes(MemoryTree(folder: files), as: .voc)
      #expect(found.keys == ["JPEGImages/a.png"] && found.run.imagesLeftOut == 0)
      let notes = found.run.notes.joined(separator: "\n")
      #expect(notes.contains("2 drawings of annotations (SegmentationClassVisualization/a.png, …)"))
      #expect(notes.contains("2 files (SegmentationClass\(arrays)/a.npy, …) are labelme's copies"))
    }
    let other = MemoryTree(folder: [
      "JPEGImages/a.png": DatasetLayout.png, "SegmentationClass/a.png": DatasetLayout.png,
      "labelmap.txt": Array("cat:1,1,1::\n".utf8), "depth/a.npy": [0x93] + Array("NUMPY".utf8),
    ])
    #expect(throws: FormatError.self) { try FormatDetector.detect(other) }
  }
}
