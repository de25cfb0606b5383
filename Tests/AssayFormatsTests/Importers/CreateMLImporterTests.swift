import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("Create ML datasets")
struct CreateMLImporterTests {
  @Test("Roboflow: a file per split; boxes are given by their centers")
  func roboflow() throws {
    let tree = FileTree(fixture: "createml/roboflow")
    let detection = try FormatDetector.detect(tree)
    #expect(detection.format == .createML)
    #expect(detection.reason == "train/_annotations.createml.json is a Create ML file")
    let found = try CollectedObjects(tree, as: .createML)
    #expect(
      found.keys == ["train/a_jpg.rf.1.png", "train/b_jpg.rf.2.png", "valid/c_jpg.rf.3.png"])
    #expect(found.splits == ["train", "train", "valid"] && found.names == ["cat", "dog"])
    #expect(
      found.objects.map(\.box) == [
        Box(x: 6, y: 2, width: 8, height: 6), Box(x: 1, y: 1, width: 3, height: 2),
        Box(x: 0, y: 0, width: 16, height: 16),
      ])
    #expect(found.objects.map(\.attributes) == [nil, nil, #"{"score":0.5}"#])
    #expect(found.places.isEmpty && found.isBalanced)
  }

  @Test("A single file with the older names, its images in another folder")
  func older() throws {
    let tree = FileTree(fixture: "createml/older.json")
    #expect(try FormatDetector.detect(tree).format == .createML)
    let images = try MemoryTree(pngs: ["x.png"], texts: [:])
    let found = try CollectedObjects(tree, as: .createML, ImportOptions(images: images))
    #expect(found.keys == ["x.png"] && found.objects[0].box == Box(x: 8, y: 9, width: 4, height: 2))
    #expect(found.samples[0].size == ImageSize(width: 20, height: 10) && found.places.isEmpty)
    let alone = try CollectedObjects(tree, as: .createML)
    #expect(alone.keys == ["x.png"] && alone.kinds == [.missingImage])
  }

  @Test("One label per image, in three spellings")
  func classes() throws {
    let tree = FileTree(fixture: "createml/classes")
    let found = try Collected(detecting: tree)
    #expect(found.labels == ["cat", "dog", "cat"] && found.classes == ["cat", "dog"])
    #expect(found.issues.isEmpty && found.isBalanced)
  }

  private static func tree(_ text: String) throws -> MemoryTree {
    try MemoryTree(pngs: ["a.png"], texts: ["x.json": text])
  }

  private static let good =
    #"{"label": "a", "coordinates": {"x": 5, "y": 5, "width": 2, "height": 2}}"#

  @Test(
    "Every annotation that cannot be read is an issue with its pointer",
    arguments: [
      (#"{"label": "a"}, 3"#, ["unsupportedField error", "badField error"]),
      (#"{"coordinates": {"x": 5}}"#, ["missingLabel error"]),
      (#"{"label": 3, "coordinates": {"x": 5}}"#, ["badField error"]),
      (#"{"label": "a", "coordinates": {"x": 5}}"#, ["missingField error"]),
      (#"{"label": "a", "coordinates": 4}"#, ["missingField error"]),
      (#"{"label": "a", "id": 3}"#, ["missingField error"]),
      (
        #"{"label": "a", "coordinates": {"x": "5", "y": 5, "width": 2, "height": 2}}"#,
        ["badField error"]
      ),
      (
        #"{"label": "a", "coordinates": {"x": 0.5, "y": 0.5, "width": 0.2, "height": 0.2}}"#,
        ["badShape error"]
      ),
      (
        #"{"label": "a", "coordinates": {"x": 5, "y": 5, "width": -2, "height": 2}}"#,
        ["badShape error"]
      ),
      (
        #"{"label": "a", "coordinates": {"x": NaN, "y": 5, "width": 2, "height": 2}}"#,
        ["badShape error"]
      ),
    ])
  func odd(entry: String, kinds: [String]) throws {
    let tree = try Self.tree(#"[{"image": "a.png", "annotations": [\#(Self.good), \#(entry)]}]"#)
    let found = try CollectedObjects(detecting: tree)
    #expect(found.issues.map { "\($0.kind) \($0.severity)" } == kinds, "\(found.places)")
    #expect(
      found.issues.allSatisfy { $0.location.pointer?.hasPrefix("/0/annotations/") == true })
    #expect(found.objects.map(\.box) == [Box(x: 4, y: 4, width: 2, height: 2)])
    #expect(found.isBalanced)
  }

  @Test(
    "Annotations that are missing or no list are never an image without objects",
    arguments: [
      (#"{"image": "b.png", "annotations": {}}"#, "badField error x.json#/1/annotations"),
      (#"{"image": "b.png", "annotations": null}"#, "badField error x.json#/1/annotations"),
      (#"{"image": "b.png"}"#, "missingField error x.json#/1"),
      (#"{"image": 3, "annotations": []}"#, "badField error x.json#/1"),
      (#"{"annotations": []}"#, "missingField error x.json#/1"), ("[]", "badField error x.json#/1"),
      (#"{"image": "../b.png", "annotations": []}"#, "outsideRoot error x.json#/1"),
    ])
  func lists(entry: String, place: String) throws {
    let tree = try Self.tree(#"[{"image": "a.png", "annotations": [\#(Self.good)]}, \#(entry)]"#)
    let found = try CollectedObjects(detecting: tree)
    #expect(found.keys == ["a.png"] && found.places == [place])
    #expect(found.isBalanced && found.run.outcome.rejected == 1)
  }

  @Test("Entries of one image are put together, with a warning; several labels are refused")
  func repeated() throws {
    let entry = #"{"image": "a.png", "annotations": [\#(Self.good)]}"#
    let found = try CollectedObjects(detecting: Self.tree("[\(entry), \(entry)]"))
    #expect(found.objects.count == 2 && found.places == ["duplicateID warning x.json#/0"])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 2)
    let labels = try CollectedObjects(
      detecting: Self.tree(#"[{"image": "a.png", "annotations": ["a", "b"]}]"#))
    #expect(labels.keys.isEmpty && labels.places == ["badField error x.json#/0/annotations/1"])
    #expect(labels.issues[0].message.contains("multilabel-csv"))
  }

  @Test("A broken file among others is an issue; alone it is refused with the byte")
  func broken() throws {
    let entry = #"[{"image": "a.png", "annotations": [\#(Self.good)]}"#
    let tree = try MemoryTree(
      pngs: ["a.png", "b.png"],
      texts: ["x.json": entry + "]", "y.json": entry.replacing("a.png", with: "b.png")])
    let found = try CollectedObjects(detecting: tree)
    #expect(found.keys == ["a.png"])
    #expect(found.places.contains("unsupportedFile error y.json"))
    let error = try #require(throws: FormatError.self) {
      try CollectedObjects(MemoryTree(entry, name: "x.json"), as: .createML)
    }
    #expect("\(error)".hasPrefix("x.json: broken JSON at byte "))
  }

  @Test("Several datasets are refused with a list; other formats are not taken")
  func others() throws {
    let entry = #"[{"image": "a.png", "annotations": [\#(Self.good)]}]"#
    let tree = try MemoryTree(
      pngs: ["a/train/a.png", "b/train/a.png"],
      texts: ["a/train/x.json": entry, "b/train/x.json": entry])
    let error = try #require(throws: FormatError.self) { try FormatDetector.detect(tree) }
    #expect(
      "\(error)".contains(
        "one at a time:\n  a: Create ML annotations (assay import PATH/a)\n  b: Create ML annotations (assay import PATH/b)"
      ))
    #expect(
      try ForeignFixtures.taken(by: CreateMLImporter()) == [
        "createml/roboflow", "createml/older.json", "createml/classes",
      ])
  }

  @Test("A long list is read in parts, with the same result for any number of workers")
  func long() throws {
    let padding = String(repeating: "x", count: 2000)
    let entries = (0..<1500).map { number in
      #"{"image": "\#(number).png", "annotations": [{"label": "c\#(number % 3)", "note": "\#(padding)", "#
        + #""coordinates": {"x": \#(number + 5), "y": 5, "width": 2, "height": 2}}]}"#
    }
    let tree = MemoryTree("[" + entries.joined(separator: ",\n") + "]", name: "x.json")
    #expect(try FormatDetector.detect(tree).format == .createML)
    let found = try CollectedObjects(tree, as: .createML, ImportOptions(workers: 1))
    #expect(found.keys.count == 1500 && found.objects.count == 1500 && found.isBalanced)
    let sample = try #require(found.samples.first { $0.key == "1234.png" })
    #expect(sample.objects[0].box?.x == 1238 && sample.objects[0].label == "c1")
    #expect(try CollectedObjects(tree, as: .createML, ImportOptions(workers: 3)) == found)
  }

  @Test("Damaged files are imported in part or refused")
  func damage() throws {
    let run = try JSONDamage(
      format: .createML,
      fixtures: ["createml/roboflow", "createml/older.json", "createml/classes"]
    ).run(seed: 32)
    #expect(run.imported > run.rounds / 4 && run.objects > run.rounds / 8)
  }
}
