import AssayCore
import AssayFormats
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@Suite("Annotations that an importer does not read")
struct CompanionsTests {
  private static let png = DatasetLayout.png

  /// The text of the error; `nil` if the tree is accepted.
  private func refusal(
    _ tree: some SourceTree, as format: DatasetFormat? = nil, ignoring: Bool = false
  ) throws -> String? {
    do {
      _ = try FormatDetector.detect(tree, forced: format, ignoresCompanions: ignoring)
      return nil
    } catch let error as FormatError {
      return "\(error)"
    }
  }

  @Test(
    "A layout that assay does not import is refused and recognized",
    arguments: DatasetLayout.texts + DatasetLayout.binaries)
  func layouts(_ layout: DatasetLayout) throws {
    let text = try #require(try refusal(MemoryTree(folder: layout.files)))
    #expect(text.contains(layout.says))
    #expect(text.contains("PATH:"))
    #expect(text.contains("--ignore-companions"))
  }

  @Test(
    "Masks in formats that are not read are named with the command; other pictures are not",
    arguments: [
      ("train_masks/1_mask.gif", "train/1.png", true), ("masks/1.jp2", "images/1.png", true),
      ("1_mask.gif", "1.png", true), ("masks/2.gif", "images/1.png", false),
      ("cat/1.gif", "cat/1.png", false), ("cat/other_masks/1.gif", "cat/1.png", false),
    ])
  func unreadMasks(mask: String, image: String, isNamed: Bool) throws {
    let text = try refusal(MemoryTree(folder: [mask: [1], image: Self.png])) ?? ""
    let suffix = try #require(mask.split(separator: ".").last)
    #expect(text.contains("1 .\(suffix) file looks like a mask (\(mask))") == isNamed, "\(text)")
    #expect(text.contains("mogrify -format png PATH/") == isNamed)
  }

  @Test("A stated format does not drop annotations either, unless they are to be ignored")
  func forced() throws {
    for layout in DatasetLayout.texts {
      let tree = MemoryTree(folder: layout.files)
      let text = try #require(try refusal(tree, as: .imageFolder), "\(layout.testDescription)")
      #expect(text.contains(layout.says))
      #expect(try refusal(tree, as: .imageFolder, ignoring: true) == nil)
    }
  }

