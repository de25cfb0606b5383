import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("Files that come with ImageNet and its subsets")
struct ImageNetFileTests {
  private func tree(_ images: [String], _ texts: [String: String]) -> MemoryTree {
    var files = texts.mapValues { Array($0.utf8) }
    for image in images { files[image] = DatasetLayout.png }
    return MemoryTree(folder: files)
  }

  private static let names = "n01440764 tench, Tinca tinca\nn01443537 goldfish\n"

  @Test("Kaggle's ImageNet-100: parts of splits, and names in a JSON by synset")
  func parts() throws {
    let images = [
      "train.X1/n01443537/a.png", "train.X2/n01440764/b.png", "val.X/n01443537/c.png",
    ]
    let names = #"{"n01440764": "tench, Tinca tinca", "n01443537": "goldfish"}"#
    let found = try Collected(detecting: tree(images, ["Labels.json": names]))
    #expect(found.splits == ["train", "train", "val"])
    #expect(found.labels == ["goldfish", "tench", "goldfish"] && found.issues.isEmpty)
    // Another JSON of this name is not taken for one of names, and annotations are refused.
    let other = try Collected(detecting: tree(images, ["Labels.json": #"{"a": 1}"#]))
    #expect(other.labels == ["n01443537", "n01440764", "n01443537"])
    let coco =
      #"{"images": [{"id": 1, "file_name": "a.png"}], "annotations": [], "categories": []}"#
    #expect(throws: FormatError.self) {
      try FormatDetector.detect(tree(images, ["Labels.json": coco]), forced: .imageNet)
    }
  }

  @Test("The class 0 of all of ILSVRC's test images is no class; of others it is noted")
  func placeholders() throws {
    let val = "ILSVRC2012_val_00000001.JPEG 1\nILSVRC2012_val_00000002.JPEG 0\n"
    let test = (1...8).map { "ILSVRC2012_test_0000000\($0).JPEG" }
    let images =
      test.map { "test/\($0)" } + (1...2).map { "val/ILSVRC2012_val_0000000\($0).JPEG" }
    let lists = [
      "val.txt": val, "synset_words.txt": Self.names,
      "test.txt": test.map { "\($0) 0\n" }.joined(),
    ]
    let found = try Collected(detecting: tree(images, lists))
    #expect(found.labels == Array(repeating: nil, count: 8) + ["goldfish", "tench"])
    #expect(found.splits.suffix(3) == ["test", "val", "val"])
    let issue = found.issues.first { $0.location.file == "test.txt" }
    #expect(issue?.message.contains("all 8 images of test.txt have the class 0") == true)
    #expect(found.isBalanced)

    let others = (0..<8).map { "\($0).png" }
    let plain = try Collected(
      detecting: tree(
        others.map { "images/\($0)" } + ["images/x.png", "images/y.png"],
        ["test.txt": others.map { "\($0) 0\n" }.joined(), "train.txt": "x.png 0\ny.png 1\n"]))
    #expect(plain.labels.prefix(8).allSatisfy { $0 == "0" })
    #expect(plain.run.notes.contains { $0.hasPrefix("all 8 images of test.txt have the class 0;") })
  }

  @Test("Caffe's names of the detection classes and Imagenette's noisy labels do not hinder")
  func files() throws {
    let images = ["train/n01440764/a.png", "val/n01443537/b.png"]
    let noisy = "path,noisy_labels_0,is_valid\ntrain/n01440764/a.png,n01443537,False\n"
    let found = try Collected(
      detecting: tree(
        images,
        [
          "synset_words.txt": Self.names, "det_synset_words.txt": "n02672831 accordion\n",
          "noisy_imagenette.csv": noisy,
        ]))
    #expect(found.labels == ["tench", "goldfish"] && found.classes == ["tench", "goldfish"])
    #expect(found.kinds == [.unsupportedField])
    #expect(found.issues.first?.location.file == "noisy_imagenette.csv")
  }

  @Test("trainval.txt repeats train.txt and val.txt; alone it is a split")
  func union() throws {
    let images = ["images/0.png", "images/1.png"]
    let (train, val) = ("0.png 0\n", "1.png 1\n")
    let found = try Collected(
      detecting: tree(images, ["train.txt": train, "val.txt": val, "trainval.txt": train + val]))
    #expect(found.splits == ["train", "val"] && found.issues.isEmpty)
    let other = try Collected(
      detecting: tree(
        images, ["train.txt": train, "val.txt": val, "trainval.txt": train + "1.png 0"]))
    #expect(other.kinds == [.duplicateID] && other.labels == ["0", "1"])
    let alone = try Collected(detecting: tree(images, ["trainval.txt": train, "test.txt": val]))
    #expect(alone.splits == ["trainval", "test"])
  }

  @Test("TensorFlow's list of synsets gives the classes of the validation images by their number")
  func synsets() throws {
    let name = "imagenet_2012_validation_synset_labels.txt"
    let images = (1...3).map { "val/ILSVRC2012_val_0000000\($0).JPEG" }
    let found = try Collected(
      detecting: tree(images, [name: "n01443537\nn01440764\n", "synset_words.txt": Self.names]))
    #expect(found.labels == ["goldfish", "tench", nil])
    #expect(found.kinds == [.missingLabel])
    let broken = tree(images, [name: "n01443537\ngoldfish\n"])
    #expect(throws: FormatError.self) { try Collected(broken, as: .imageNet) }
  }
}
