import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("SageMaker Ground Truth manifests")
struct GroundTruthImporterTests {
  @Test("Boxes in pixels, with confidence as score; s3 paths are matched by their end")
  func boxes() throws {
    let tree = FileTree(fixture: "ground-truth/boxes")
    let detection = try FormatDetector.detect(tree)
    #expect(detection.format == .groundTruth)
    #expect(
      detection.reason == "manifests/output/output.manifest is a manifest of SageMaker Ground Truth"
    )
    let found = try CollectedObjects(tree, as: .groundTruth)
    #expect(found.keys == ["images/a.png", "images/b.png", "images/c.png"])
    #expect(
      found.classes == [
        Category(name: "dog", sourceID: .integer(0)), Category(name: "ant", sourceID: .integer(5)),
      ])
    #expect(
      found.objects.map(\.box) == [
        Box(x: 2, y: 1, width: 8, height: 6), Box(x: 0, y: 0, width: 3, height: 2),
        Box(x: 4, y: 4, width: 12, height: 12),
      ])
    #expect(found.objects.map(\.label) == ["dog", "ant", "dog"])
    #expect(
      found.objects.map(\.attributes) == [#"{"score":0.75}"#, #"{"score":0}"#, #"{"score":0.5}"#])
    #expect(found.samples[1].objects.isEmpty && found.places.isEmpty && found.isBalanced)
    #expect(found.run.lists?.annotationsRead == 3 && found.run.lists?.imagesFound == 3)
    #expect(
      found.run.notes == [
        "3 image names were matched by a part of the path ('photos/a.png' is taken as images/a.png)"
      ])
  }

  @Test("A name that fits in part yields to another line", arguments: [false, true])
  func claims(isExactLast: Bool) throws {
    func line(_ name: String, _ width: Int) -> String {
      #"{"source-ref": "\#(name)", "b": {"image_size": [{"width": 20, "height": 10, "depth": 3}], "#
        + #""annotations": [{"class_id": 0, "left": 1, "top": 1, "width": \#(width), "height": 2}]}, "#
        + #""b-metadata": {"class-map": {"0": "dog"}, "objects": [{"confidence": 1}], "#
        + #""type": "groundtruth/object-detection"}}"#
    }
    func read(_ lines: [String]) throws -> CollectedObjects {
      try CollectedObjects(
        detecting: MemoryTree(
          pngs: ["jan/a.png"], texts: ["output.manifest": lines.joined(separator: "\n") + "\n"]))
    }
    let exact = line("jan/a.png", 4)
    let loose = line("feb/a.png", 7)
    let found = try read(isExactLast ? [loose, exact] : [exact, loose])
    #expect(found.objects.map(\.box?.width) == [4] && found.keys == ["jan/a.png"])
    #expect(found.places == ["missingImage error output.manifest:\(isExactLast ? 1 : 2)"])
    // Neither has a better claim, and nothing else is in the manifest.
    let both = [loose, line("mar/a.png", 5), line("apr/a.png", 6)]
    #expect(throws: FormatError.self) { try read(both) }
    let others = try read(both + [line("jan/b.png", 3)])
    #expect(others.keys == ["jan/b.png"] && others.objects.map(\.box?.width) == [3])
    #expect(others.kinds.filter { $0 == .missingImage }.count == 4)
  }

  @Test("The number of a class can be a text")
  func textNumber() throws {
    func line(_ name: String, _ number: Int, _ label: String) -> String {
      #"{"source-ref": "\#(name).png", "k": "\#(number)", "k-metadata": {"class-name": "\#(label)", "#
        + #""confidence": 1, "type": "groundtruth/image-classification"}}"#
    }
    let found = try Collected(
      detecting: MemoryTree(
        pngs: ["a.png", "b.png"],
        texts: ["output.manifest": line("a", 2, "ant") + "\n" + line("b", 0, "dog") + "\n"]))
    #expect(found.classes == ["dog", "ant"] && found.labels == ["ant", "dog"])
  }

  @Test("A manifest alone takes its images from another folder")
  func alone() throws {
    let tree = FileTree(fixture: "ground-truth/boxes/manifests/output/output.manifest")
    #expect(try FormatDetector.detect(tree).format == .groundTruth)
    let images = FileTree(fixture: "ground-truth/boxes/images")
    let found = try CollectedObjects(tree, as: .groundTruth, ImportOptions(images: images))
    #expect(found.keys == ["a.png", "b.png", "c.png"] && found.objects.count == 3)
    #expect(try GroundTruthImporter(withLabels: false).someImageNames(in: tree).contains("a.png"))
    let lost = try CollectedObjects(tree, as: .groundTruth)
    #expect(lost.keys == ["photos/a.png", "photos/b.png", "photos/c.png"])
    #expect(lost.kinds == [.missingImage])
  }

  @Test("One class per image; each manifest is a split; confidence is not kept, and told")
  func classes() throws {
    let found = try Collected(detecting: FileTree(fixture: "ground-truth/classes"))
    #expect(found.keys == ["train/1.png", "train/2.png", "validation/3.png"])
    #expect(found.labels == ["bird", "cat", "bird"] && found.classes == ["cat", "bird"])
    #expect(found.splits == ["train", "train", "validation"])
    #expect(found.issues.isEmpty && found.isBalanced)
    #expect(
      found.run.notes == [
        "confidences of labels, which are not kept: 3 (first in train.manifest:1)"
      ])
  }

  @Test("Sets of labels, possibly empty, are a multi-label dataset")
  func sets() throws {
    let tree = FileTree(fixture: "ground-truth-labels/sets")
    #expect(try FormatDetector.detect(tree).format == .groundTruthLabels)
    #expect(DatasetFormat.groundTruthLabels.isMultiLabel && !DatasetFormat.groundTruth.isMultiLabel)
    let found = try Collected(detecting: tree)
    #expect(found.samples.map(\.labels) == [["dog", "sun"], [], ["sun"]])
    #expect(found.classes == ["sun", "dog"] && found.issues.isEmpty && found.isBalanced)
    #expect(found.run.lists == nil)
    #expect(throws: FormatError.self) { try Collected(tree, as: .groundTruth) }
    #expect(throws: FormatError.self) {
      try Collected(FileTree(fixture: "ground-truth/boxes"), as: .groundTruthLabels)
    }
  }

  @Test("Trees of other formats are not taken for a manifest")
  func detection() throws {
    #expect(try FixtureTrees.claimed(by: .groundTruth).isEmpty)
    #expect(try FixtureTrees.claimed(by: .groundTruthLabels).isEmpty)
    // The input of a job has no labels.
    let input = try MemoryTree(
      pngs: ["a.png"], texts: ["input.manifest": #"{"source-ref": "s3://b/a.png"}"# + "\n"])
    #expect(try !GroundTruthImporter(withLabels: false).probe(input).isMatch)
  }

  private static let meta =
    #""x-metadata": {"class-map": {"0": "cat"}, "type": "groundtruth/object-detection"}"#
  private static let good = #"{"class_id": 0, "left": 1, "top": 2, "width": 3, "height": 4}"#

  private static func line(
    _ name: String, _ boxes: String, meta: String = meta, more: String = ""
  ) -> String {
    #"{"source-ref": "s3://b/\#(name)", "x": {"image_size": [{"width": 20, "height": 10}], "#
      + "\"annotations\": [\(boxes)]}, \(meta)\(more)}\n"
  }

  private static func collected(
    _ text: String, pngs: [String] = ["a.png"]
  ) throws -> CollectedObjects {
    let tree = try MemoryTree(pngs: pngs, texts: ["output.manifest": text])
    let found = try CollectedObjects(tree, as: .groundTruth)
    #expect(found.isBalanced)
    return found
  }

  @Test(
    "A box that cannot be read is an issue with its line, and the others are kept",
    arguments: [
      (#"{"class_id": 0, "left": 1, "top": 2, "width": 3}"#, "missingField error"),
      (#"{"class_id": 0, "left": "1", "top": 2, "width": 3, "height": 1}"#, "badField error"),
      (#"{"left": 1, "top": 2, "width": 3, "height": 1}"#, "missingLabel error"),
      (#"{"class_id": [], "left": 1, "top": 2, "width": 3, "height": 1}"#, "badField error"),
      (#"{"class_id": 0, "left": 1, "top": 2, "width": -3, "height": 1}"#, "badShape error"),
      (#"{"class_id": 0, "left": NaN, "top": 2, "width": 3, "height": 1}"#, "badShape error"),
      ("7", "missingField error"),
    ])
  func badBoxes(box: String, place: String) throws {
    let found = try Self.collected(Self.line("a.png", Self.good + ", " + box))
    #expect(found.places == [place + " output.manifest:1"])
    #expect(found.objects.map(\.box) == [Box(x: 1, y: 2, width: 3, height: 4)])
    #expect(found.run.lists?.annotationsRead == 2)
  }

  @Test("Lines that cannot be read, repeated images and images elsewhere are issues")
  func badLines() throws {
    let found = try Self.collected(
      Self.line("a.png", Self.good) + "{broken\n7\n{\"x\": 1}\n" + Self.line("a.png", Self.good)
        + #"{"source-ref": "../../etc/passwd", "x": {"annotations": []}, "x-metadata": {}}"# + "\n"
        + Self.line("b.png", Self.good), pngs: ["a.png", "c.png"])
    #expect(found.keys == ["a.png", "b.png"] && found.objects.count == 2)
    #expect(
      found.places == [
        "badField error output.manifest:2", "missingField error output.manifest:3",
        "missingField error output.manifest:4", "duplicateID error output.manifest:5",
        "outsideRoot error output.manifest:6", "missingLabel error c.png",
        "missingImage warning b.png",
      ], "\(found.places)")
    #expect(found.run.lists?.annotationsRead == 3 && found.run.imagesLeftOut == 1)
  }

  @Test("Failed jobs, unknown classes, other sizes and counts are issues")
  func oddities() throws {
    let failed =
      #"{"source-ref": "s3://b/b.png", "x-metadata": {"type": "groundtruth/object-detection", "#
      + #""failure-reason": "ClientError: too large"}}"# + "\n"
    let machine =
      #""x-metadata": {"class-map": {"0": "cat"}, "human-annotated": "no", "objects": [], "#
      + #""type": "groundtruth/object-detection"}"#
    let found = try Self.collected(
      Self.line(
        "a.png", Self.good.replacing("\"class_id\": 0", with: "\"class_id\": 3"), meta: machine)
        + failed + #"{"source-ref": "s3://b/c.png", "other": 1}"# + "\n",
      pngs: ["a.png", "b.png", "c.png"])
    #expect(
      found.places == [
        "unsupportedField warning output.manifest:3", "badField warning output.manifest:1",
        "unknownLabel warning output.manifest:1", "missingLabel error output.manifest:2",
        "missingLabel error output.manifest:3",
      ], "\(found.places)")
    #expect(found.keys == ["a.png"] && found.objects.map(\.label) == ["3"])
    #expect(found.objects[0].attributes == #"{"human-annotated":"no"}"#)
    #expect(found.issues[3].message.contains("(ClientError: too large)"))
  }

  @Test("Of several attributes one of a kind is read, and each other one is told")
  func severalAttributes() throws {
    let adjusted =
      #", "y": {"image_size": [{"width": 20, "height": 10}], "annotations": []}, "#
      + #""y-metadata": {"type": "groundtruth/object-detection", "adjustment-status": "adjusted"}, "#
      + #""z-ref": "s3://b/z.png", "z-ref-metadata": {"internal-color-map": {}, "#
      + #""type": "groundtruth/semantic-segmentation"}"#
    let found = try Self.collected(Self.line("a.png", Self.good, more: adjusted))
    #expect(found.objects.isEmpty && found.keys == ["a.png"])
    #expect(found.kinds == [.unsupportedField, .unsupportedField])
    #expect(
      found.issues[0].message.hasPrefix("'x' has boxes in 1 line, which are not kept: 'y' is read"))
    #expect(found.issues[1].message.contains("their colors are PNG files"))
    let masks =
      #"{"source-ref": "s3://b/a.png", "z-ref": "s3://b/z.png", "z-ref-metadata": "#
      + #"{"internal-color-map": {}, "type": "groundtruth/semantic-segmentation"}}"# + "\n"
    let error = #expect(throws: FormatError.self) { try Self.collected(masks) }
    #expect("\(try #require(error))".contains("masks of semantic segmentation"))
  }

  @Test("The result does not depend on the number of workers")
  func workers() throws {
    let names = (0..<300).map { "\($0).png" }
    let tree = try MemoryTree(
      pngs: names,
      texts: ["output.manifest": names.map { Self.line($0, Self.good) }.joined()])
    let one = try CollectedObjects(tree, as: .groundTruth, ImportOptions(workers: 1))
    #expect(one.objects.count == 300)
    #expect(try CollectedObjects(tree, as: .groundTruth, ImportOptions(workers: 4)) == one)
  }

  @Test("Damaged manifests are read in part or refused")
  func mutations() throws {
    let trees = DamagedTrees(
      format: .groundTruth, fixtures: ["ground-truth/boxes", "ground-truth/classes"],
      words: [
        "\"source-ref\"", "\"annotations\"", "\"class-map\"", "\"x-metadata\": {}", "\"class_id\"",
        "s3://", "\"objects\"",
      ], texts: [".manifest"])
    let result = try trees.run(seed: 0x6717)
    #expect(result.imported > result.rounds / 4 && result.objects > 0)
  }
}
