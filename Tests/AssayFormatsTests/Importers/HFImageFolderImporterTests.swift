import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("Hugging Face image folders with metadata")
struct HFImageFolderImporterTests {
  private func tree(_ images: [String], _ texts: [String: String]) throws -> MemoryTree {
    try MemoryTree(images: images, texts: texts)
  }

  private func refusal(_ tree: some SourceTree, _ options: ImportOptions = ImportOptions())
    -> String?
  {
    do {
      _ = try Collected(detecting: tree, options)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("A CSV with labels and captions: classes, splits from folders")
  func labels() throws {
    let tree = FileTree(fixture: "hf-imagefolder/labels")
    #expect(try FormatDetector.detect(tree).format == .hfImageFolder)
    let found = try Collected(detecting: tree)
    #expect(found.keys == ["test/c.jpg", "train/a.jpg", "train/b.jpg"])
    #expect(found.labels == ["dog", "dog", "cat"])
    #expect(found.splits == ["test", "train", "train"])
    #expect(found.classes == ["caption", "cat", "dog"])
    #expect(found.issues.isEmpty)
    #expect(found.isBalanced && found.run.lists?.annotationsKept == 2)
  }

  @Test(
    "metadata.parquet: names of classes from its metadata, further columns are fields of the image")
  func parquet() throws {
    let tree = FileTree(fixture: "hf-imagefolder/parquet")
    let found = try CollectedObjects(detecting: tree)
    #expect(found.keys == ["train/1.jpg", "train/2.jpg"])
    #expect(found.samples.map(\.label) == ["owl", nil])
    #expect(found.samples.map(\.objects.count) == [1, 0])
    #expect(found.objects[0].label == "beak")
    #expect(found.objects[0].box == Box(x: 1, y: 1, width: 2, height: 3))
    #expect(found.issues.isEmpty)
    var fields: [String?] = []
    _ = try Importers.importer(for: .hfImageFolder).run(tree, ImportOptions()) { batch in
      fields += batch.samples.map(\.attributes)
    }
    #expect(fields == [#"{"note":"x"}"#, nil])
  }

  @Test("JSON Lines with objects: boxes, classes, ids, attributes")
  func objects() throws {
    let tree = FileTree(fixture: "hf-imagefolder/objects")
    let found = try CollectedObjects(detecting: tree)
    #expect(found.keys == ["train/1.jpg", "train/2.jpg", "validation/3.jpg"])
    #expect(found.splits == ["train", "train", "validation"])
    #expect(found.names == ["9", "10"])
    #expect(found.samples.map(\.objects.count) == [2, 0, 1])
    #expect(found.objects[0].label == "10")
    #expect(found.objects[0].box == Box(x: 0, y: 1, width: 2, height: 2))
    #expect(found.objects[0].attributes == #"{"area":4}"#)
    #expect(found.objects[1].box == Box(x: 1.5, y: 0, width: 2, height: 3))
    #expect(found.objects[2].attributes == #"{"occluded":true}"#)
    #expect(found.issues.isEmpty)
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 3)
    var fields: [String?] = []
    _ = try Importers.importer(for: .hfImageFolder).run(tree, ImportOptions()) { batch in
      fields += batch.samples.map(\.attributes)
    }
    #expect(fields == [#"{"image_id":7}"#, nil, nil])
    var ids: [SourceID?] = []
    var crowds: [Bool] = []
    _ = try Importers.importer(for: .hfImageFolder).run(tree, ImportOptions()) { batch in
      ids += batch.annotations.map(\.sourceID)
      crowds += batch.annotations.map(\.isCrowd)
    }
    #expect(ids == [.integer(11), .integer(12), nil] && crowds == [false, false, true])
    let named = try CollectedObjects(
      tree, as: .hfImageFolder, ImportOptions(classes: (0..<11).map { "c\($0)" }))
    #expect(named.objects.map(\.label) == ["c10", "c9", "c9"])
  }

  @Test("Odd records are issues with their lines")
  func odd() throws {
    let lines = """
      {"file_name": "a.png", "objects": {"bbox": [[0, 0, 1, 1], [1, 2], [0, 0, -1, 1], [8, 8, 9, 9]], "categories": ["x", "x", "x", null]}}
      {"file_name": "a.png", "objects": {"bbox": []}}
      {"file_name": "b.png", "objects": {"bbox": [[0, 0, 1, 1]], "categories": []}}
      {"file_name": "../x.png", "objects": {"bbox": []}}
      {"objects": {}}
      {broken
      []
      {"file_name": "gone.png", "objects": []}
      {"file_name": "c.png", "label": 0.5, "objects": null, "width": 3, "height": 3}
      """
    let found = try CollectedObjects(
      detecting: try tree(
        ["a.png", "b.png", "c.png", "d.png"], ["metadata.jsonl": lines]))
    #expect(found.keys == ["a.png", "c.png", "gone.png"])
    #expect(found.objects.map(\.label) == ["x", "object"])
    #expect(found.isBalanced)
    let file = "metadata.jsonl"
    #expect(
      found.places.sorted() == [
        "badField error \(file):3", "badField error \(file):6", "badField error \(file):7",
        "badField error \(file):9", "badShape error \(file):1", "badShape error \(file):1",
        "badShape warning \(file):1", "duplicateID error \(file):2",
        "imageSize warning c.png", "missingField error \(file):5",
        "missingField warning \(file):1", "missingImage warning gone.png",
        "missingLabel error d.png", "outsideRoot error \(file):4",
      ])
  }

