import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("KITTI")
struct KITTIImporterTests {
  private let benchmark = FileTree(fixture: "kitti/benchmark")

  @Test("The tree is recognized by the lines of its labels, and trees of other formats are not")
  func detection() throws {
    let detection = try FormatDetector.detect(benchmark)
    #expect(detection.format == .kitti)
    #expect(detection.reason == "training/label_2/000000.txt holds KITTI labels")
    #expect(
      try FormatFixtures.taken(by: KITTIImporter())
        == ["kitti/benchmark", "kitti/datumaro", "kitti/plain"])
    for path in ["kitti/datumaro", "kitti/plain"] {
      #expect(try FormatDetector.detect(FileTree(fixture: path)).format == .kitti)
    }
  }

  @Test("A line is a 2D box; the other fields are attributes; DontCare is void and a crowd")
  func lines() throws {
    let found = try CollectedObjects(benchmark, as: .kitti)
    let sample = try #require(found.samples.first { $0.key == "training/image_2/000000.png" })
    #expect(sample.size == ImageSize(width: 40, height: 20))
    #expect(sample.objects.map(\.label) == ["Car", "Pedestrian", "DontCare"])
    #expect(sample.objects[0].box == Box(x: 5.5, y: 6.25, width: 10.25, height: 10.25))
    #expect(sample.objects[0].area == 10.25 * 10.25 && sample.objects[0].polygons.isEmpty)
    #expect(
      sample.objects[1].attributes
        == #"{"alpha":0.21,"dimensions":[1.89,0.48,1.2],"location":[1.84,1.47,8.41],"occluded":2,"#
        + #""rotation_y":0.01,"truncated":0.25}"#)
    #expect(found.names == ["Car", "Cyclist", "DontCare", "Pedestrian"])
    #expect(found.classes.map(\.isVoid) == [false, false, true, false])
    var crowds: [Bool] = []
    _ = try KITTIImporter().run(benchmark, ImportOptions()) {
      crowds += $0.annotations.map(\.isCrowd)
    }
    #expect(crowds == [false, false, true, false])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 4)
  }

  @Test("ImageSets give the splits; test.txt names the images of testing/, which have no labels")
  func splits() throws {
    let found = try CollectedObjects(benchmark, as: .kitti)
    #expect(found.keys.count == 7)
    #expect(found.splits == ["test", "test", "test", "train", "train", "val", "training"])
    #expect(
      found.places == [
        "unknownSplit warning training", "missingLabel warning training/image_2/000003.png",
        "unsupportedFile warning training/image_3/000000.png",
      ])
    #expect(found.run.notes == ["the 3 images of testing have no labels"])
  }

  @Test("Datumaro's subsets are splits, dataset_meta.json gives the first classes, scores are kept")
  func datumaro() throws {
    let found = try CollectedObjects(FileTree(fixture: "kitti/datumaro"), as: .kitti)
    #expect(found.keys == ["extra/image_2/b/c.png", "train/image_2/a.png"])
    #expect(found.splits == ["extra", "train"])
    #expect(found.names == ["van", "tram", "bus"])
    #expect(found.objects[1].box == Box(x: 0, y: 1, width: 4, height: 2))
    #expect(found.objects[1].attributes?.contains(#""score":0.5"#) == true)
    #expect(found.issues.isEmpty)
  }

  @Test("images/ and labels/ with KITTI's lines; the folders below give the split")
  func plain() throws {
    let found = try CollectedObjects(detecting: FileTree(fixture: "kitti/plain"))
    #expect(found.keys == ["images/train/1.png"] && found.splits == ["train"])
    #expect(found.objects[0].box == Box(x: 1, y: 2, width: 2, height: 3))
    #expect(found.issues.isEmpty)
  }

  @Test("FiftyOne's data/ beside labels/: the images are found; missing ones are looked for there")
  func fiftyOne() throws {
    let line = "Car 0.00 0 -0.20 1 0 2 1 1.89 0.48 1.20 1.84 1.47 8.41 0.01\n"
    let tree = MemoryTree(texts: [
      "data/1.png": nil, "data/2.png": nil, "labels/1.txt": line, "labels/2.txt": line,
      "labels/3.txt": line,
    ])
    let found = try CollectedObjects(detecting: tree)
    #expect(found.keys == ["data/1.png", "data/2.png", "data/3.png"])
    #expect(found.objects.count == 3 && found.run.lists?.imagesFound == 2)
    #expect(found.places == ["missingImage warning data/3.png"])
    // `data/` is a folder like any other above images/, and beside it.
    let above = MemoryTree(texts: [
      "data/images/1.png": nil, "data/labels/1.txt": line, "data/data/2.png": nil,
    ])
    let other = try CollectedObjects(above, as: .kitti)
    #expect(other.keys == ["data/images/1.png"])
    #expect(other.places == ["unsupportedFile warning data/data/2.png"])
    let splits = MemoryTree(texts: [
      "train/data/1.png": nil, "train/labels/1.txt": line, "val/data/1.png": nil,
      "val/labels/1.txt": line,
    ])
    #expect(try CollectedObjects(detecting: splits).splits == ["train", "val"])
  }

  @Test("The benchmark's archives side by side: labels are found in the folder of the same name")
  func archivesApart() throws {
    let line = "Car 0.00 0 -0.20 1 0 2 1 1.89 0.48 1.20 1.84 1.47 8.41 0.01\n"
    let tree = MemoryTree(texts: [
      "data_object_image_2/training/image_2/1.png": nil,
      "data_object_image_2/testing/image_2/1.png": nil,
      "data_object_label_2/training/label_2/1.txt": line,
    ])
    let found = try CollectedObjects(detecting: tree)
    #expect(
      found.keys == [
        "data_object_image_2/testing/image_2/1.png", "data_object_image_2/training/image_2/1.png",
      ])
    #expect(found.samples.map(\.objects.count) == [0, 1])
    #expect(found.splits == ["testing", "training"] && found.issues.isEmpty)
    // Two labels of one name: which one is meant is unknown, so that neither is taken.
    let twice = MemoryTree(texts: [
      "a/training/image_2/1.png": nil, "b/training/label_2/1.txt": line,
      "c/training/label_2/1.txt": line,
    ])
    #expect(
      try CollectedObjects(twice, as: .kitti).samples.map(\.objects.count) == [0, 1, 1])
  }

  @Test("--classes gives all classes in order; other classes are left out, DontCare stays void")
  func classes() throws {
    let found = try CollectedObjects(
      benchmark, as: .kitti, ImportOptions(classes: ["Pedestrian", "Car"]))
    #expect(found.names == ["Pedestrian", "Car", "DontCare"])
    #expect(found.objects.map(\.label) == ["Car", "Pedestrian", "DontCare"])
    #expect(found.places.contains("unknownLabel error training/label_2/000001.txt:1"))
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 4)
  }

  @Test("Options that do not apply are refused, and a file is not a dataset")
  func options() throws {
    #expect(throws: FormatError.unusedOption("--size", format: .kitti)) {
      try CollectedObjects(
        benchmark, as: .kitti, ImportOptions(size: ImageSize(width: 1, height: 1)))
    }
    #expect(throws: FormatError.self) { try CollectedObjects(MemoryTree("a"), as: .kitti) }
  }
}
