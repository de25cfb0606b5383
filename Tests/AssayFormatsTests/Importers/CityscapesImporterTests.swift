import AssayCore
import AssayFormats
import AssayImaging
import AssayTestSupport
import Testing

@Suite("Cityscapes")
struct CityscapesImporterTests {
  private let official = FileTree(fixture: "cityscapes/official")

  private func folder(_ split: String, _ city: String, _ number: Int) -> String {
    "leftImg8bit/\(split)/\(city)/\(city)_00000\(number)_000019_leftImg8bit.png"
  }

  @Test("The tree is recognized by its annotations, and trees of other formats are not")
  func detection() throws {
    let detection = try FormatDetector.detect(official)
    #expect(detection.format == .cityscapes)
    #expect(
      detection.reason.contains("gtCoarse/train/ulm/ulm_000000_000019_gtCoarse_polygons.json"))
    #expect(
      try FormatFixtures.taken(by: CityscapesImporter())
        == ["cityscapes/official", "cityscapes/datumaro"])
    let datumaro = FileTree(fixture: "cityscapes/datumaro")
    #expect(try FormatDetector.detect(datumaro).format == .cityscapes)
  }

  @Test("The classes are the official ones in order of their ids")
  func classes() throws {
    let found = try CollectedObjects(official, as: .cityscapes)
    #expect(found.names.count == 36 && found.names.last == "cow")
    #expect(found.names[0] == "unlabeled" && found.names[34] == "license plate")
    #expect(
      found.classes[26]
        == Category(
          name: "car", sourceID: .integer(26), supercategory: "vehicle",
          attributes: #"{"isthing":1}"#))
    #expect(found.classes[7].attributes == #"{"isthing":0}"# && found.classes[35].isThing == nil)
    let void = found.classes.filter(\.isVoid).map(\.name)
    #expect(
      void == [
        "unlabeled", "ego vehicle", "rectification border", "out of roi", "static", "dynamic",
        "ground", "parking", "rail track", "guard rail", "bridge", "tunnel", "polegroup", "caravan",
        "trailer",
      ])
    #expect(found.classes[34].sourceID == .integer(-1) && !found.classes[34].isVoid)
  }

  @Test("Polygons are read before label images; what later objects cover is not part of an object")
  func polygons() throws {
    let found = try CollectedObjects(official, as: .cityscapes)
    let key = folder("train", "ulm", 0)
    let sample = try #require(found.samples.first { $0.key == key })
    #expect(sample.split == "train" && sample.size == ImageSize(width: 12, height: 8))
    #expect(
      sample.objects.map { "\($0.label) \($0.area ?? -1)" } == [
        "sky 38.0", "road 38.0", "car 12.0", "license plate 2.0", "car 4.0", "cow 1.0",
        "unlabeled 3.0",
      ])
    #expect(sample.objects[2].polygons == [[2, 3, 6, 3, 6, 6, 2, 6]])
    #expect(sample.objects[2].box == Box(x: 2, y: 3, width: 4, height: 3))
    #expect(sample.objects[2].attributes == #"{"user":"ann","verified":1}"#)
    #expect(sample.objects[0].polygons.isEmpty)
    #expect(sample.objects[0].attributes == #"{"polygon":[0.0,0.0,11.0,0.0,11.0,4.0,0.0,4.0]}"#)
    let issues = found.issues.filter { $0.sampleKey == key }
    let file = "gtFine/train/ulm/ulm_000000_000019_gtFine_polygons.json"
    #expect(
      issues.map { "\($0.kind) \($0.severity) \($0.location)" } == [
        "unsupportedField error \(file)#/objects/5", "unknownLabel warning \(file)#/objects/6",
      ])
    #expect(found.isBalanced)
  }

  @Test("Instance ids of 16 bits are instances, below 1,000 groups or classes without instances")
  func instances() throws {
    let found = try CollectedMasks(official, as: .cityscapes)
    let key = folder("train", "ulm", 1)
    let sample = try #require(found.samples.first { $0.key == key })
    #expect(
      sample.regions.map { "\($0.label) \($0.mask.area)" } == [
        "unlabeled 1", "road 36", "sky 48", "car 2", "car 4", "car 4",
      ])
    #expect(sample.regions[4].box == Box(x: 0, y: 4, width: 2, height: 2))
    #expect(sample.regions[5].mask.boundingBox == Box(x: 4, y: 4, width: 2, height: 2))
    let issue = try #require(found.issues.first { $0.sampleKey == key })
    #expect(issue.kind == .maskValue && issue.severity == .error)
    #expect(issue.message.contains("1 pixel has the value 200"))
    let crowds = try crowds(official)
    #expect(crowds.filter { $0.key == key }.map(\.id) == [nil, nil, nil, nil, 26001, 26002])
    #expect(
      crowds.filter { $0.key == key }.map(\.isCrowd) == [false, false, false, true, false, false])
    // A group of a polygon file.
    #expect(
      crowds.filter { $0.key == folder("train", "ulm", 0) }.map(\.isCrowd)
        == [false, false, false, false, true, false, false])
  }

  private func crowds(
    _ tree: some SourceTree
  ) throws -> [(key: String, isCrowd: Bool, id: Int64?)] {
    var keys: [String] = []
    var found: [(key: String, isCrowd: Bool, id: Int64?)] = []
    _ = try CityscapesImporter().run(tree, ImportOptions()) { batch in
      keys += batch.samples.map(\.key)
      for region in batch.annotations {
        var id: Int64?
        if case .integer(let value)? = region.sourceID { id = value }
        found.append((keys[region.sample], region.isCrowd, id))
      }
    }
    return found
  }

  @Test("Label ids and training ids alone give one region per class")
  func classesAlone() throws {
    let found = try CollectedMasks(official, as: .cityscapes)
    #expect(found.areas(folder("val", "bonn", 0)) == ["road": 90, "car": 6])
    #expect(found.areas(folder("val", "bonn", 1)) == ["road": 82, "car": 6, "unlabeled": 8])
    #expect(
      found.samples.map(\.split) == ["test", "train", "train", "train_extra", "val", "val"])
  }

  @Test("Coarse annotations are read where there are no fine ones; an image without any is kept")
  func coarse() throws {
    let found = try CollectedObjects(official, as: .cityscapes)
    let extra = try #require(found.samples.first { $0.split == "train_extra" })
    #expect(extra.objects.map(\.label) == ["road", "unlabeled"])
    #expect(extra.objects.map(\.area) == [48, 48])
    let test = try #require(found.samples.first { $0.split == "test" })
    #expect(test.objects.isEmpty)
    #expect(found.places.contains("missingLabel warning \(folder("test", "berlin", 0))"))
    #expect(
      found.run.notes == [
        "the annotations of 1 image are coarse (gtCoarse)",
        "the coarse annotations of 1 image (gtCoarse/train/ulm/ulm_000000_000019_gtCoarse_polygons.json) "
          + "are not read, because there are fine ones",
      ])
  }

  @Test("Datumaro's layout: the names come from label_colors.txt, and black is background")
  func datumaro() throws {
    let found = try CollectedMasks(detecting: FileTree(fixture: "cityscapes/datumaro"))
    #expect(found.names == ["car", "road", "tomato plant"])
    #expect(found.classes.map(\.sourceID) == [.integer(1), .integer(2), .integer(3)])
    #expect(found.samples.map(\.split) == ["train", "val"])
    #expect(
      found.samples[0].regions.map { "\($0.label) \($0.mask.area)" } == [
        "road 6", "car 4", "car 4",
      ])
    #expect(found.samples[1].regions.map(\.label) == ["tomato plant"])
    #expect(found.issues.isEmpty && found.run.lists?.annotationsRead == 4)
  }

  @Test("Options that do not apply are refused, and a file is not a dataset")
  func options() throws {
    #expect(throws: FormatError.unusedOption("--classes", format: .cityscapes)) {
      try CollectedObjects(official, as: .cityscapes, ImportOptions(classes: ["a"]))
    }
    #expect(throws: FormatError.unusedOption("--size", format: .cityscapes)) {
      try CollectedObjects(
        official, as: .cityscapes, ImportOptions(size: ImageSize(width: 1, height: 1)))
    }
    #expect(throws: FormatError.self) { try CollectedObjects(MemoryTree("a"), as: .cityscapes) }
  }
}
