import AssayCore
import AssayTestSupport
import Testing

@testable import AssayFormats

@Suite("Objects in the JSON of WebDataset's samples")
struct WebDatasetObjectsTests {
  /// An image of 2×2 pixels.
  private static func picture() throws -> [UInt8] {
    try FileTree(fixture: "image-folder/splits").readAll("train/cat/1.png", limit: 1 << 20)
  }

  private static func size() throws -> ImageSize {
    let tree = MemoryTree(folder: ["x.png": try picture()])
    return try ImageProbe(tree, #require(try tree.files().first)).size.get()
  }

  /// A folder of one shard with one sample per JSON, and a list of classes.
  private static func tree(_ texts: [String], classes: String? = "car\ndog\n") throws -> MemoryTree
  {
    var bytes: [UInt8] = []
    for (place, text) in texts.enumerated() {
      TarMember.append("\(place).png", try picture(), to: &bytes)
      TarMember.append("\(place).json", Array(text.utf8), to: &bytes)
    }
    var files = ["train-000000.tar": bytes + TarMember.end]
    files["classes.txt"] = classes.map { Array($0.utf8) }
    return MemoryTree(folder: files)
  }

  private struct Found {
    var annotations: [ImportedAnnotation] = []
    var geometry: [[UInt8]] = []
    var samples: [ImportedSample] = []
    var names: [String] = []
    var issues: [String] = []
    var run: FinishedImport?

    init(_ tree: some SourceTree) throws {
      run = try WebDatasetImporter().run(tree, ImportOptions(workers: 2)) { batch in
        names += batch.newCategories.map(\.name)
        samples += batch.samples
        annotations += batch.annotations
        geometry += batch.annotations.map { annotation in
          annotation.geometry.map { Array(batch.geometry[$0]) } ?? []
        }
        issues += batch.issues.map {
          "\($0.kind.rawValue) \($0.location.file)\($0.location.pointer ?? "") \($0.message)"
        }
      }
    }
  }

  @Test("img2dataset: captions of texts and JSON, each once, and Parquet files beside the shards")
  func captions() throws {
    var bytes: [UInt8] = []
    let texts = [
      ("a dog\n", #"{"caption": "a dog", "url": "x", "status": "success", "sha256": "0"}"#),
      ("a cat", #"{"caption": ["a cat", "an animal"], "cls": 0}"#), (" ", #"{"caption": null}"#),
    ]
    for (place, text) in texts.enumerated() {
      TarMember.append("00000000\(place).jpg", try Self.picture(), to: &bytes)
      TarMember.append("00000000\(place).json", Array(text.1.utf8), to: &bytes)
      TarMember.append("00000000\(place).txt", Array(text.0.utf8), to: &bytes)
    }
    let parquet = try FileTree(fixture: "hf-imagefolder/parquet").readAll(
      "train/metadata.parquet", limit: 1 << 20)
    var files = [
      "00000.tar": bytes + TarMember.end, "00000.parquet": parquet,
      "00000_stats.json": Array(#"{"count": 3}"#.utf8),
    ]
    let tree = MemoryTree(folder: files)
    #expect(try FormatDetector.detect(tree).format == .webDataset)
    files["classes.txt"] = Array("car\n".utf8)
    for tree in [tree, MemoryTree(folder: files)] {
      let found = try Found(tree)
      #expect(
        found.annotations.map { "\($0.sample) \(found.names[$0.category]) \($0.shape.rawValue)" }
          == ["0 caption tag", "1 caption tag", "1 caption tag"])
      #expect(
        found.annotations.map(\.attributes) == [
          #"{"caption":"a dog"}"#, #"{"caption":"a cat"}"#, #"{"caption":"an animal"}"#,
        ])
      #expect(
        found.issues == [
          "unsupportedFile 00000.parquet 00000.parquet describes the samples of its shard; not read",
          "missingLabel memory 2 of 3 samples state no class; kept without a label",
        ])
      #expect(found.run?.lists?.annotationsRead == 3 && found.run?.lists?.annotationsKept == 3)
    }
    // A table of another name is not img2dataset's.
    files["other.parquet"] = parquet
    #expect(throws: FormatError.self) { try FormatDetector.detect(MemoryTree(folder: files)) }
  }

  @Test("Boxes, polygons, masks, lines, points and labels are read with all fields")
  func objects() throws {
    let size = try Self.size()
    let mask = Mask(box: Box(x: 0, y: 0, width: 1, height: 1), size: size)
    let counts = String(decoding: mask.compressed, as: UTF8.self)
    let found = try Found(
      Self.tree([
        """
        {"labels": ["dog"], "width": 9, "objects": [
        {"class": "car", "bbox": [0, 0.5, 1, 1], "id": 7, "iscrowd": 1},
        {"class": "dog", "bbox": [0, 0, 2, 1], "segmentation": [[0, 0, 1, 0, 1, 1]], "id": "a"},
        {"class": "dog", "segmentation": {"size": [\(size.height), \(size.width)], "counts": "\(counts)"}},
        {"class": "car", "lines": [[0, 0, 1, 1]]}, {"class": "car", "points": [1, 1]},
        {"class": "car", "attributes": {"wet": true}}]}
        """,
        #"{"objects": []}"#, #"{"labels": ["car", "dog"], "objects": []}"#,
      ]))
    #expect(found.issues.isEmpty, "\(found.issues)")
    #expect(found.names == ["car", "dog"])
    // The label has company, so it stays among the annotations.
    #expect(found.samples.map(\.category) == [nil, nil, nil])
    #expect(
      found.annotations.map { "\($0.sample) \(found.names[$0.category]) \($0.shape.rawValue)" } == [
        "0 dog tag", "0 car box", "0 dog polygon", "0 dog mask", "0 car polyline", "0 car points",
        "0 car tag", "2 car tag", "2 dog tag",
      ])
    let boxes = found.annotations
    #expect(boxes[1].box == Box(x: 0, y: 0.5, width: 1, height: 1) && boxes[1].isCrowd)
    #expect(boxes[1].sourceID == .integer(7) && boxes[2].sourceID == .text("a"))
    #expect(boxes[2].box == Box(x: 0, y: 0, width: 2, height: 1))
    #expect(found.geometry[3] == mask.compressed && boxes[3].area == Double(mask.area))
    #expect(boxes[6].attributes == #"{"wet":true}"#)
    #expect(found.run?.lists?.annotationsRead == 9 && found.run?.lists?.annotationsKept == 9)
    #expect(found.run?.notes.count == 2)
  }

