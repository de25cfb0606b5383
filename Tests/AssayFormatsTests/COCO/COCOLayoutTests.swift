import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("Layouts of COCO")
struct COCOLayoutTests {
  static func json(_ names: [String], category: String = "a") -> [UInt8] {
    let images = names.enumerated().map { place, name in
      "{\"id\":\(place),\"width\":10,\"height\":5,\"file_name\":\"\(name)\"}"
    }
    return Array(
      SmallCOCO.file(
        images: images.joined(separator: ","), categories: "{\"id\":7,\"name\":\"\(category)\"}",
        annotations: SmallCOCO.annotation(["image_id": "0"])
      ).utf8)
  }

  static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]

  private static func folder(_ files: [String: [UInt8]]) -> MemoryTree { MemoryTree(folder: files) }

  @Test(
    "Images are found beside, below and above their JSON, whose name or folder is the split",
    arguments: [
      ("annotations/instances_val2017.json", "val2017/1.jpg", "1.jpg", "val2017"),
      ("annotations/instances_val.json", "images/val/1.jpg", "1.jpg", "val"),
      ("instances_val2017.json", "val2017/1.jpg", "1.jpg", "val2017"),
      ("train/_annotations.coco.json", "train/1.jpg", "1.jpg", "train"),
      ("annotations/instances_default.json", "images/1.jpg", "1.jpg", "default"),
      ("annotations/train.json", "train/1.jpg", "1.jpg", "train"),
      ("annotations/people_train.json", "train/1.jpg", "1.jpg", "train"),
      ("result.json", "images/1.jpg", "images/1.jpg", nil),
      ("result.json", "1.jpg", "1.jpg", nil),
      ("valid/labels.json", "valid/data/1.jpg", "1.jpg", "valid"),
      ("annotations/instances_x.json", "deep/er/1.jpg", "1.jpg", "x"),
      ("annotations/instances_x.json", "x/1.jpg", "../x/1.jpg", "x"),
      ("annotations/instances_x.json", "x/1.jpg", "./1.jpg", "x"),
      ("annotations/instances_x.json", "x/sub/1.jpg", "sub/1.jpg", "x"),
    ] as [(String, String, String, String?)])
  func layouts(json: String, image: String, name: String, split: String?) throws {
    let tree = Self.folder([json: Self.json([name]), image: Self.jpeg])
    #expect(try FormatDetector.detect(tree).format == .coco)
    let found = try COCOCollected(tree)
    #expect(found.samples == [image])
    #expect(found.splits == [split])
    #expect(found.run.lists?.imagesFound == 1)
    #expect(!found.issues.contains { $0.kind == .missingImage })
    #expect(found.isBalanced)
  }

  @Test("Results of a model beside the annotations are named, with the command that imports them")
  func results() throws {
    let results = #"[{"image_id": 0, "category_id": 7, "bbox": [1, 2, 3, 4], "score": 0.5}]"#
    let tree = Self.folder([
      "annotations/instances_val.json": Self.json(["1.jpg"]), "val/1.jpg": Self.jpeg,
      "my results.json": Array(results.utf8), "other.json": Array("[1, 2]".utf8),
    ])
    #expect(try FormatDetector.detect(tree).format == .coco)
    let found = try COCOCollected(tree)
    let issue = try #require(found.issues.first { $0.kind == .unsupportedFile })
    #expect(issue.location.file == "my results.json")
    #expect(
      issue.message.contains(
        "assay predictions import 'PATH/my results.json' --name RUN --in DATASET"))
    #expect(found.issues.count { $0.kind == .unsupportedFile } == 1)
  }

  @Test(
    "Images that no JSON file lists are told; PNG files of panoptic segments are not taken for such"
  )
  func unlisted() throws {
    let found = try COCOCollected(
      Self.folder([
        "annotations/instances_val.json": Self.json(["1.jpg"]), "val/1.jpg": Self.jpeg,
        "val/2.jpg": Self.jpeg, "test/1.jpg": Self.jpeg, "panoptic_val/1.png": Self.jpeg,
        "panoptic_val/3.png": Self.jpeg, "masks/1.png": Self.jpeg, "val/4.png": Self.jpeg,
        "val/5.BMP": Self.jpeg, "val/6.txt": Self.jpeg,
      ]))
    #expect(found.run.notes.contains("4 images that no JSON file lists are left out"))
    let issue = try #require(found.issues.first { $0.kind == .missingLabel })
    #expect(issue.severity == .warning && issue.location.file == "test")
    #expect(issue.message == "4 images (test/1.jpg, …) that no JSON file lists; left out")
    #expect(found.samples == ["val/1.jpg"] && found.isBalanced)
  }

  @Test("Each JSON is a split, their classes are joined by name, and equal names stay apart")
  func splits() throws {
    let found = try COCOCollected(
      Self.folder([
        "annotations/instances_train.json": Self.json(["1.jpg"]),
        "annotations/instances_val.json": Self.json(["1.jpg"], category: "b"),
        "train/1.jpg": Self.jpeg, "val/1.jpg": Self.jpeg,
      ]))
    #expect(found.samples == ["train/1.jpg", "val/1.jpg"])
    #expect(found.splits == ["train", "val"])
    #expect(found.categories.map(\.name) == ["a", "b"])
    #expect(found.regions.map(\.category) == ["a", "b"])
    #expect(found.regions.map(\.key) == found.samples)
    #expect(found.isBalanced)
  }

  @Test("A folder of class folders with no COCO in its JSON is no COCO")
  func others() throws {
    let tree = Self.folder([
      "cat/1.jpg": Self.jpeg, "notes.json": Array("{\"images\":3,\"by\":\"me\"}".utf8),
      "cat/1.json": Array(#"{"annotation":{"folder":"x","object":[{"parts":{}}]}}"#.utf8),
    ])
    let error = #expect(throws: FormatError.self) { try FormatDetector.detect(tree) }
    guard case .companions? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description.contains("ADE20K") == true)
  }

  @Test("Other files of the family are named, and keypoints taken where no instances are")
  func family() throws {
    let keypoints = Self.json(["1.jpg"])
    let captions = Array(
      "{\"images\":[],\"annotations\":[{\"id\":1,\"image_id\":0,\"caption\":\"x\"}]}".utf8)
    let panoptic = Array(
      "{\"images\":[],\"annotations\":[{\"image_id\":0,\"segments_info\":[]}]}".utf8)
    let found = try COCOCollected(
      Self.folder([
        "annotations/instances_val.json": Self.json(["1.jpg"]),
        "annotations/person_keypoints_val.json": keypoints,
        "annotations/person_keypoints_train.json": keypoints,
        "annotations/captions_val.json": captions, "annotations/segments.json": panoptic,
        "annotations/stuff_val.json": keypoints, "val/1.jpg": Self.jpeg,
        "train/1.jpg": Self.jpeg,
      ]))
    #expect(found.splits == ["val", "train"])
    #expect(
      found.issues.filter { $0.kind == .unsupportedFile }.map(\.location.file) == [
        "annotations/captions_val.json", "annotations/person_keypoints_val.json",
        "annotations/stuff_val.json", "annotations/segments.json",
      ])
  }

  @Test("Images apart are looked for in their own folder")
  func apart() throws {
    let images = Self.folder(["val2017/1.jpg": Self.jpeg])
    let json = MemoryTree(Self.json(["1.jpg", "2.jpg"]), name: "instances_val2017.json")
    let found = try COCOCollected(json, ImportOptions(images: images))
    #expect(found.samples == ["val2017/1.jpg", "val2017/2.jpg"])
    let missing = try #require(found.issues.first { $0.kind == .missingImage })
    #expect(missing.location.pointer == "/images/1/file_name")
    #expect(missing.sampleKey == "val2017/2.jpg")
    #expect((found.run.lists?.images, found.run.lists?.imagesFound) == (2, 1))
  }

  @Test("Where no image is there, that is one issue with the count")
  func allMissing() throws {
    let names = (0..<500).map { "\($0).jpg" }
    let found = try COCOCollected(MemoryTree(Self.json(names), name: "instances_val2017.json"))
    let missing = found.issues.filter { $0.kind == .missingImage }
    #expect(missing.count == 1)
    #expect(missing.first?.message.hasPrefix("none of its 500 images exists") == true)
    #expect(found.samples == names)
  }

  @Test(
    "The layouts of Datumaro's test assets are read",
    .outsideData("formats/coco_dataset", twin: "COCOLayoutTests.layouts"),
    arguments: ["coco", "coco_instances", "coco_roboflow", "mmdet_coco", "coco_person_keypoints"])
  func datumaro(name: String) throws {
    let found = try COCOCollected(FileTree(outside: "formats/coco_dataset/\(name)"))
    #expect(found.splits == ["train", "val"])
    #expect(found.sizes == [ImageSize(width: 10, height: 5), ImageSize(width: 5, height: 10)])
    #expect(found.run.lists?.imagesFound == 2)
    #expect(found.regions.count == 3)
    #expect(found.isBalanced)
  }

  @Test(
    "COCO's own images and annotations are all read, and nothing is odd about them",
    .outsideData("coco/mini", twin: "COCOLayoutTests.small"))
  func mini() throws {
    let found = try COCOCollected(FileTree(outside: "coco/mini"), ImportOptions(checksImages: true))
    #expect(found.issues == [])
    #expect((found.samples.count, found.regions.count) == (79, 624))
    #expect(found.regions.count { $0.isCrowd } == 5)
    #expect(found.categories.count == 80)
    #expect(found.splits.allSatisfy { $0 == "val2017" })
    // Any number of workers and any batch size give the same result.
    #expect(
      try COCOCollected(
        FileTree(outside: "coco/mini"), ImportOptions(workers: 3, blockBytes: 500)) == found)
  }

  @Test("A small set is all read, nothing is odd about it, and workers and batches change nothing")
  func small() throws {
    let tree = FileTree(fixture: "detect/shapes")
    let found = try COCOCollected(tree, ImportOptions(checksImages: true))
    #expect(found.issues == [])
    #expect((found.samples.count, found.regions.count) == (2, 19))
    #expect(found.regions.count { $0.isCrowd } == 1)
    #expect(found.categories.count == 3)
    #expect(found.splits == ["val", "val"])
    #expect(try COCOCollected(tree, ImportOptions(workers: 3, blockBytes: 500)) == found)
  }
}
