import AssayCore
import AssayImaging
import AssayTestSupport
import Testing

@testable import AssayFormats

@Suite("BDD100K's bitmasks")
struct BDD100KBitmaskTests {
  /// The objects of the fixtures as BDD100K's own program reads them.
  private struct Goldens: Decodable {
    struct Object: Decodable {
      var category: String
      var number: Int
      var area: Double
      var box: [Double]
      var truncated: Bool
      var occluded: Bool
      var crowd: Bool
      var ignored: Bool
    }

    /// The classes of each set of labels, in the order of their values.
    var classes: [String: [String]]
    var things: [String]
    /// By the path of the mask.
    var objects: [String: [Object]]
  }

  private func goldens() throws -> Goldens { try GoldenJSON.decode("bdd100k/goldens.json") }

  /// The ids of all annotations, in their order.
  private func ids(_ tree: some SourceTree) throws -> [SourceID?] {
    var ids: [SourceID?] = []
    _ = try BDD100KImporter().run(tree, ImportOptions()) { ids += $0.annotations.map(\.sourceID) }
    return ids
  }

  /// Compares an import of a fixture with its golden objects.
  ///
  /// - Parameter masks: the paths of the masks of the samples.
  private func compare(_ fixture: String, _ found: CollectedShapes, _ masks: [String]) throws {
    let goldens = try goldens()
    #expect(found.samples.count == masks.count && found.isBalanced)
    for (sample, mask) in zip(found.samples, masks) {
      let expected = try #require(goldens.objects["\(fixture)/\(mask)"])
      #expect(sample.regions.map(\.label) == expected.map(\.category))
      for (region, golden) in zip(sample.regions, expected) {
        #expect(region.kind == .mask && region.area == golden.area)
        let sides = golden.box
        #expect(region.box == Box(x: sides[0], y: sides[1], width: sides[2], height: sides[3]))
        #expect(region.isCrowd == (golden.crowd || golden.ignored))
        let attributes = region.attributes.flatMap { try? JSONValue(parsing: $0) }
        #expect(attributes?["truncated"] == .bool(golden.truncated))
        #expect(attributes?["occluded"] == .bool(golden.occluded))
        #expect(attributes?["crowd"] == .bool(golden.crowd))
        #expect(attributes?["ignored"] == .bool(golden.ignored))
      }
    }
  }

  @Test("The classes are those of BDD100K's own program, and things are things")
  func classes() throws {
    let goldens = try goldens()
    let (instances, panoptic) = (BDD100KBitmaskClasses.instances, BDD100KBitmaskClasses.panoptic)
    for set in ["ins_seg", "seg_track"] {
      #expect(goldens.classes[set] == instances.categories.map(\.name))
    }
    #expect(goldens.classes["pan_seg"] == panoptic.categories.map(\.name))
    #expect(panoptic.categories.filter { $0.isThing == true }.map(\.name) == goldens.things)
    #expect(panoptic.categories.allSatisfy { $0.isThing != nil })
    #expect(instances.categories.allSatisfy { $0.isThing == true })
    #expect(instances.category(of: 8)?.name == "bicycle" && instances.category(of: 9) == nil)
    #expect(panoptic.category(of: 40)?.name == "truck" && panoptic.category(of: 0) == nil)
  }