  @Test("The only label of an image is its class, from cls or the JSON")
  func label() throws {
    let found = try Found(
      Self.tree([#"{"labels": ["dog"]}"#, #"{"label": 0, "labels": ["dog"]}"#]))
    #expect(found.samples.map { $0.category.map { found.names[$0] } } == ["dog", "car"])
    #expect(found.annotations.map { found.names[$0.category] } == ["dog"])
    #expect(found.annotations.map(\.ordinal) == [1] && found.issues.isEmpty)
  }

  @Test(
    "Unusable objects are left out with their place; another form is a field that is not read",
    arguments: [
      (#"{"objects": [{"class": "car", "bbox": [0, 0, 1]}]}"#, "/objects/0 object 1 (car): 'bbox'"),
      (#"{"objects": [{"class": "car", "bbox": [0, 0, -1, 1]}]}"#, "negative size"),
      (#"{"objects": [{"class": "", "bbox": [0, 0, 1, 1]}]}"#, "its class is empty"),
      (#"{"objects": [{"class": "cow", "bbox": [0, 0, 1, 1]}]}"#, "'cow' of an object is not in"),
      (#"{"objects": [{"class": "car", "segmentation": 3}]}"#, "neither a list of polygons nor"),
      (#"{"objects": [{"class": "car", "segmentation": [[0, 0]]}]}"#, "fewer than three points"),
      (
        #"{"objects": [{"class": "car", "segmentation": {"size": [900, 1], "counts": "0"}}]}"#,
        "for another size"
      ),
      (
        #"{"objects": [{"class": "car", "segmentation": {"size": [H, W], "counts": [-1, 5]}}]}"#,
        "object 1 (car)"
      ),
      (#"{"objects": [{"class": "car", "lines": [1]}]}"#, "'lines' is no list"),
      (#"{"objects": [{"class": "car", "points": {"x": 1}}]}"#, "'points' is no list"),
      (#"{"objects": [{"name": "car"}]}"#, "the JSON field 'objects' of 1 sample is not read"),
      (#"{"labels": [1, 2]}"#, "the JSON field 'labels' of 1 sample is not read"),
    ])
  func unusable(text: String, message: String) throws {
    let size = try Self.size()
    let text = text.replacing("H", with: "\(size.height)").replacing("W", with: "\(size.width)")
    let found = try Found(Self.tree([text, #"{"objects": []}"#]))
    #expect(found.samples.count == 2 && found.annotations.isEmpty)
    #expect(found.issues.count == 1, "\(found.issues)")
    #expect(found.issues.first?.contains(message) == true, "\(found.issues)")
  }

  @Test("Damaged JSON never traps")
  func mutations() throws {
    let seed = Array(
      #"""
      {"labels":["dog"],"objects":[{"class":"car","bbox":[0,0.5,1e3,1],"id":7,"iscrowd":1},
      {"class":"dog","segmentation":[[0,0,1,0,1,1]]},{"class":"dog","segmentation":{"size":[2,2],"counts":[0,4]}},
      {"class":"dog","segmentation":{"size":[2,2],"counts":"04"}},{"class":"car","lines":[[0,0,1,1]]},
      {"class":"car","points":[1,1]},{"class":"car","attributes":{"wet":true}}]}
      """#.utf8)
    var random = SplitMix64(seed: 5)
    let signs = Array("0123456789-+e.[]{}\",:x".utf8)
    var kept = 0
    for _ in 0..<(LongTests.areOn ? 20_000 : 60) {
      let texts = (0..<5).map { _ in
        var bytes = seed
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          bytes[place] = signs[Int.random(in: 0..<signs.count, using: &random)]
        }
        return String(decoding: bytes, as: UTF8.self)
      }
      kept += try Found(Self.tree(texts)).annotations.count
    }
    #expect(kept > 100)
  }

  @Test("Members of a tar archive: long names and other letters, at any size, with constant bytes")
  func members() throws {
    let long = String(repeating: "n", count: 150)
    let names = ["a.txt", long + ".txt", String(repeating: "ä", count: 3) + ".txt", "b c.txt"]
    var bytes: [UInt8] = []
    for (place, name) in names.enumerated() {
      TarMember.append(name, [UInt8](repeating: UInt8(place), count: place * 512), to: &bytes)
    }
    #expect(bytes.count.isMultiple(of: 512))
    #expect(bytes.starts(with: "a.txt".utf8) && bytes[136..<147].allSatisfy { $0 == 0x30 })
    let tree = MemoryTree(folder: ["x.tar": bytes + TarMember.end])
    let archive = try ArchiveTree(.tar, tree, #require(try tree.files().first))
    #expect(try archive.issues().isEmpty)
    let files = try archive.files()
    #expect(Set(files.map(\.path)) == Set(names) && files.allSatisfy { $0.modified == 0 })
    for (place, name) in names.enumerated() {
      #expect(
        try archive.readAll(name, limit: 1 << 20)
          == [UInt8](repeating: UInt8(place), count: place * 512))
    }
  }
}
