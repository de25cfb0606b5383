import AssayCore
import AssayTestSupport
import Testing

@testable import AssayFormats

@Suite("Labeled Faces in the Wild")
struct LFWImporterTests {
  private static let png = DatasetLayout.png

  private func tree(_ images: [String], _ texts: [String: String]) throws -> MemoryTree {
    try MemoryTree(images: images, texts: texts)
  }

  private func refusal(_ tree: some SourceTree) -> String? {
    do {
      _ = try Collected(detecting: tree)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("Folders are people; the development lists give splits and are checked")
  func original() throws {
    let tree = FileTree(fixture: "lfw/original")
    #expect(try FormatDetector.detect(tree).format == .lfw)
    let found = try Collected(detecting: tree)
    #expect(
      found.keys == [
        "lfw/Ann_Veneman/Ann_Veneman_0001.jpg", "lfw/Ann_Veneman/Ann_Veneman_0002.jpg",
        "lfw/Bo_Ryan/Bo_Ryan_0001.jpg", "lfw/Zico/Zico_0001.jpg",
      ])
    #expect(found.labels == ["Ann_Veneman", "Ann_Veneman", "Bo_Ryan", "Zico"])
    #expect(found.splits == ["train", "train", "test", "train"])
    #expect(found.classes == ["Ann_Veneman", "Bo_Ryan", "Zico"])
    #expect(
      found.issues.map { "\($0.kind) \($0.location)" } == [
        "unsupportedField pairsDevTrain.txt", "missingImage peopleDevTrain.txt:3",
      ])
    #expect(found.issues[0].message.hasPrefix("2 of 2 pairs are not kept"))
    #expect(found.isBalanced)
  }

  @Test("Datumaro's tree: landmarks are points, pairs their attributes, people.txt the order")
  func datumaro() throws {
    let tree = FileTree(fixture: "lfw/datumaro")
    let labels = try Collected(detecting: tree)
    #expect(labels.labels == ["name0", "name1", "name1"])
    #expect(labels.splits == ["dev", "dev", "dev"])
    #expect(labels.classes == ["name1", "name0"])
    let found = try CollectedObjects(detecting: tree)
    #expect(found.samples.map(\.objects.count) == [1, 1, 0])
    #expect(found.objects[0].label == "name0")
    #expect(found.objects[0].box == Box(x: 0, y: 0, width: 3, height: 4))
    #expect(
      found.objects[0].attributes
        == #"{"negative_pairs":["name1/name1_0001","name1/name1_0002"]}"#)
    #expect(found.objects[1].box == Box(x: 1, y: 0, width: 2, height: 4))
    #expect(found.objects[1].attributes == #"{"positive_pairs":["name1/name1_0002"]}"#)
    #expect(found.issues.isEmpty && found.isBalanced)
    // The label of the whole image has the ordinal 0, so points start at 1.
    var ordinals: [Int] = []
    var shapes: [ShapeKind] = []
    _ = try Importers.importer(for: .lfw).run(tree, ImportOptions()) { batch in
      ordinals += batch.annotations.map(\.ordinal)
      shapes += batch.annotations.map(\.shape)
    }
    #expect(ordinals == [1, 1] && shapes == [.points, .points])
  }