  @Test("Captions are labels of the class caption with their text; a list has several")
  func captions() throws {
    let csv = try tree(
      ["train/1.png", "train/2.png"],
      ["train/metadata.csv": "\u{FEFF}file_name,text\r\n1.png,\"a dog, black\"\r\n2.png,\r\n"])
    let detection = try FormatDetector.detect(csv)
    #expect(detection.format == .hfImageFolder)
    #expect(detection.reason == "train/metadata.csv has captions of images")
    let found = try CollectedShapes(csv, as: .hfImageFolder, ImportOptions(classes: ["dog"]))
    #expect(found.shapes.map(\.label) == ["caption"] && found.shapes.map(\.kind) == [.tag])
    #expect(found.shapes[0].attributes == #"{"caption":"a dog, black"}"#)
    #expect(found.names == ["dog", "caption"] && found.splits == ["train", "train"])
    #expect(found.places == ["missingLabel warning train/metadata.csv:3"])
    let lists = try tree(
      ["1.png", "2.png"],
      [
        "metadata.jsonl": """
        {"file_name": "1.png", "captions": ["a", "b"], "label": "x", "objects": {"bbox": [[0, 0, 1, 1]], "category": ["y"]}}
        {"file_name": "2.png", "captions": [1]}
        """
      ])
    let several = try CollectedShapes(detecting: lists)
    #expect(several.samples.map(\.label) == ["x", nil])
    #expect(several.shapes.map(\.label) == ["caption", "caption", "y"])
    #expect(several.run.lists?.annotationsKept == 3 && several.isOutcomeBalanced)
    #expect(several.kinds == [.badField, .missingLabel])
  }

  @Test("A list of one label is the class of the image, several are labels of it")
  func labelLists() throws {
    let lines = """
      {"file_name": "1.png", "labels": ["cat"]}
      {"file_name": "2.png", "labels": ["dog", "cat", "dog"]}
      {"file_name": "3.png", "labels": []}
      """
    let found = try CollectedShapes(
      detecting: tree(["1.png", "2.png", "3.png"], ["metadata.jsonl": lines]))
    #expect(found.samples.map(\.label) == ["cat", nil, nil])
    #expect(found.shapes.map(\.label) == ["dog", "cat"] && found.names == ["cat", "dog"])
    #expect(found.kinds == [.duplicateID] && found.run.lists?.annotationsRead == 4)
    #expect(found.isBalanced)
  }

  @Test("Two metadata of one folder and repeated columns are refused")
  func refused() throws {
    let line = #"{"file_name": "a.png", "label": "x"}"#
    #expect(
      refusal(
        try tree(["a.png"], ["metadata.jsonl": line, "metadata.csv": "file_name,label\na.png,x\n"]))?
        .contains("describe the same folder") == true)
    #expect(
      refusal(try tree(["a.png"], ["metadata.csv": "file_name,label,label\na.png,x,y\n"]))?
        .contains("metadata.csv:1: two columns") == true)
    #expect(
      refusal(try tree(["a.png"], ["metadata.jsonl": line, "a.xml": DatasetLayout.voc]))?
        .contains("as voc it would lose annotations") == true)
    let unknown = try Collected(
      tree(["a.png"], ["metadata.jsonl": line]), as: .hfImageFolder,
      ImportOptions(classes: ["y"]))
    #expect(unknown.labels == [nil] && unknown.kinds == [.unknownLabel])
  }

  @Test("Lists and objects that are not known are named, and no tree of another format is taken")
  func detection() throws {
    for (metadata, images) in [
      (#"{"file_name": "a.png", "parts": [1, 2]}"#, ["a.png"]),
      (#"{"file_name": "cat/a.png", "score": 1}"#, ["cat/a.png", "dog/b.png"]),
    ] {
      let others = try tree(images, ["metadata.jsonl": metadata])
      #expect(refusal(others)?.contains("Hugging Face image-folder metadata") == true)
    }
    let plain = try tree(["a.png"], ["metadata.jsonl": #"{"file_name": "a.png", "score": 1}"#])
    #expect(try FormatDetector.detect(plain).format == .hfImageFolder)
    #expect(try FixtureTrees.claimed(by: .hfImageFolder).isEmpty)
    #expect(try FixtureTrees.wronglyDetected().isEmpty)
  }

  @Test("Damaged metadata is imported in part or refused")
  func mutations() throws {
    var trees = MutatedTree(
      fixtures: ["hf-imagefolder/labels", "hf-imagefolder/objects"],
      words: ["\"bbox\"", "[[", "null", "\"file_name\"", "1e308", "-5"], seed: 56)
    var imported = 0
    let rounds = LongTests.areOn ? 100_000 : 1_000
    for round in 0..<rounds {
      guard let tree = trees.next(round) else { continue }
      do {
        if round % 3 == 0 { _ = try FormatDetector.detect(tree) }
        let found = try CollectedObjects(tree, as: .hfImageFolder)
        imported += 1
        #expect(found.isOutcomeBalanced && Set(found.keys).count == found.keys.count)
      } catch is FormatError {
        continue
      }
    }
    #expect(imported > rounds / 3)
  }
}
