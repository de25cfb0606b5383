import AssayCore
@testable import AssayFormats
import AssayTestSupport
import Testing

@Suite("ADE20K's full release")
struct ADE20KFullTests {
  private static let first = "images/ADE/training/urban/street/ADE_train_00000001"
  private static let second = "images/ADE/validation/nature/beach/ADE_val_00000001"
  private let full = FileTree(fixture: "ade20k/full")

  @Test("Objects and parts are polygons or masks with their fields; the pickle is never read")
  func objects() throws {
    let detection = try FormatDetector.detect(full)
    #expect(detection.format == .ade20k && detection.reason.hasSuffix("is a ADE20K file"))
    let found = try CollectedShapes(full, as: .ade20k)
    #expect(found.keys == ["\(Self.first).jpg", "\(Self.second).jpg"] && found.isBalanced)
    #expect(found.samples.map(\.split) == ["training", "validation"])
    #expect(found.samples[0].size == ImageSize(width: 6, height: 4))
    #expect(
      Set(found.classes) == [
        Category(name: "building, edifice", sourceID: .integer(312)),
        Category(name: "car, auto, automobile, machine, motorcar", sourceID: .integer(401)),
        Category(name: "door", sourceID: .integer(774)),
        Category(name: "handle", sourceID: .integer(1180)),
        Category(name: "sky", sourceID: .integer(2420)),
      ])
    #expect(found.names == found.names.sorted())
    let shapes = found.samples[0].regions
    #expect(shapes.map(\.kind) == [.polygon, .polygon, .polygon, .mask])
    #expect(shapes.map(\.area) == [12, 12, 4, 3])
    #expect(shapes[0].points == [[0, 0, 4, 0, 4, 3, 0, 3]])
    let saved = #""saved_date":"18-Dec-2005 06:56:48"}"#
    #expect(
      shapes[0].attributes
        == #"{"crop":true,"depth_ordering_rank":1,"hasparts":[2,3],"occluded":true,"part_level":0,"#
        + #""raw_name":"car","# + saved)
    #expect(
      shapes[1].attributes
        == #"{"attributes":["tall","old"],"crop":false,"depth_ordering_rank":2,"part_level":0,"#
        + #""raw_name":"building","# + saved)
    // Lists of one element are written as the element.
    #expect(
      shapes[2].attributes
        == #"{"attributes":"open","crop":false,"depth_ordering_rank":3,"hasparts":[3],"ispartof":0,"#
        + #""occluded":false,"part_level":1,"# + saved)
    // The handle has no polygon: its mask is taken.
    #expect(shapes[3].box == Box(x: 1, y: 0, width: 2, height: 2))
    #expect(found.places == ["unsupportedFile warning index_ade20k.pkl"])
    #expect(found.run.imagesLeftOut == 0)
    #expect(
      found.run.notes.first?.hasPrefix("objects whose hypernyms are not kept: 5 (first in ") == true
    )
    var fields: [String?] = []
    _ = try ADE20KImporter().run(full, ImportOptions()) { fields += $0.samples.map(\.attributes) }
    #expect(fields.first??.contains(#""scene":["outdoor","urban","street"]"#) == true)
  }

  @Test("--classes and --size are refused; an image without a JSON is left out")
  func options() throws {
    #expect(throws: FormatError.self) {
      try CollectedShapes(full, as: .ade20k, ImportOptions(classes: ["sky"]))
    }
    #expect(throws: FormatError.self) {
      try CollectedShapes(
        full, as: .ade20k, ImportOptions(size: ImageSize(width: 1, height: 1)))
    }
    let tree = try Self.tree([Self.object()], photos: ["a.png", "b.png"])
    let found = try CollectedShapes(detecting: tree)
    #expect(found.keys == ["a.png"] && found.run.imagesLeftOut == 1)
  }

  private static func object(_ members: String = "", polygon: String = square) -> String {
    #"{"id": 0, "name": "sky", "name_ndx": 2420, "parts": {"part_level": 0}, "polygon": \#(polygon)"#
      + (members.isEmpty ? "" : ", ") + members + "}"
  }

  private static let square = #"{"x": [0, 4, 4, 0], "y": [0, 0, 4, 4]}"#

  private static func tree(
    _ objects: [String], filename: String = "a.png", photos: [String] = ["a.png"],
    masks: [String: [[UInt8]]] = [:]
  ) throws -> MemoryTree {
    try MemoryTree(
      masks: masks,
      photos: Dictionary(uniqueKeysWithValues: photos.map { ($0, (width: 8, height: 5)) }),
      texts: [
        "a.json": #"{"annotation": {"filename": "\#(filename)", "imsize": [5, 8, 3], "object": "#
          + "[\(objects.joined(separator: ", "))]}}"
      ])
  }

  @Test(
    "Every object that cannot be read is an issue with its pointer",
    arguments: [
      ("3", "badField error", ""), (#"{"polygon": \#(square)}"#, "missingLabel error", ""),
      (object(polygon: #"{"x": [0, 4], "y": [0, 4]}"#), "badShape error", "/polygon"),
      (object(polygon: #"{"x": 3, "y": 3}"#), "badShape error", "/polygon"),
      (object(polygon: #"{"x": [], "y": []}"#), "badShape error", "/polygon"),
      (object(polygon: #"{"x": [0, 4, 4], "y": [0, 4]}"#), "badField error", "/polygon"),
      (object(polygon: #"{"x": [0, 4, "4"], "y": [0, 4, 4]}"#), "badField error", "/polygon"),
      (object(polygon: "null"), "badField error", "/polygon"),
      (object(polygon: #"{"x": [0, 4, NaN], "y": [0, 4, 4]}"#), "badShape error", ""),
      (mask("a/none.png"), "unreadableImage error", "/instance_mask"),
      (mask("../../etc/passwd"), "outsideRoot error", "/instance_mask"),
      (mask("/etc/passwd"), "outsideRoot error", "/instance_mask"),
      (mask("a/instance_000_a.png"), "maskSize error", "/instance_mask"),
      (mask("a/instance_001_a.png"), "badShape error", "/instance_mask"),
    ])
  func odd(object: String, kind: String, pointer: String) throws {
    let tree = try Self.tree(
      [Self.object(), object],
      masks: [
        "a/instance_000_a.png": [[0, 1]],
        "a/instance_001_a.png": .init(repeating: .init(repeating: 0, count: 8), count: 5),
      ])
    let found = try CollectedShapes(detecting: tree)
    #expect(found.places == ["\(kind) a.json#/annotation/object/1\(pointer)"])
    #expect(found.shapes.map(\.area) == [16] && found.isBalanced)
    #expect(found.run.lists?.annotationsRead == 2 && found.run.imagesLeftOut == 0)
  }

  private static func mask(_ path: String) -> String {
    object(#""instance_mask": "\#(path)""#, polygon: #"{"x": [], "y": []}"#)
  }

  @Test("Another name of the image, and parts that are no object, are warnings")
  func warnings() throws {
    let tree = try Self.tree(
      [Self.object().replacing(#"{"part_level": 0}"#, with: "7")], filename: "z.png")
    let found = try CollectedShapes(detecting: tree)
    #expect(
      found.places == [
        "badField warning a.json#/annotation/filename",
        "badField warning a.json#/annotation/object/0/parts",
      ])
    #expect(found.shapes.count == 1)
  }

  @Test("The index for MATLAB is not taken for annotations of another kind")
  func index() throws {
    let text = try Self.tree([Self.object()]).readAll("a.json", limit: 1 << 20)
    let tree = try MemoryTree(
      pngs: ["a.png"],
      texts: [
        "a.json": String(decoding: text, as: UTF8.self), "index_ade20k.mat": "MATLAB 5.0 MAT-file",
      ])
    #expect(try FormatDetector.detect(tree).format == .ade20k)
  }

  @Test("Annotations beside those of another kind are named")
  func others() throws {
    let text = try String(
      decoding: Self.tree([Self.object()]).readAll("a.json", limit: 1 << 20), as: UTF8.self)
    let mixed = try MemoryTree(
      pngs: ["a.png", "b.png"],
      texts: ["a.json": text, "b.txt": "0 0.5 0.5 0.1 0.1\n"])
    let error = #expect(throws: FormatError.self) { try FormatDetector.detect(mixed) }
    #expect(error?.description.contains("ADE20K annotations (a.json)") == true)
  }

  @Test("Damaged files are imported in part or refused")
  func damage() throws {
    let run = try JSONDamage(format: .ade20k, fixtures: ["ade20k/full"]).run(seed: 41)
    #expect(run.imported > run.rounds / 8 && run.objects > run.rounds / 8)
  }
}
