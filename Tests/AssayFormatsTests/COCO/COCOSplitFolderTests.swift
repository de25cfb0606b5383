import AssayCore
import AssayFormats
import Testing

@Suite("Folders of COCO's splits")
struct COCOSplitFolderTests {
  private static func tree(_ files: [(json: String, names: [String])], _ images: [String])
    -> MemoryTree
  {
    var content: [String: [UInt8]] = [:]
    for path in images { content[path] = COCOLayoutTests.jpeg }
    for (json, names) in files { content[json] = COCOLayoutTests.json(names) }
    return MemoryTree(folder: content)
  }

  @Test(
    "Of images with the same name, a file means those in the folder of its split",
    arguments: [
      (["annotations/val.json"], ["images/train/1.jpg", "images/valid/1.jpg"], [1]),
      (["annotations/VAL.json"], ["images/train/1.jpg", "images/validation/1.jpg"], [1]),
      (["annotations/test.json"], ["images/train/1.jpg", "images/testing/1.jpg"], [1]),
      (["annotations/train.json", "annotations/val.json"], ["Train/1.jpg", "Val/1.jpg"], [0, 1]),
      (["annotations/train.json", "annotations/val.json"], ["trn/1.jpg", "dev/1.jpg"], [0, 1]),
      (
        ["annotations/train.json", "annotations/val.json"],
        ["train_images/1.jpg", "val_images/1.jpg"], [0, 1]
      ),
      (
        ["annotations/instances_train.json", "annotations/instances_val.json"],
        ["x/deep/Train2017/1.jpg", "x/deep/Val2017/1.jpg"], [0, 1]
      ),
      (
        ["annotations/train/instances.json", "annotations/valid/instances.json"],
        ["images/train/1.jpg", "images/valid/1.jpg"], [0, 1]
      ),
      (
        ["labels/train/x.json", "labels/valid/x.json"], ["train/1.jpg", "val/1.jpg"], [0, 1]
      ),
      // The exact spelling goes before another year, case or name.
      (["annotations/instances_val2017.json"], ["val2014/1.jpg", "val2017/1.jpg"], [1]),
      (["annotations/val.json"], ["x/val/1.jpg", "x/valid/1.jpg"], [0]),
      (["annotations/val.json"], ["valid/1.jpg", "Val/1.jpg"], [1]),
      // A folder of images alone is taken where the split has none of the same names.
      (["annotations/val.json"], ["images/1.jpg", "images/valid/2.jpg"], [0]),
      (["annotations/val.json"], ["images/1.jpg", "images/valid/1.jpg"], [1]),
      (["annotations/val.json"], ["train/1.jpg", "valid/2.jpg"], [0]),
      // Masks called like the images are not the images.
      (["annotations/instances_val.json"], ["x/val_masks/1.jpg", "x/val_pictures/1.jpg"], [1]),
      (["anno/x.json"], ["pictures/1.jpg", "panoptic_x/1.jpg"], [0]),
      // Of two datasets each has its own images.
      (["a/anno/x.json", "b/anno/x.json"], ["a/pics/1.jpg", "b/pics/1.jpg"], [0, 1]),
    ])
  func splits(files: [String], images: [String], taken: [Int]) throws {
    let tree = Self.tree(files.map { ($0, ["1.jpg"]) }, images)
    let found = try COCOCollected(tree)
    #expect(found.samples == taken.map { images[$0] })
    #expect(found.run.lists?.imagesFound == taken.count)
    #expect(found.isBalanced)
  }

  @Test(
    "Where nothing says which of several folders is meant, the file is refused with their names",
    arguments: [
      ("annotations.json", ["test/1.jpg", "train/1.jpg"], ["1.jpg"]),
      ("annotations/val.json", ["images/test/1.jpg", "images/train/1.jpg"], ["1.jpg"]),
      ("annotations/x.json", ["pictures/1.jpg", "thumbnails/1.jpg"], ["1.jpg"]),
      ("annotations/val.json", ["x/valid/1.jpg", "x/validation/1.jpg"], ["1.jpg"]),
      ("annotations/val.json", ["x/train/b/1.jpg", "y/test/b/1.jpg"], ["v/b/1.jpg"]),
      (
        "annotations/val.json",
        ["test/1.jpg", "train/1.jpg", "train/2.jpg", "train/3.jpg", "train/4.jpg"],
        ["1.jpg", "2.jpg", "3.jpg", "4.jpg"]
      ),
    ])
  func ambiguous(file: String, images: [String], names: [String]) throws {
    let tree = Self.tree([(file, names)], images)
    let refusal = #expect(throws: FormatError.self) { try COCOCollected(tree) }
    let text = "\(try #require(refusal))"
    let folders = Set(images.map { String($0.split(separator: "/")[0]) })
    #expect(folders.allSatisfy { text.contains("\($0)") }, "\(text)")
    #expect(text.contains("assay import PATH/\(file) --images PATH/"), "\(text)")
    let apart = MemoryTree(
      COCOLayoutTests.json(names), name: String(file.split(separator: "/").last ?? ""))
    let error = #expect(throws: FormatError.self) {
      try COCOCollected(apart, ImportOptions(images: tree))
    }
    let other = "\(try #require(error))"
    #expect(other.contains("name the one of its images with --images"), "\(other)")
  }

  @Test("A folder with most of the names is taken, not one with a few by chance")
  func most() throws {
    let names = (0..<10).map { "\($0).jpg" }
    let images = names.map { "pictures/\($0)" }
    let found = try COCOCollected(
      Self.tree([("anno/x.json", names)], images + ["examples/1.jpg", "examples/2.jpg"]))
    #expect(found.samples == images)
    let more = try COCOCollected(
      Self.tree([("anno/x.json", names)], images + names.dropFirst().map { "copies/\($0)" }))
    #expect(more.samples == images)
  }

  @Test(
    "A folder called like a split gives the split if the file's name does not",
    arguments: [
      ("train/annotations/instances.json", "train/images/1.jpg", "train"),
      ("Valid/labels/x.json", "Valid/images/1.jpg", "Valid"),
      ("x/val2017/annotations/x.json", "x/val2017/1.jpg", "val2017"),
      ("train/instances_default.json", "train/images/1.jpg", "train"),
      ("train/annotations/instances_default.json", "train/images/default/1.jpg", "train"),
      ("valid/annotations/person_keypoints_default.json", "valid/images/1.jpg", "valid"),
      ("annotations/instances_default.json", "images/1.jpg", "default"),
      ("task/annotations/instances_default.json", "task/images/1.jpg", "default"),
      ("train/annotations/instances_val.json", "train/images/1.jpg", "val"),
      ("task/annotations/x.json", "task/images/1.jpg", nil),
      ("annotations/x.json", "images/1.jpg", nil),
    ] as [(String, String, String?)])
  func folders(file: String, image: String, split: String?) throws {
    let found = try COCOCollected(Self.tree([(file, ["1.jpg"])], [image]))
    #expect(found.samples == [image])
    #expect(found.splits == [split])
    #expect(found.run.lists?.imagesFound == 1)
  }
}