  @Test("Odd lines are issues with their places")
  func odd() throws {
    let tree = try tree(
      ["a/a_0001.png", "b/b_0001.png", "c_0001.png"],
      [
        "landmarks.txt": """
        a/a_0001.png 1 1 2 2 3 3 4 4 5 5
        a/a_0001.png 1 1 2 2 3 3 4 4 5 5
        b/b_0001.png 1 1 2 2
        ../x.png 1 1 2 2 3 3 4 4 5 5
        d/d_0001.png 1 1 2 2 3 3 4 4 5 50
        b/b_0001.png 1 1 2 2 3 3 4 4 5 nan
        """,
        "pairs.txt": "10\t300\na 1 2\na 1 b 1\nb\n",
        "people.txt": "1\na 1\nq x y\n",
      ])
    let found = try CollectedObjects(detecting: tree)
    #expect(found.keys == ["a/a_0001.png", "b/b_0001.png", "c_0001.png", "d/d_0001.png"])
    #expect(found.objects.count == 2 && found.isBalanced)
    #expect(
      found.objects[0].attributes
        == #"{"negative_pairs":["b/b_0001"],"positive_pairs":["a/a_0002"]}"#)
    #expect(
      found.places.sorted() == [
        "duplicateID error landmarks.txt:2", "fieldCount error landmarks.txt:3",
        "fieldCount error landmarks.txt:6", "fieldCount error pairs.txt:4",
        "fieldCount error people.txt:3", "missingImage warning d/d_0001.png",
        "missingImage warning pairs.txt:2", "missingLabel warning c_0001.png",
        "outsideRoot error landmarks.txt:4",
      ])
    let labels = try Collected(tree, as: .lfw)
    #expect(labels.labels == ["a", "b", nil, "d"])
  }

  @Test("Part labels in PPM are masks of hair and face, split by their lists")
  func parts() throws {
    func ppm(_ pixels: [UInt8], _ size: String = "2 1") -> [UInt8] {
      Array("P6\n# by hand\n\(size)\n255\n".utf8) + pixels
    }
    let folder = "parts_lfw_funneled_gt_images/"
    let tree = try MemoryTree(
      masks: [:],
      photos: [
        "lfw/a/a_0001.png": (2, 1), "lfw/a/a_0002.png": (2, 1), "lfw/b/b_0001.png": (2, 1),
        "lfw/c/c_0001.png": (2, 1), "lfw/d/d_0001.png": (2, 1),
      ],
      texts: [
        "parts_train.txt": "a 1\nb 0001\na b 1\nz 7\n", "parts_test.txt": "a\t1\na\t2\n",
        "people.txt": "a 2\n",
      ],
      files: [
        folder + "a_0001.ppm": ppm([255, 0, 0, 0, 255, 0]),
        folder + "a_0002.ppm": ppm([0, 0, 255, 1, 2, 3]),
        folder + "b_0001.ppm": ppm([255, 0, 0], "1 1"), folder + "c_0001.ppm": ppm([255, 0]),
        folder + "nobody_0001.ppm": ppm([255, 0, 0, 0, 255, 0]),
      ])
    #expect(try FormatDetector.detect(tree).format == .lfw)
    let found = try CollectedMasks(tree, as: .lfw)
    #expect(found.keys == ["lfw/a/a_0001.png", "lfw/a/a_0002.png"])
    // The lists are read in the order of their names.
    #expect(
      found.samples.map(\.split) == ["test", "test"] && found.names == ["hair", "face", "void"])
    #expect(found.areas("lfw/a/a_0001.png") == ["hair": 1, "face": 1])
    #expect(found.areas("lfw/a/a_0002.png") == ["void": 1])
    #expect(
      found.issues.map { "\($0.kind) \($0.severity) \($0.location)" }.sorted() == [
        "badField warning parts_train.txt:1", "badField warning parts_train.txt:3",
        "maskSize error \(folder)b_0001.ppm", "maskValue warning \(folder)a_0002.ppm",
        "missingImage warning parts_train.txt:4",
        "unpairedMask error \(folder)nobody_0001.ppm", "unpairedMask warning lfw/a",
        "unreadableImage error \(folder)c_0001.ppm",
      ])
    #expect(found.isBalanced)
  }

  @Test("Without one of LFW's lists folders of people are image-folder; no other tree is taken")
  func detection() throws {
    let images = ["Ann/Ann_0001.png", "Bo/Bo_0001.png"]
    #expect(try FormatDetector.detect(tree(images, [:])).format == .imageFolder)
    #expect(try FormatDetector.detect(tree(images, ["people.txt": "Ann 1\n"])).format == .lfw)
    let other = try tree(["cat/1.png"], ["pairs.txt": "a\t1\t2\n"])
    #expect(try Importers.importer(for: .lfw).probe(other).isMatch == false)
    #expect(refusal(other)?.contains("LFW annotations") == true)
    let mixed = try tree(images, ["people.txt": "Ann 1\n", "Ann/Ann_0001.xml": DatasetLayout.voc])
    #expect(refusal(mixed)?.contains("as voc it would lose annotations") == true)
    for options in [
      ImportOptions(classes: ["a"]), ImportOptions(size: ImageSize(width: 1, height: 1)),
    ] {
      #expect(throws: FormatError.self) {
        try Collected(FileTree(fixture: "lfw/original"), as: .lfw, options)
      }
    }
    #expect(try FixtureTrees.claimed(by: .lfw).isEmpty)
    #expect(try FixtureTrees.wronglyDetected().isEmpty)
  }

  @Test("Damaged lists are imported in part or refused")
  func mutations() throws {
    var trees = MutatedTree(
      fixtures: ["lfw/original", "lfw/datumaro"],
      words: ["name0", "name0/name0_0001.jpg", "\t1\t2", "_0001", "9223372036854775807"], seed: 55)
    var imported = 0
    let rounds = LongTests.areOn ? 100_000 : 1_000
    for round in 0..<rounds {
      guard let tree = trees.next(round) else { continue }
      do {
        if round % 3 == 0 { _ = try FormatDetector.detect(tree) }
        let found = try CollectedObjects(tree, as: .lfw)
        imported += 1
        #expect(found.isBalanced && Set(found.keys).count == found.keys.count)
      } catch is FormatError {
        continue
      }
    }
    #expect(imported > rounds / 2)
  }

  @Test(
    "Datumaro's real tree: 3 images of 2 people with their landmarks",
    .outsideData("formats/lfw_dataset", twin: "LFWImporterTests.datumaro"))
  func realTree() throws {
    let tree = FileTree(outside: "formats/lfw_dataset")
    let labels = try Collected(detecting: tree)
    #expect(
      labels.keys == [
        "test/images/name0/name0_0001.jpg", "test/images/name1/name1_0001.jpg",
        "test/images/name1/name1_0002.jpg",
      ])
    #expect(labels.labels == ["name0", "name1", "name1"])
    #expect(labels.splits == ["test", "test", "test"])
    #expect(labels.classes == ["name0", "name1"])
    let found = try CollectedObjects(detecting: tree)
    #expect(found.objects.count == 3)
    // 0 4, 3 3, 2 2, 1 0, 3 0
    #expect(found.objects[0].box == Box(x: 0, y: 0, width: 3, height: 4))
    #expect(
      found.objects[0].attributes
        == #"{"negative_pairs":["name1/name1_0001","name1/name1_0002"]}"#)
    // people.txt states two images of name0.
    #expect(found.issues.first?.kind == .missingImage)
    #expect(found.issues.first?.location.line == 2)
  }
}
