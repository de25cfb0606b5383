import AssayCore
import AssayFormats
import Testing

@Suite("Folders of images that are neither splits nor classes")
struct FolderSignsTests {
  private static func tree(_ paths: [String]) -> MemoryTree {
    MemoryTree(
      folder: Dictionary(uniqueKeysWithValues: paths.map { ($0, ImageFolderImporterTests.png) }))
  }

  @Test(
    "They are refused with the reason and the next step, and are no classes where annotations are ignored",
    arguments: [
      (
        ["x/set/test/cat/1.png", "x/set/test/dog/1.png", "x/set/train/cat/1.png"],
        "folders below “x/set”, and “x” would be the only class",
        "import that folder instead: PATH/x/set;"
      ),
      (
        ["set/train/cat/1.png", "set/train/dog/1.png"],
        "folders below “set”, which would be the only class",
        "import that folder instead: PATH/set;"
      ),
      (
        ["a/b/c/cat/1.png", "a/b/c/dog/1.png"], "folders below “a/b/c”",
        "import that folder instead: PATH/a/b/c;"
      ),
      (
        [
          "train/A/1.png", "train/B/1.png", "val/A/1.png", "copy/train/A/1.png", "copy/val/A/1.png",
        ],
        "the folder copy only holds folders called like splits (copy/train, …), so it is neither a split nor",
        "assay import PATH/copy"
      ),
      (
        ["a/train/cat/1.png", "a/val/dog/1.png", "b/train/x/1.png", "b/val/y/1.png"],
        "the 2 folders a, b only hold folders called like splits", "assay import PATH/a"
      ),
      (
        ["train/test/1.png", "test/train/1.png"], "called like splits, too, so they are no classes",
        "directly in the folders of the splits"
      ),
      (
        ["stuffthingmaps/val2017/1.png", "val2017/1.png"],
        "the folder stuffthingmaps is part of a dataset's layout (COCO-Stuff)",
        "--ignore-companions"
      ),
      (
        [
          "train/0/left.png", "train/0/right.png", "train/1/left.png", "train/1/right.png",
          "train/2/left.png", "train/2/right.png",
        ],
        "each folder holds the same 2 file names (left.png, right.png), so each is one sample and no class",
        "give the images names of their own"
      ),
      (
        ["1/images/1.png", "1/masks/a.png", "1/masks/b.png", "2/images/2.png", "2/masks/c.png"],
        "the 2 folders 1, 2 hold masks beside images (1/masks and 1/images)",
        "each folder is one image and no class"
      ),
      (
        [
          "stage1_train/1/images/1.png", "stage1_train/1/masks/a.png",
          "stage1_train/2/images/2.png", "stage1_train/2/masks/b.png",
        ],
        "the 2 folders stage1_train/1, stage1_train/2 hold masks beside images", "COCO JSON"
      ),
      (
        ["7a/images/7a.png", "8b/images/8b.png"], "each folder holds one image, called like it",
        "--ignore-companions"
      ),
    ])
  func refused(paths: [String], reason: String, step: String) throws {
    let tree = Self.tree(paths)
    let (text, classes) = try ImageFolderImporterTests.refusal(tree)
    #expect(text.contains(reason), "\(text)")
    #expect(text.contains(step), "\(text)")
    #expect(text.contains("import that folder instead") == step.hasSuffix(";"), "\(text)")
    #expect(classes.isEmpty)
  }

  @Test("Folders of masks in classes of several images are refused, and the classes stay")
  func classesWithMasks() throws {
    let tree = Self.tree([
      "cat/images/1.png", "cat/images/2.png", "cat/masks/1_a.png", "dog/images/1.png",
      "dog/images/2.png", "dog/masks/1_a.png",
    ])
    let (text, classes) = try ImageFolderImporterTests.refusal(tree)
    #expect(text.contains("the 2 folders cat, dog hold masks beside images"), "\(text)")
    #expect(classes == ["cat", "dog"])
    var options = ImportOptions()
    options.ignoresCompanions = true
    let found = try Collected(tree, as: .imageFolder, options)
    #expect(found.labels == ["cat", "cat", "dog", "dog"])
  }

  @Test(
    "Classes are still classes",
    arguments: [
      (["train/car/1.png", "train/train/1.png", "val/train/1.png"], ["car", "train"]),
      (["cat/images/1.png", "cat/images/2.png", "dog/images/1.png"], ["cat", "dog"]),
      (["cat/images/1.png", "dog/images/1.png"], ["cat", "dog"]),
      (["cat/1.png"], ["cat"]), (["cat/a/1.png"], ["cat"]),
      (["extra/cat/1.png", "train/cat/1.png"], ["cat"]),
      (["a/1.png", "a/2.png", "b/1.png", "b/2.png", "c/1.png", "c/2.png"], ["a", "b", "c"]),
      (["a/left.png", "a/right.png", "b/left.png", "b/right.png"], ["a", "b"]),
      (["a/x.png", "a/y.png", "b/x.png", "b/y.png", "c/x.png", "c/y.png"], ["a", "b", "c"]),
    ])
  func classes(paths: [String], classes: [String]) throws {
    #expect(try Collected(detecting: Self.tree(paths)).classes == classes)
  }

  @Test(
    "Splits by a word of the folder's name, below the classes, and in folders of the same name",
    arguments: [
      (
        [
          "seg_pred/seg_pred/3.png", "seg_test/seg_test/sea/1.png", "seg_train/seg_train/sea/2.png",
        ],
        ["seg_pred -", "test sea", "train sea"]
      ),
      (["test_set/dog/1.png", "training_set/cat/1.png"], ["test dog", "training cat"]),
      (
        ["test_set/test_set/dog/1.png", "training_set/training_set/cat/1.png"],
        ["test dog", "training cat"]
      ),
      (["train/cat/1.png", "unlabeled/1.png"], ["train cat", "unlabeled -"]),
      (["test/test/1.png", "train/train/1.png"], ["test -", "train -"]),
      (["train/train/cat/1.png", "train/train/dog/1.png"], ["train cat", "train dog"]),
      (
        ["cat/test/1.png", "cat/train/1.png", "dog/train/1.png"],
        ["test cat", "train cat", "train dog"]
      ),
    ])
  func splits(paths: [String], places: [String]) throws {
    let found = try Collected(detecting: Self.tree(paths))
    #expect(found.keys == paths)
    #expect(
      zip(found.splits, found.labels).map { "\($0 ?? "-") \($1 ?? "-")" } == places)
  }

  @Test("The splits by words of folders' names are said")
  func reason() throws {
    let tree = Self.tree(["test_set/dog/1.png", "training_set/cat/1.png"])
    let text = try FormatDetector.detect(tree).reason
    #expect(
      text.contains(
        "splits by a word of their names (test_set: test, training_set: training), the second ones classes"
      ),
      "\(text)")
  }
}