  @Test("Instances: objects with class, attributes and number, as in the release")
  func instances() throws {
    let tree = FileTree(fixture: "bdd100k/bitmasks")
    let found = try CollectedShapes(detecting: tree)
    #expect(
      found.keys == ["images/10k/train/a.png", "images/10k/train/b.png", "images/10k/val/c.png"])
    #expect(found.splits == ["train", "train", "val"] && found.issues.isEmpty)
    #expect(found.names.count == 8 && found.names.first == "pedestrian")
    #expect(found.run.imagesLeftOut == 1)
    #expect(found.run.notes == ["1 image without annotations is left out"])
    try compare(
      "bitmasks", found,
      ["train/a", "train/b", "val/c"].map { "labels/ins_seg/bitmasks/\($0).png" })
    #expect(try ids(tree) == [1, 2, 3, 258, 1, 2].map { .integer($0) })
  }

  @Test("Panoptic segments: 40 classes, of which stuff is one segment")
  func panoptic() throws {
    let found = try CollectedShapes(detecting: FileTree(fixture: "bdd100k/bitmasks-panoptic"))
    #expect(found.names.count == 40 && found.issues.isEmpty && found.run.notes.isEmpty)
    try compare("bitmasks-panoptic", found, ["labels/pan_seg/bitmasks/train/a.png"])
  }

  @Test("Videos: the number of an object is its track")
  func tracks() throws {
    let tree = FileTree(fixture: "bdd100k/bitmasks-track")
    let found = try CollectedShapes(detecting: tree)
    let frames = ["v1/v1-0000001.png", "v1/v1-0000002.png"]
    #expect(found.keys == frames.map { "images/seg_track_20/val/\($0)" })
    #expect(found.splits == ["val", "val"] && found.issues.isEmpty && found.run.notes.isEmpty)
    try compare(
      "bitmasks-track", found, frames.map { "labels/seg_track_20/bitmasks/val/\($0)" })
    #expect(found.shapes.allSatisfy { $0.attributes?.contains(#""track":7"#) == true })
    #expect(try ids(tree) == [nil, nil])
    var fields: [String?] = []
    _ = try BDD100KImporter().run(tree, ImportOptions()) { fields += $0.samples.map(\.attributes) }
    #expect(fields == [#"{"videoName":"v1"}"#, #"{"videoName":"v1"}"#])
  }

  @Test("bitmasks/ beside images/: the values say which classes they are, and a note says it")
  func plain() throws {
    let found = try CollectedShapes(detecting: FileTree(fixture: "bdd100k/bitmasks-plain"))
    #expect(found.keys == ["images/train/a.png", "images/val/b.png"])
    #expect(found.splits == ["train", "val"] && found.issues.isEmpty)
    try compare("bitmasks-plain", found, ["bitmasks/train/a.png", "bitmasks/val/b.png"])
    #expect(found.run.notes.count == 1)
    #expect(found.run.notes[0].hasPrefix("the classes of bitmasks are the 8 of instance"))
    let panoptic = FileTree(fixture: "bdd100k/bitmasks-panoptic")
    let mask = "labels/pan_seg/bitmasks/train/a.png"
    let moved = MemoryTree(folder: [
      "bitmasks/a.png": try panoptic.readAll(mask, limit: 1 << 20),
      "images/a.png": try panoptic.readAll("images/10k/train/a.png", limit: 1 << 20),
    ])
    for workers in [1, 3] {
      let all = try CollectedShapes(moved, as: .bdd100k, ImportOptions(workers: workers))
      #expect(all.names.count == 40 && all.shapes.count == 5 && all.splits == [nil])
      #expect(all.run.notes[0].contains("because bitmasks/a.png has the class 35"))
    }
  }

  @Test("A folder of bitmasks with its images elsewhere")
  func apart() throws {
    let source = FileTree(fixture: "bdd100k/bitmasks")
    for folder in ["labels/ins_seg", "labels/ins_seg/bitmasks"] {
      for images in ["", "images", "images/10k"] {
        let root = "bdd100k/bitmasks/"
        let found = try CollectedShapes(
          FileTree(fixture: root + folder), as: .bdd100k,
          ImportOptions(
            images: FileTree(fixture: images.isEmpty ? "bdd100k/bitmasks" : root + images)))
        #expect(found.samples.count == 3 && found.issues.isEmpty, "\(folder) \(images)")
        #expect(found.shapes.count == 6)
        let path = "images/10k/train/a.png"
        #expect(
          found.keys[0] == (images.isEmpty ? path : String(path.dropFirst(images.count + 1))))
      }
    }
    #expect(try FormatDetector.detect(source).format == .bdd100k)
  }

  @Test("What is odd in a bitmask is an issue, and never another class")
  func oddities() throws {
    let found = try CollectedShapes(detecting: FileTree(fixture: "bdd100k/bitmasks-odd"))
    let folder = "labels/ins_seg/bitmasks/train"
    let messages = found.issues.map { "\($0.location) \($0.severity): \($0.message)" }
    #expect(
      messages.sorted() == [
        "images/10k/train/absent.jpg warning: images/10k/train/absent.jpg does not exist; kept without a "
          + "file",
        "\(folder)/attributes.png warning: object 1 has the attributes 31, of which only the lower four "
          + "bits have a meaning; the others are ignored",
        "\(folder)/class.png error: object 1 has the class 9, and the classes are 1 to 8; left out",
        "\(folder)/classless.png warning: 4 pixels have an object or attributes and the class 0; read as "
          + "background",
        "\(folder)/gray.png error: a bitmask is a PNG of red, green, blue and alpha with 8 bits each; the "
          + "image is left out",
        "\(folder)/number.png warning: several classes or attributes belong to one number of an object: 1; "
          + "kept as an object each",
        "\(folder)/size.png error: the bitmask is 10×10, and the image is 20×10; the image is left out",
      ])
    #expect(
      found.samples.map { "\($0.key) \($0.regions.map(\.label).joined(separator: " "))" } == [
        "images/10k/train/absent.jpg car", "images/10k/train/attributes.png car",
        "images/10k/train/class.png car", "images/10k/train/classless.png car",
        "images/10k/train/number.png car truck truck",
      ])
    #expect(found.samples[0].size == ImageSize(width: 20, height: 10) && found.isBalanced)
    #expect(found.samples[4].regions.map(\.isCrowd) == [false, false, true])
  }

  @Test("Two sets of bitmasks, JSON beside them, and other masks are refused with what to import")
  func companions() throws {
    func files(_ fixture: String) throws -> [String: [UInt8]] {
      let tree = FileTree(fixture: "bdd100k/\(fixture)")
      return Dictionary(
        uniqueKeysWithValues: try tree.files().map {
          ($0.path, try tree.readAll($0.path, limit: 1 << 20))
        })
    }
    func refusal(_ folder: [String: [UInt8]]) throws -> String {
      let error = try #require(
        #expect(throws: FormatError.self) { try FormatDetector.detect(MemoryTree(folder: folder)) })
      return "\(error)"
    }
    let (instances, panoptic) = (try files("bitmasks"), try files("bitmasks-panoptic"))
    let two = try refusal(instances.merging(panoptic) { first, _ in first })
    #expect(two.contains("labels/ins_seg/bitmasks, labels/pan_seg/bitmasks are 2 sets of bitmasks"))
    #expect(two.contains("PATH/labels/ins_seg/bitmasks --images PATH"))
    let json = try refusal(instances.merging(try files("release")) { first, _ in first })
    #expect(json.contains("3 bitmasks (labels/ins_seg/bitmasks/train/a.png, …) can describe"))
    #expect(json.contains("PATH/labels/ins_seg/bitmasks --images PATH"))
    let gray = try #require(instances["images/10k/train/a.png"])
    var others = instances
    others["labels/sem_seg/masks/train/a.png"] = gray
    #expect(
      try refusal(others).contains("1 image looks like masks (labels/sem_seg/masks/train/a.png)"))
    // The same image twice, if sets are put together.
    let both = try CollectedShapes(
      MemoryTree(folder: instances.merging(panoptic) { first, _ in first }), as: .bdd100k)
    #expect(both.kinds == [.duplicateID] && both.samples.count == 3 && both.isBalanced)
  }

  @Test("A folder named bitmasks with other pictures is none of BDD100K's")
  func others() throws {
    let tree = try MemoryTree(
      masks: [:], photos: ["bitmasks/train/a.png": (9, 9), "images/train/a.png": (9, 9)])
    #expect(try !BDD100KImporter().probe(tree).isMatch)
    #expect(throws: FormatError.unusedOption("--classes", format: .bdd100k)) {
      try CollectedShapes(
        FileTree(fixture: "bdd100k/bitmasks"), as: .bdd100k, ImportOptions(classes: ["a"]))
    }
  }

  @Test("All four channels of a PNG are values")
  func channels() throws {
    let tree = FileTree(fixture: "bdd100k/bitmasks")
    let bytes = try tree.readAll("labels/ins_seg/bitmasks/train/a.png", limit: 1 << 20)
    let raster = try ImageCodec.decodeWithAlpha(bytes)
    #expect(raster.channels == 4 && Array(raster.elements.prefix(4)) == [1, 0, 0, 1])
    let last = raster.elements[4 * (6 * 20 + 14)..<4 * (6 * 20 + 15)]
    #expect(Array(last) == [8, 1, 1, 2])
    let gray = try tree.readAll("images/10k/train/a.png", limit: 1 << 20)
    #expect(throws: ImageError.self) { try ImageCodec.decodeWithAlpha(gray) }
    #expect(throws: ImageError.self) { try ImageCodec.decodeWithAlpha(bytes.dropLast(30)) }
  }
}