  @Test("A folder of images without annotations is no layout")
  func plainFolders() throws {
    let folders: [[String: [UInt8]]] = [
      ["1.png": Self.png], ["cat/1.png": Self.png, "dog/1.png": Self.png],
      ["train/cat/1.png": Self.png, "val/cat/1.png": Self.png], ["val2017/1.png": Self.png],
      ["mask/1.png": Self.png, "no_mask/1.png": Self.png],
      ["cat/hash": Self.png, "cat/1.bmp": [1, 2], "cat/clip.mp4": [0, 0]],
    ]
    for folder in folders { #expect(try refusal(MemoryTree(folder: folder)) == nil) }
  }

  @Test("Readmes, licenses, checksums and what systems leave are harmless, and no issue")
  func harmless() throws {
    var files = ["cat/1.png": Self.png]
    for name in [
      "README", "README.md", "readme.txt", "README.dataset.txt", "LICENSE", "LICENSE.txt",
      "Thumbs.db", "cat/Thumbs.db", "desktop.ini", "SHA256SUMS", "checksums.txt", "cat.md5",
      "CITATION.cff", "make.py",
    ] { files[name] = Array("hello".utf8) }
    let found = try Collected(detecting: MemoryTree(folder: files))
    #expect(found.keys == ["cat/1.png"])
    #expect(found.issues.isEmpty)
    #expect(found.run.outcome.read == 1)
  }

  @Test("The manifests that an export of assay's own writes are no annotations, others are")
  func ownManifest() throws {
    var files = [
      "cat/1.png": Self.png,
      "manifest.json": Array("{\n  \"made_by\": \"assay\",\n  \"kind\": \"folder\"}".utf8),
      "manifest.csv": Array("key,file,row,split,label,corrected,label_from\n".utf8),
    ]
    #expect(try refusal(MemoryTree(folder: files)) == nil)
    files["manifest.csv"] = Array("image,label,note\n1.png,cat,x\n".utf8)
    #expect(try refusal(MemoryTree(folder: files))?.contains("tables of images") == true)
  }

  @Test("Where annotations are ignored, folders such as images/ are no classes")
  func ignored() throws {
    let tree = MemoryTree(
      folder: [
        "images/1.png": Self.png,
        "labels/1.json": Array(#"[{"image_id": 1, "caption": "a cat"}]"#.utf8),
      ])
    let found = try Collected(tree, as: .imageFolder, ImportOptions(ignoresCompanions: true))
    #expect(found.labels == [nil])
    #expect(found.classes.isEmpty)
    #expect(found.kinds.isEmpty)
  }

  @Test("Where all images lie below one folder that is no class, the refusal names that folder")
  func inner() throws {
    for (files, folder) in [
      (["images/cat/1.png", "images/dog/1.png"], "images"), (["images/1.png"], "images"),
      (["data/cat/1.png", "data/dog/1.png"], "data"),
    ] {
      let tree = MemoryTree(
        folder: Dictionary(uniqueKeysWithValues: files.map { ($0, Self.png) }))
      let text = try #require(try refusal(tree))
      #expect(text.contains("import that folder instead: PATH/\(folder);"), "\(text)")
      let found = try Collected(tree, as: .imageFolder, ImportOptions(ignoresCompanions: true))
      #expect(found.labels.allSatisfy { $0 == nil } && found.classes.isEmpty)
    }
    // With labels next to it, the advice is different.
    let labeled = MemoryTree(
      folder: [
        "images/1.png": Self.png,
        "labels/1.json": Array(#"[{"image_id": 1, "caption": "a cat"}]"#.utf8),
      ])
    #expect(try refusal(labeled)?.contains("import that folder instead") == false)
    // A class whose images are in a deeper folder is still one class.
    let deep = MemoryTree(folder: ["cat/a/1.png": Self.png, "dog/b/1.png": Self.png])
    #expect(try refusal(deep) == nil)
  }

  @Test("Masks whose list of classes or pairs is read are imported, and other files refuse them")
  func masks() throws {
    for name in ["camvid/index", "camvid/colors", "masks/binary"]
    where FileManager.default.fileExists(
      atPath: PackageFolder.fixture("\(name)").path)
    {
      #expect(try refusal(FileTree(fixture: name)) == nil, "\(name)")
    }
    var files = ["train/1.png": Self.png, "trainannot/1.png": Self.png]
    #expect(try refusal(MemoryTree(folder: files)) == nil)
    files["train.txt"] = Array("/x/train/1.png /x/trainannot/1.png\n".utf8)
    #expect(try refusal(MemoryTree(folder: files)) == nil)
    files["boxes.json"] = Array(#"{"shapes": [], "imagePath": "1.png"}"#.utf8)
    let text = try #require(try refusal(MemoryTree(folder: files)))
    #expect(text.contains("as camvid it would lose annotations"))
    #expect(text.contains("LabelMe annotations (JSON)"))
  }

  @Test("A tree of several datasets is refused with a list of them")
  func several() throws {
    let label = Array("0 0.5 0.5 0.2 0.1".utf8)
    let tree = MemoryTree(
      folder: [
        "a/images/1.png": Self.png, "a/labels/1.txt": label,
        "b/JPEGImages/1.png": Self.png, "b/Annotations/1.xml": Array(DatasetLayout.voc.utf8),
      ])
    let text = try #require(try refusal(tree))
    #expect(text.contains("contains several datasets; import them one at a time"))
    #expect(text.contains("\n  a: YOLO labels"))
    #expect(text.contains("\n  b: Pascal VOC annotations"))
    let ignoring = ImportOptions(ignoresCompanions: true)
    #expect(try Collected(tree, as: .imageFolder, ignoring).labels == [nil, nil])
    // Split folders above the parts of one dataset do not make it several datasets.
    let one = MemoryTree(
      folder: [
        "train/images/1.png": Self.png, "train/labels/1.txt": label,
        "valid/images/2.png": Self.png, "valid/labels/2.txt": label,
      ])
    #expect(try refusal(one) == nil)
  }

  @Test("A file inside a dataset belongs to it, also in a folder called annotations")
  func nestedRoots() throws {
    let label = Array("0 0.5 0.5 0.2 0.1".utf8)
    var files = [
      "annotations/Images/1.png": Self.png, "annotations/Annotations/1.txt": label,
      "annotations/obj.names": Array("cat\n".utf8), "labels/images/1.png": Self.png,
      "labels/labels/1.txt": label, "labels/obj.names": Array("cat\n".utf8),
    ]
    let text = try #require(try refusal(MemoryTree(folder: files)))
    #expect(
      text.contains(
        "one at a time:\n  annotations: YOLO labels (assay import PATH/annotations)\n  labels: YOLO labels (assay import PATH/labels)\n"
      ))
    files = files.filter { $0.key.hasPrefix("labels/") }
    #expect(try refusal(MemoryTree(folder: files)) == nil)
  }

  @Test("Several datasets of COCO are all listed, those that are not instances too")
  func severalCOCO() throws {
    func json(_ annotation: String) -> [UInt8] {
      Array(
        (#"{"images": [{"id": 1, "file_name": "1.png", "width": 3, "height": 2}], "#
          + #""categories": [{"id": 1, "name": "a"}], "annotations": [{"id": 1, "image_id": 1, "#
          + annotation + "}]}").utf8)
    }
    let box = #""category_id": 1, "bbox": [0, 0, 1, 1], "iscrowd": 0, "area": 1"#
    let tree = MemoryTree(
      folder: [
        "a/train/_annotations.coco.json": json(box), "a/train/1.png": Self.png,
        "a/valid/_annotations.coco.json": json(box), "a/valid/1.png": Self.png,
        "b/annotations/instances_val.json": json(box), "b/val/1.png": Self.png,
        "b/annotations/captions_val.json": json(#""caption": "a cat""#),
        "c/annotations/captions_val.json": json(#""caption": "a cat""#), "c/val/1.png": Self.png,
      ])
    let text = try #require(try refusal(tree))
    #expect(
      text.contains(
        "one at a time:\n  a: COCO annotations (assay import PATH/a)\n  b: COCO annotations (assay import PATH/b)\n  c: COCO captions (assay import PATH/c)\n"
      ),
      "\(text)")
  }

  /// A gray 16×16 PNG whose pixels come from the closure.
  private static func gray(_ value: (Int) -> UInt8) throws -> [UInt8] {
    var raster = Raster<UInt8>(repeating: 0, width: 16, height: 16)
    for pixel in 0..<256 { raster.elements[pixel] = value(pixel) }
    return try ImageCodec.encodePNG(raster)
  }

  @Test("Images and their masks in folders of any names are no classes")
  func maskFolders() throws {
    let photo = try Self.gray { UInt8($0) }
    let mask = try Self.gray { $0 < 100 ? 0 : 255 }
    for folder in ["", "train/"] {
      let tree = MemoryTree(
        folder: [
          "\(folder)imgs/1.png": photo, "\(folder)imgs/2.png": photo,
          "\(folder)masks2/1.png": mask, "\(folder)masks2/2_mask.png": mask,
        ])
      let text = try #require(try refusal(tree))
      #expect(text.contains("the folder masks2 holds masks of the images in imgs"), "\(text)")
      #expect(text.contains("rename the folders to images and masks and import PATH:masks"))
      let found = try Collected(tree, as: .imageFolder, ImportOptions(ignoresCompanions: true))
      #expect(found.keys == ["\(folder)imgs/1.png", "\(folder)imgs/2.png"])
      #expect(found.labels == [nil, nil] && found.classes.isEmpty)
      #expect(found.run.notes.contains { $0.hasPrefix("2 masks were left out (\(folder)masks2/1") })
    }
    // Equal names alone are not an indication: numbered files of two classes have them too.
    let classes = [
      ["cat/1.png": photo, "dog/1.png": photo], ["a/1.png": mask, "b/1.png": mask],
      ["cat/1.png": photo, "mask/2.png": mask],
    ]
    for files in classes { #expect(try refusal(MemoryTree(folder: files)) == nil) }
  }

  @Test(
    "Masks beside the annotations of another format are named, and so is the way to import them")
  func masksBesideAnnotations() throws {
    let photo = try Self.gray { UInt8($0) }
    let mask = try Self.gray { $0 < 100 ? 0 : 255 }
    let instances =
      #"{"images": [{"id": 1, "file_name": "1.png", "width": 16, "height": 16}], "#
      + #""categories": [{"id": 1, "name": "a"}], "annotations": [{"id": 1, "image_id": 1, "#
      + #""category_id": 1, "bbox": [0, 0, 1, 1], "iscrowd": 0, "area": 1}]}"#
    let texts: [DatasetFormat: (path: String, text: String)] = [
      .coco: ("annotations/instances_val.json", instances),
      .voc: ("annotations/1.xml", DatasetLayout.voc),
      .imageNet: ("train.txt", "images/1.png 0\n"),
      .hfImageFolder: ("metadata.jsonl", #"{"file_name": "images/1.png", "label": "a"}"# + "\n"),
    ]
    for (format, (path, text)) in texts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      var files = ["images/1.png": photo, path: Array(text.utf8)]
      #expect(try FormatDetector.detect(MemoryTree(folder: files)).format == format)
      for name in ["masks/1.png", "masks/1_mask.png"] {
        files[name] = mask
        let text = try #require(try refusal(MemoryTree(folder: files)), "\(format)")
        #expect(text.contains("looks like a mask (\(name) of images/1.png)"), "\(text)")
        #expect(text.contains("with them instead: PATH:masks --ignore-companions"), "\(text)")
        #expect(try refusal(MemoryTree(folder: files), ignoring: true) == nil)
        files[name] = nil
      }
      // Another photograph in a folder of that name, and a rendering of a format's own masks, are none.
      files["masks/2.png"] = photo
      files["SegmentationClassVisualization/1.png"] = mask
      #expect(try refusal(MemoryTree(folder: files)) == nil, "\(format)")
    }
  }

  @Test("Texts that are called like images, and JSON that names them, are named beside any format")
  func textsAboutImages() throws {
    for (path, text) in [
      ("images/1.txt", "a cat on a mat\n"), ("images/1.json", #"{"exposure": 2}"#),
      ("labels.json", #"{"1.png": "red"}"#), ("sizes.xlsx", "PK\u{3}\u{4}"),
    ] {
      let files = [
        "images/1.png": Self.png, "annotations/1.xml": Array(DatasetLayout.voc.utf8),
        path: Array(text.utf8),
      ]
      let text = try #require(try refusal(MemoryTree(folder: files)), "\(path)")
      #expect(text.contains(path), "\(text)")
    }
    for (path, text) in [
      ("notes.txt", "a cat on a mat\n"), ("other/1.txt", "a cat\n"),
      ("settings.json", #"{"color": "red"}"#), ("others.json", #"{"2.png": "red"}"#),
    ] {
      let files = [
        "images/1.png": Self.png, "annotations/1.xml": Array(DatasetLayout.voc.utf8),
        path: Array(text.utf8),
      ]
      #expect(try refusal(MemoryTree(folder: files)) == nil, "\(path)")
    }
  }

  @Test("Arrays that repeat the masks beside them are no annotations; others are")
  func arrayCopies() throws {
    let photo = try Self.gray { UInt8($0) }
    let mask = try Self.gray { $0 < 100 ? 0 : 255 }
    let array = [0x93] + Array("NUMPY".utf8)
    var files = [
      "JPEGImages/1.png": photo, "SegmentationClass/1.png": mask,
      "SegmentationClassNpy/1.npy": array, "class_names.txt": Array("background\ncat\n".utf8),
    ]
    #expect(try refusal(MemoryTree(folder: files)) == nil)
    // With masks of objects, it is Pascal VOC; drawings of the masks are no images without annotations.
    files["SegmentationObject/1.png"] = mask
    for number in 1...4 { files["SegmentationClassVisualization/\(number).png"] = photo }
    #expect(try FormatDetector.detect(MemoryTree(folder: files)).format == .voc)
    files["SegmentationClassNpy/2.npy"] = array
    #expect(try refusal(MemoryTree(folder: files))?.contains("NumPy arrays") == true)
  }

  @Test("Images without their annotations are imported without the masks, and that is said")
  func leftOutMasks() throws {
    let voc = Array(DatasetLayout.voc.utf8)
    for files in [
      ["Images/a/1.png": Self.png, "Masks/a/1_mask_0.png": Self.png, "Annotations/a/1.xml": voc],
      ["Images/a/1.png": Self.png, "Annotations/a/1.png": Self.png, "x.xml": voc],
      ["1.png": Self.png, "1_mask.png": Self.png, "1.xml": voc],
    ] {
      let tree = MemoryTree(folder: files)
      let found = try Collected(tree, as: .imageFolder, ImportOptions(ignoresCompanions: true))
      #expect(found.keys.count == 1 && found.keys[0].hasSuffix("1.png"), "\(found.keys)")
      #expect(found.run.notes.contains { $0.hasPrefix("1 mask was left out") })
    }
    // If all images are in such a folder, they are the ones to import.
    let all = MemoryTree(folder: ["labels/1.png": Self.png, "x.xml": voc])
    let found = try Collected(all, as: .imageFolder, ImportOptions(ignoresCompanions: true))
    #expect(found.keys == ["labels/1.png"])
  }

  @Test("COCO beside annotations of another format is refused; beside its own kin it is not")
  func coco() throws {
    let instances =
      #"{"images": [{"id": 1, "file_name": "1.png", "width": 3, "height": 2}], "#
      + #""categories": [{"id": 1, "name": "a"}], "annotations": [{"id": 1, "image_id": 1, "#
      + #""category_id": 1, "bbox": [0, 0, 1, 1], "iscrowd": 0, "area": 1}]}"#
    var files = [
      "annotations/instances_val.json": Array(instances.utf8), "val/1.png": Self.png,
      "val.zip": Array("PK\u{3}\u{4}".utf8), "notes.txt": Array("hello".utf8),
      "results.json": Array(
        #"[{"image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1], "score": 0.5}]"#.utf8),
    ]
    #expect(try FormatDetector.detect(MemoryTree(folder: files)).format == .coco)
    files["labels/val/1.txt"] = Array("0 0.5 0.5 0.2 0.1".utf8)
    #expect(try refusal(MemoryTree(folder: files))?.contains("YOLO labels") == true)
    files["labels/val/1.txt"] = nil
    files["more/annotations/instances_val.json"] = Array(instances.utf8)
    #expect(try refusal(MemoryTree(folder: files))?.contains("several datasets") == true)
  }

  @Test("Many files of one suffix are one line, and long lists are cut")
  func manyFiles() throws {
    var files = ["a/1.png": Self.png]
    let tracks = Array("1,1,10,20,30,40,1,1,0.5".utf8)
    for number in 0..<5000 { files["a/\(number).txt"] = tracks }
    for letter in "abcdefghijkl" { files["x.x\(letter)"] = [1] }
    let text = try #require(try refusal(MemoryTree(folder: files)))
    #expect(text.contains("5000 .txt files look like MOT Challenge labels"))
    #expect(text.contains("5 files with 5 other suffixes"))
    #expect(text.split(separator: "\n").count < 15)
  }

  @Test("Damaged companions of any kind are recognized or not, but never end the program")
  func mutations() throws {
    var random = SplitMix64(seed: 11)
    for layout in DatasetLayout.texts + DatasetLayout.binaries {
      for _ in 0..<20 {
        var files = layout.files
        for (path, bytes) in files where !path.hasSuffix(".png") && !bytes.isEmpty {
          var changed = bytes
          for _ in 0..<4 {
            let place = Int(random.next() % UInt64(changed.count))
            changed[place] = UInt8(truncatingIfNeeded: random.next())
          }
          files[path] = Array(changed.prefix(Int(random.next() % UInt64(changed.count + 1))))
        }
        _ = try? FormatDetector.detect(MemoryTree(folder: files))
      }
    }
  }

  /// The trees of many formats in the data folder.
  private static let trees =
    ["voc_dataset", "yolo_dataset", ".", "coco_dataset"]

  @Test(
    "No tree of the data loses its annotations without a word",
    .outsideData("formats", twin: "CompanionsTests.layouts"), arguments: trees)
  func realTrees(path: String) throws {
    let tree = FileTree(outside: "formats/\(path)")
    #expect(throws: FormatError.self) { _ = try Collected(detecting: tree) }
    #expect(throws: FormatError.self) {
      _ = try FormatDetector.detect(tree, forced: .imageFolder)
    }
  }

  @Test(
    "The trees of the data that have an importer still go to it",
    .outsideData("formats", twin: "CompanionsTests.importers"),
    arguments: [
      ("camvid_dataset", DatasetFormat.camVid), ("imagenet_dataset", .imageFolder),
      ("lfw_dataset", .lfw),
      ("coco_dataset/coco", .coco), ("coco_dataset/coco_roboflow", .coco),
      ("coco_dataset/mmdet_coco", .coco), ("coco_dataset/coco_instances", .coco),
      ("coco_dataset/coco_captions", .coco), ("coco_dataset/coco_image_info", .coco),
      ("coco_dataset/coco_panoptic", .coco), ("coco_dataset/coco_stuff", .coco),
      ("coco_dataset/coco_person_keypoints", .coco), ("coco_dataset/coco_labels", .cocoLabels),
      ("mnist_csv_dataset", .pixelCSV), ("yolo_dataset/annotations", .yolo),
      ("yolo_dataset/labels", .yolo), ("yolo_dataset/strict", .yolo),
      ("voc_dataset/voc_dataset1", .voc), ("voc_dataset/voc_dataset2", .voc),
      ("voc_dataset/voc_dataset3", .voc), ("labelme_dataset", .labelMe),
    ])
  func realImporters(path: String, format: DatasetFormat) throws {
    #expect(try FormatDetector.detect(FileTree(outside: "formats/\(path)")).format == format)
  }

  @Test(
    "Trees that no other list names go to their importer",
    arguments: [
      ("camvid/index", DatasetFormat.camVid), ("camvid/colors", .camVid),
      ("image-folder/splits", .imageFolder), ("goldens/data/street", .coco),
      ("coco/polygons.json", .coco), ("pixel-csv/no_header.csv", .pixelCSV),
      ("coco/family/coco_panoptic", .coco), ("coco/family/coco_captions", .coco),
      ("coco/family/coco_image_info", .coco), ("coco/family/coco_stuff", .coco),
      ("csv/tensorflow.csv", .csv),
    ])
  func importers(path: String, format: DatasetFormat) throws {
    #expect(try FormatDetector.detect(FileTree(fixture: path)).format == format)
  }
}
