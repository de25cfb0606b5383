import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("ADE20K's scene parsing")
struct ADE20KImporterTests {
  private let scenes = FileTree(fixture: "ade20k/scenes")

  @Test("Index masks have the classes of objectInfo150.txt, and 0 is void")
  func masks() throws {
    let detection = try FormatDetector.detect(scenes)
    #expect(detection.format == .ade20k)
    #expect(
      detection.reason.hasPrefix("objectInfo150.txt names the classes of annotations/training/"))
    let found = try CollectedMasks(scenes, as: .ade20k)
    let training = "images/training/ADE_train_0000000"
    #expect(
      found.keys == [
        "\(training)1.png", "\(training)2.png", "images/validation/ADE_val_00000001.png",
      ])
    #expect(found.samples.map(\.split) == ["training", "training", "validation"])
    #expect(
      found.classes == [
        Category(name: "void", sourceID: .integer(0), isVoid: true),
        Category(name: "wall", sourceID: .integer(1)),
        Category(name: "building, edifice", sourceID: .integer(2)),
        Category(name: "sky", sourceID: .integer(3)),
        Category(name: "flag", sourceID: .integer(150)),
      ])
    #expect(
      found.areas("\(training)1.png") == ["void": 1, "wall": 4, "building, edifice": 2, "flag": 1])
    #expect(found.samples[0].regions[1].box == Box(x: 0, y: 0, width: 2, height: 2))
    #expect(found.areas("\(training)2.png") == ["void": 2, "sky": 4])
    // The value 151 is no class.
    #expect(
      found.areas("images/validation/ADE_val_00000001.png") == ["void": 1, "building, edifice": 3])
    #expect(
      found.issues.map { "\($0.kind) \($0.severity) \($0.location)" } == [
        "unsupportedField warning sceneCategories.txt",
        "maskValue warning annotations/validation/ADE_val_00000001.png",
      ])
    #expect(found.isBalanced)
  }

  @Test("Classes can be named, from 1 on; a size is refused")
  func options() throws {
    let found = try CollectedMasks(
      scenes, as: .ade20k, ImportOptions(classes: ["a", "b", "c"]))
    #expect(found.names == ["void", "a", "b", "c"])
    #expect(throws: FormatError.self) {
      try CollectedMasks(
        scenes, as: .ade20k, ImportOptions(size: ImageSize(width: 1, height: 1)))
    }
  }

  @Test("Odd lines of the table are issues, and their pixels are void")
  func table() throws {
    let tree = try MemoryTree(
      masks: ["annotations/training/a.png": [[1, 2], [3, 1]]],
      photos: ["images/training/a.png": (2, 2), "images/training/alone.png": (2, 2)],
      texts: [
        "objectInfo150.txt":
          "Idx\tRatio\tTrain\tVal\tStuff\tName\r\n1\t0\t0\t0\t1\twall\r\n1\t0\t0\t0\t1\tagain\r\n"
          + "300\t0\t0\t0\t0\tfar\r\n2\t0\r\n\r\n3\t0\t0\t0\t0\tsea\r\n"
      ])
    #expect(try FormatDetector.detect(tree).format == .ade20k)
    let found = try CollectedMasks(tree, as: .ade20k)
    #expect(found.names == ["void", "wall", "sea"])
    #expect(found.areas("images/training/a.png") == ["void": 1, "wall": 2, "sea": 1])
    #expect(
      found.issues.map { "\($0.kind) \($0.location)" } == [
        "unpairedMask images/training/alone.png", "duplicateID objectInfo150.txt:3",
        "badField objectInfo150.txt:4", "fieldCount objectInfo150.txt:5",
        "maskValue annotations/training/a.png",
      ])
    #expect(found.isBalanced)
  }

  @Test("Trees of other formats, and lists without masks, are not taken for it")
  func detection() throws {
    #expect(try FixtureTrees.claimed(by: .ade20k).isEmpty)
    let lists = try MemoryTree(
      masks: [:], photos: ["training/a/b/ADE_1.png": (3, 2)],
      texts: ["training/a/b/ADE_1_atr.txt": "001 # 0 # 0 # wall # wall # \"\"\n"])
    let error = #expect(throws: FormatError.self) { try FormatDetector.detect(lists) }
    #expect("\(try #require(error))".contains("ADE20K annotations"))
    let other = try MemoryTree(
      masks: ["annotations/a.png": [[1, 2]]], photos: ["images/a.png": (2, 1)],
      texts: ["objectInfo150.txt": "1 wall\n2 sky\n"])
    #expect(try !ADE20KImporter().probe(other).isMatch)
    #expect(throws: FormatError.self) { try CollectedMasks(other, as: .ade20k) }
  }
}
