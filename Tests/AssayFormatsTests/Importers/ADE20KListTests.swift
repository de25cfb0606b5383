import AssayCore
import AssayImaging
import AssayTestSupport
import Testing

@testable import AssayFormats

@Suite("ADE20K's full releases of 2016 and 2017")
struct ADE20KListTests {
  private let lists = FileTree(fixture: "ade20k/lists")

  @Test("The list names the instances of the masks of every level; the index is never read")
  func objects() throws {
    let detection = try FormatDetector.detect(lists)
    #expect(detection.format == .ade20k)
    let street = "images/training/s/street/ADE_train_00000001"
    #expect(detection.reason == "\(street)_atr.txt lists the objects of \(street)_seg.png")
    let found = try CollectedShapes(lists, as: .ade20k)
    #expect(found.keys == ["\(street).jpg", "images/validation/b/beach/ADE_val_00000001.jpg"])
    #expect(found.isBalanced && found.splits == ["training", "validation"])
    #expect(found.samples.allSatisfy { $0.size == ImageSize(width: 6, height: 4) })
    #expect(
      found.classes == [
        Category(name: "building, edifice", sourceID: .integer(312)),
        Category(name: "car, auto, automobile, machine, motorcar", sourceID: .integer(401)),
        Category(name: "door", sourceID: .integer(774)),
        Category(name: "handle", sourceID: .integer(1180)),
        Category(name: "sky", sourceID: .integer(2420)),
      ])
    let shapes = found.samples[0].regions
    #expect(shapes.map(\.kind) == [.mask, .mask, .mask, .mask])
    #expect(
      shapes.map(\.label) == [
        "car, auto, automobile, machine, motorcar", "building, edifice", "door", "handle",
      ])
    #expect(shapes.map(\.area) == [12, 9, 4, 2])
    #expect(
      shapes.map(\.box) == [
        Box(x: 0, y: 0, width: 3, height: 4), Box(x: 3, y: 0, width: 3, height: 3),
        Box(x: 0, y: 0, width: 2, height: 2), Box(x: 1, y: 0, width: 1, height: 2),
      ])
    #expect(
      shapes.map(\.attributes) == [
        #"{"attributes":["parked","red"],"occluded":true,"part_level":0,"raw_name":"car"}"#,
        #"{"occluded":false,"part_level":0,"raw_name":"building"}"#,
        #"{"attributes":["open"],"occluded":false,"part_level":1}"#,
        #"{"occluded":false,"part_level":2}"#,
      ])
    // The numbers of the beach's mask are those of its list, so that the sky is known without the person.
    #expect(found.samples[1].regions.map(\.label) == ["sky"])
    #expect(found.samples[1].regions.map(\.area) == [12])
    #expect(
      found.places == [
        "unsupportedFile warning index_ade20k.mat",
        "badShape error images/validation/b/beach/ADE_val_00000001_atr.txt:2",
      ])
    #expect(found.run.lists?.annotationsRead == 6 && found.run.imagesLeftOut == 0)
  }

  @Test("Objects have their number as id, parts their level and number")
  func identifiers() throws {
    var ids: [SourceID?] = []
    _ = try ADE20KImporter().run(lists, ImportOptions(workers: 1)) {
      ids += $0.annotations.map(\.sourceID)
    }
    #expect(ids == [.integer(1), .integer(2), .text("1/1"), .text("2/1"), .integer(1)])
  }

  @Test("--classes and --size are refused, and other trees are not taken for it")
  func options() throws {
    #expect(throws: FormatError.self) {
      try CollectedShapes(lists, as: .ade20k, ImportOptions(classes: ["sky"]))
    }
    #expect(throws: FormatError.self) {
      try CollectedShapes(
        lists, as: .ade20k, ImportOptions(size: ImageSize(width: 1, height: 1)))
    }
    let lone = try Self.tree(Self.wall, masks: [:])
    #expect(try !ADE20KImporter().probe(lone).isMatch)
    let other = try Self.tree("0 0.5 0.5 0.1 0.1\n", masks: ["seg": [[1, 1]]])
    #expect(try !ADE20KImporter().probe(other).isMatch)
  }

  // MARK: Small trees

  private static let wall = "001 # 0 # 0 # wall # wall # \"\"\n"

  /// A pixel is class 256 · (instance / 10) + 7 of an instance; 0 is background.
  private static func png(_ rows: [[UInt8]]) throws -> [UInt8] {
    let bytes = rows.joined().flatMap { value -> [UInt8] in
      value == 0 ? [0, 0, 0] : [value / 10 * 10, 7, value]
    }
    return try png(bytes, width: rows[0].count)
  }

  private static func png(_ bytes: [UInt8], width: Int) throws -> [UInt8] {
    let raster = try #require(
      Raster(width: width, height: bytes.count / 3 / width, channels: 3, elements: bytes))
    return try ImageCodec.encodePNG(raster)
  }

  /// An image `a.png` of the size of the first mask, 2 × 1 without one, and masks by their ending.
  private static func tree(
    _ list: String, masks: [String: [[UInt8]]], more: [String: [UInt8]] = [:]
  ) throws -> MemoryTree {
    let rows = masks["seg"] ?? [[0, 0]]
    let photo = Raster<UInt8>(
      repeating: 9, width: rows[0].count, height: rows.count, channels: 3)
    var folder = more
    if folder["a.png"] == nil { folder["a.png"] = try ImageCodec.encodePNG(photo) }
    folder["a_atr.txt"] = folder["a_atr.txt"] ?? Array(list.utf8)
    for (ending, rows) in masks { folder["a_\(ending).png"] = try png(rows) }
    return MemoryTree(folder: folder)
  }

  private static func line(
    _ number: Int, _ name: String, level: Int = 0, occluded: String = "0", more: String = "\"\""
  ) -> String {
    "00\(number) # \(level) # \(occluded) # \(name) # \(name) # \(more)\n"
  }

  @Test("Instances are numbered in the order of their values, whatever these are")
  func order() throws {
    let list = Self.line(1, "wall") + Self.line(2, "sky") + Self.line(3, "sea")
    let found = try CollectedShapes(detecting: Self.tree(list, masks: ["seg": [[200, 20, 90, 0]]]))
    #expect(found.shapes.map(\.label) == ["wall", "sky", "sea"])
    #expect(found.shapes.map(\.box?.x) == [1, 2, 0])
    #expect(found.places.isEmpty)
    // Without background, the lowest value is the first one, too.
    let full = try CollectedShapes(detecting: Self.tree(list, masks: ["seg": [[200, 20, 90]]]))
    #expect(full.shapes.map(\.box?.x) == [1, 2, 0])
  }

  @Test("If it is unknown which instance a line means, the image or the level is left out")
  func unknown() throws {
    let two = Self.line(1, "wall") + Self.line(2, "sky")
    for rows: [[UInt8]] in [[[90, 0]], [[10, 20, 30]], [[0, 0]].map { $0.map { _ in 77 } }] {
      let found = try CollectedShapes(Self.tree(two, masks: ["seg": rows]), as: .ade20k)
      #expect(found.keys.isEmpty && found.shapes.isEmpty && found.isBalanced)
      #expect(found.places == ["maskValue error a_seg.png"])
    }
    let parts = try CollectedShapes(
      detecting: Self.tree(
        Self.wall + Self.line(1, "door", level: 1) + Self.line(2, "knob", level: 1),
        masks: ["seg": [[5, 5]], "parts_1": [[90, 0]]]))
    #expect(parts.shapes.map(\.label) == ["wall"] && parts.isBalanced)
    #expect(parts.places == ["maskValue error a_parts_1.png"])
  }

  @Test("Values that are numbers are not believed if the classes contradict")
  func contradiction() throws {
    // The instances 1 and 3 have the same class, and the lines 1 and 3 do not.
    let list = Self.line(1, "wall") + Self.line(2, "sky") + Self.line(3, "sea")
    let found = try CollectedShapes(Self.tree(list, masks: ["seg": [[1, 3]]]), as: .ade20k)
    #expect(found.keys.isEmpty && found.places == ["maskValue error a_seg.png"])
    let same = Self.line(1, "wall") + Self.line(2, "sky") + Self.line(3, "wall")
    let kept = try CollectedShapes(Self.tree(same, masks: ["seg": [[1, 3]]]), as: .ade20k)
    #expect(kept.shapes.map(\.label) == ["wall", "wall"])
    #expect(kept.places == ["badShape error a_atr.txt:2"])
  }

  @Test(
    "Every line that cannot be read is an issue",
    arguments: [
      ("x # 0 # 0 # sky # sky # \"\"\n", "badField error a_atr.txt:2"),
      ("000 # 0 # 0 # sky # sky # \"\"\n", "badField error a_atr.txt:2"),
      ("002 # 100 # 0 # sky # sky # \"\"\n", "badField error a_atr.txt:2"),
      ("002 # -1 # 0 # sky # sky # \"\"\n", "badField error a_atr.txt:2"),
      ("002\n", "badField error a_atr.txt:2"),
      ("001 # 0 # 0 # sky # sky # \"\"\n", "duplicateID error a_atr.txt:2"),
      ("\n\n002 # 1 # 0 # sky # sky # \"\"\n", "unpairedMask error a_atr.txt"),
    ])
  func lines(line: String, place: String) throws {
    let found = try CollectedShapes(
      detecting: Self.tree(Self.wall + line, masks: ["seg": [[5, 5]]]))
    #expect(found.places == [place])
    #expect(found.shapes.map(\.label) == ["wall"] && found.isBalanced)
    #expect(found.run.lists?.annotationsRead == 2)
  }

  @Test("A line without all fields or without a class has its number, and is left out")
  func fields() throws {
    let list = Self.line(1, "wall") + "002 # 0 # 0 # sky\n" + "003 # 0 # 0 #  # sea # \"\"\n"
    let found = try CollectedShapes(detecting: Self.tree(list, masks: ["seg": [[30, 20, 10]]]))
    #expect(found.shapes.map(\.box?.x) == [2] && found.isBalanced)
    #expect(
      found.places == ["fieldCount error a_atr.txt:2", "missingLabel error a_atr.txt:3"])
  }

  @Test("Odd flags, attributes and bytes are kept where they can be")
  func oddities() throws {
    let list =
      Self.line(1, "wall", occluded: "2", more: "\"a # b, , c\"") + Self.line(2, "sky", more: "d")
    var bytes = Array(list.utf8)
    bytes.replace("sky".utf8, with: [0x73, 0xE9])
    let found = try CollectedShapes(
      detecting: Self.tree("", masks: ["seg": [[10, 20]]], more: ["a_atr.txt": bytes]))
    #expect(found.shapes.map(\.label) == ["wall", "sé"])
    #expect(
      found.shapes.map(\.attributes) == [
        #"{"attributes":["a # b","c"],"part_level":0}"#,
        #"{"attributes":["d"],"occluded":false,"part_level":0}"#,
      ])
    #expect(
      found.places == ["badUTF8 warning a_atr.txt:1", "badField warning a_atr.txt:1"])
  }

  @Test("Pixels of another class or of no instance are warnings")
  func pixels() throws {
    // Instance 1 has two pixels of class 7 and one of class 8; the last pixel has a class alone.
    let mask = try Self.png([0, 7, 1, 0, 7, 1, 0, 8, 1, 0, 9, 0], width: 4)
    let found = try CollectedShapes(
      detecting: Self.tree(
        Self.wall, masks: [:],
        more: [
          "a_seg.png": mask,
          "a.png": try ImageCodec.encodePNG(Raster<UInt8>(repeating: 1, width: 4, height: 1)),
        ]))
    #expect(found.shapes.map(\.area) == [3])
    #expect(found.classes == [Category(name: "wall", sourceID: .integer(7))])
    #expect(
      found.places == ["maskValue warning a_seg.png", "maskValue warning a_seg.png"])
  }

  @Test("Masks that are missing, gray, damaged or of another size leave the image out")
  func masks() throws {
    let gray = try ImageCodec.encodePNG(Raster<UInt8>(repeating: 1, width: 2, height: 1))
    let wide = try Self.png([[5, 5, 5]])
    for (bytes, kind) in [
      (gray, "unsupportedFile"), (Array(gray.dropLast(20)), "unsupportedFile"),
      (Array("text".utf8), "unreadableImage"), (wide, "maskSize"),
      (Array(try Self.png([[5, 5]]).dropLast(20)), "unreadableImage"),
    ] {
      let tree = try Self.tree(Self.wall, masks: [:], more: ["a_seg.png": bytes])
      let found = try CollectedShapes(tree, as: .ade20k)
      #expect(found.keys.isEmpty && found.isBalanced)
      #expect(found.places == ["\(kind) error a_seg.png"])
    }
  }

  @Test("Images without a list are left out, and lists without an image keep theirs")
  func unpaired() throws {
    let photo = try ImageCodec.encodePNG(Raster<UInt8>(repeating: 9, width: 2, height: 1))
    let tree = try Self.tree(
      Self.wall, masks: ["seg": [[5, 5]]],
      more: [
        "b.png": photo, "c.png": photo, "c_seg.png": try Self.png([[5, 5]]),
        "d_atr.txt": Array(Self.wall.utf8), "d_seg.png": try Self.png([[5, 5], [5, 0]]),
      ])
    let found = try CollectedShapes(tree, as: .ade20k)
    #expect(found.keys == ["a.png", "d.jpg"] && found.run.imagesLeftOut == 2)
    #expect(found.samples[1].size == ImageSize(width: 2, height: 2))
    #expect(found.shapes.map(\.area) == [2, 3])
    #expect(
      found.places == ["unpairedMask warning c_seg.png", "missingImage warning d.jpg"])
  }

  @Test("Annotations of another kind beside the lists are named")
  func others() throws {
    let tree = try Self.tree(
      Self.wall, masks: ["seg": [[5, 5]]], more: ["a.txt": Array("0 0.5 0.5 0.1 0.1\n".utf8)])
    let error = #expect(throws: FormatError.self) {
      try FormatDetector.detect(tree, forced: .ade20k)
    }
    #expect("\(try #require(error))".contains("YOLO"))
  }

  @Test("Damaged lists and masks are imported in part or refused")
  func damage() throws {
    let trees = DamagedTrees(
      format: .ade20k, fixtures: ["ade20k/lists"],
      words: ["#", " # ", "001", "002", "003", "99", "# 1 #", "\"\"", "\n\n", "car"],
      texts: ["_atr.txt"])
    let found = try trees.run(seed: 1607)
    #expect(found.imported > found.rounds / 4 && found.objects > found.rounds)
  }
}
