import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("Odd KITTI datasets")
struct KITTIOddityTests {
  private let rest = "1 1 1 0 0 0 0"

  private func tree(_ lines: String, _ more: [String: String] = [:]) throws -> MemoryTree {
    var texts = more
    texts["training/label_2/1.txt"] = lines
    return try MemoryTree(
      masks: [:], photos: ["training/image_2/1.png": (10, 10)], texts: texts)
  }

  @Test("Lines without a certain meaning are left out, each as an issue with its place")
  func lines() throws {
    let found = try CollectedObjects(
      tree(
        """
        Car 0 0 0 1 1 5 5 \(rest)

        Car 0 0 0 1 1 5 5
        Car 0 0 0 1 nan 5 5 \(rest)
        Car 0 0 0 5 1 1 5 \(rest)
        Car 0 7 0 1 1 1 5 \(rest)
        Car 9 0 0 1 1 50 5 \(rest)
        Car 0 0 0 0x1 1 5 5 \(rest)
        0 1 Car 0 0 0 1 1 5 5 \(rest)
        Car  0 0 0 1 1 5 5 \(rest)
        """), as: .kitti)
    #expect(
      found.places == [
        "fieldCount error training/label_2/1.txt:3", "badField error training/label_2/1.txt:4",
        "badField warning training/label_2/1.txt:6", "badField warning training/label_2/1.txt:7",
        "badField error training/label_2/1.txt:8", "fieldCount error training/label_2/1.txt:9",
        "duplicateID warning training/label_2/1.txt:10",
        "badShape error training/label_2/1.txt:5", "badShape warning training/label_2/1.txt:6",
        "badShape warning training/label_2/1.txt:7",
      ])
    #expect(found.issues[5].message.contains("labels of KITTI tracking?"))
    #expect(found.objects.count == 3)
    #expect(found.run.lists?.annotationsRead == 9 && found.isBalanced)
  }

  @Test("A label file without an image is kept without a file, and a binary one rejects its image")
  func files() throws {
    let line = "Car 0 0 0 1 1 5 5 \(rest)\n"
    let found = try CollectedObjects(
      tree(line, ["training/label_2/2.txt": line, "training/label_2/3.txt": "\u{0}"]), as: .kitti)
    #expect(found.keys == ["training/image_2/1.png", "training/image_2/2.png"])
    #expect(
      found.places == [
        "badUTF8 error training/label_2/3.txt", "missingImage warning training/image_2/2.png",
      ])
    #expect(found.isBalanced)
  }

  @Test("An image in two lists has the first split; a repeated id is reported")
  func lists() throws {
    let found = try CollectedObjects(
      tree(
        "Car 0 0 0 1 1 5 5 \(rest)\n",
        [
          "ImageSets/train.txt": "1\n1\n", "ImageSets/val.txt": "\n1\n",
          "ImageSets/trainval.txt": "1\n",
        ]
      ), as: .kitti)
    #expect(found.splits == ["train"])
    #expect(
      found.places == [
        "duplicateID warning ImageSets/train.txt:2", "duplicateID warning ImageSets/val.txt:2",
      ])
  }

  @Test("Tracking, segmentation and MOTS are named, not read")
  func otherTasks() throws {
    func reason(_ images: [String], _ texts: [String: String]) throws -> String {
      let tree = try MemoryTree(
        masks: [:], photos: Dictionary(uniqueKeysWithValues: images.map { ($0, (4, 4)) }),
        texts: texts)
      let probe = try KITTIImporter().probe(tree)
      #expect(!probe.isMatch)
      return probe.reason
    }
    let track = "0 1 Car 0 0 0 1 1 5 5 \(rest)\n"
    #expect(
      try reason(["training/image_02/0000/000000.png"], ["training/label_02/0000.txt": track])
        .contains("KITTI tracking"))
    #expect(
      try reason(["training/image_2/1.png", "training/instance/1.png"], [:])
        .contains("KITTI segmentation"))
    #expect(
      try reason(["training/image_02/0000/1.png", "instances/0000/1.png"], [:])
        .contains("KITTI MOTS"))
  }

  @Test("Masks and annotations of other formats beside the labels, and two datasets, are refused")
  func companions() throws {
    let line = "Car 0 0 0 1 1 5 5 \(rest)\n"
    func refusal(_ images: [String], _ texts: [String: String]) throws -> String {
      let tree = try MemoryTree(
        masks: [:], photos: Dictionary(uniqueKeysWithValues: images.map { ($0, (10, 10)) }),
        texts: texts)
      let error = #expect(throws: FormatError.self) { try FormatDetector.detect(tree) }
      return "\(try #require(error))"
    }
    let label = ["training/label_2/1.txt": line]
    #expect(
      try refusal(["training/image_2/1.png", "training/instance/1.png"], label)
        .contains("masks of KITTI segmentation"))
    #expect(
      try refusal(
        ["training/image_2/1.png"],
        ["training/label_2/1.txt": line, "a.csv": "filename,xmin,ymin\n1.png,1,1\n"]
      ).contains("tables of boxes"))
    #expect(
      try refusal(
        ["a/training/image_2/1.png", "b/training/image_2/1.png"],
        ["a/training/label_2/1.txt": line, "b/training/label_2/1.txt": line]
      ).contains("several datasets"))
  }

  @Test("Damaged labels, lists and images are imported in part or refused")
  func mutations() throws {
    let trees = DamagedTrees(
      format: .kitti, fixtures: ["kitti/benchmark", "kitti/datumaro", "kitti/plain"],
      words: ["DontCare", "000001", "0.5", "-1000", "\r\n", "labels"], texts: [".txt", ".json"])
    let found = try trees.run(seed: 5202)
    #expect(found.imported > found.rounds / 2 && found.objects > found.rounds)
  }
}
