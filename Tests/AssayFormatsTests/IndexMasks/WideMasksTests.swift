import AssayCore
import AssayImaging
import AssayTestSupport
import Testing

@testable import AssayFormats

@Suite("Index masks of 16 bits per value")
struct WideMasksTests {
  /// The pixels and the box of each value of a mask, as OpenCV reads it.
  private func golden(_ mask: String) throws -> [Int: (area: Int, box: Box)] {
    let all: [String: [String: [Int]]] = try GoldenJSON.decode("masks/goldens.json")
    let regions = try #require(all[mask])
    return Dictionary(
      uniqueKeysWithValues: regions.compactMap { value, found in
        let sides = found.map(Double.init)
        let box = Box(x: sides[1], y: sides[2], width: sides[3], height: sides[4])
        return Int(value).map { ($0, (found[0], box)) }
      })
  }

  /// Compares the regions of a sample with the values of its mask.
  ///
  /// - Parameter name: the class of a value; `nil` for background.
  private func compare(
    _ found: CollectedMasks, _ key: String, with mask: String, name: (Int) -> String?
  ) throws {
    let expected = try golden(mask).filter { name($0.key) != nil }
    let regions = try #require(found.samples.first { $0.key == key }).regions
    #expect(regions.count == expected.count)
    for (value, golden) in expected {
      let region = regions.first { $0.label == name(value) }
      #expect(region?.mask.area == golden.area && region?.box == golden.box, "\(value)")
      #expect(region?.area == Double(golden.area))
    }
  }

  @Test("Each of 300 classes has its pixels; 65,535 is void, 255 is a class that has a name")
  func named() throws {
    let found = try CollectedMasks(detecting: FileTree(fixture: "masks/wide"))
    #expect(found.names == (1...300).map { "species \($0)" } + ["void"])
    #expect(found.classes.last?.isVoid == true)
    #expect(found.classes.last?.sourceID == .integer(65_535))
    #expect(found.samples.map(\.split) == ["train", "train", "val"])
    for (key, mask) in [("a.png", "a.png"), ("b.jpg", "b.png")] {
      try compare(found, "images/train/\(key)", with: "wide/masks/train/\(mask)") { value in
        value == 0 ? nil : value == 65_535 ? "void" : "species \(value)"
      }
    }
    // 301 has no name.
    #expect(found.areas("images/val/c.png") == ["species 7": 6, "void": 2])
    #expect(
      found.issues.map(\.message) == [
        "2 of 24 pixels have values of no class (301); kept as void"
      ])
    #expect(found.issues[0].severity == .warning && found.isBalanced)
  }

  @Test("Without names, values are numbered classes, and those that only 16 bits have are kept")
  func unnamed() throws {
    let found = try CollectedMasks(detecting: FileTree(fixture: "masks/wide-unnamed"))
    #expect(found.names == ["class 1", "class 256", "class 300", "class 40000", "void"])
    for name in ["a", "b"] {
      let mask = "wide-unnamed/masks/\(name).png"
      try compare(found, "images/\(name).png", with: mask) { value in
        value == 0 ? nil : value == 65_535 ? "void" : "class \(value)"
      }
    }
    #expect(found.issues.isEmpty && found.isBalanced)
  }

  private static let photos = ["images/a.png": (width: 3, height: 1)]

  private func collected(
    _ row: [UInt16], _ texts: [String: String] = [:], _ options: ImportOptions = ImportOptions()
  ) throws -> CollectedMasks {
    let tree = try MemoryTree(
      masks: [:], photos: Self.photos, texts: texts, wide: ["masks/a.png": [row]])
    return try CollectedMasks(tree, as: .masks, options)
  }

  @Test(
    "255 without names can be a class or void: the source is refused until the classes are named")
  func ambiguous() throws {
    let error = try #require(
      #expect(throws: FormatError.self) { try collected([0, 255, 300]) })
    #expect("\(error)".hasPrefix("masks/a.png: 255 in masks of 16 bits can be a class or void"))
    #expect("\(error)".contains("--classes a,b,c"))
    let names = (1...300).map { "c\($0)" }
    let stated = try collected([0, 255, 300], [:], ImportOptions(classes: names))
    #expect(stated.areas("images/a.png") == ["c255": 1, "c300": 1])
    let listed = try collected([0, 255, 300], ["classes.txt": "255 x\n300: y\n"])
    #expect(listed.areas("images/a.png") == ["x": 1, "y": 1])
    #expect(listed.classes.map(\.sourceID) == [.integer(255), .integer(300)])
    // A list that does not name 255 makes it void, which is said.
    let few = try collected([1, 2, 255], ["classes.txt": "cat\ndog\n"])
    #expect(few.areas("images/a.png") == ["cat": 1, "dog": 1, "void": 1])
    #expect(
      few.issues.map(\.message) == [
        "1 of 3 pixels has a value of no class (255); kept as void"
      ])
  }

  @Test("Masks of 0 and 65,535, or of 0 and 1, have one class")
  func binary() throws {
    for row: [UInt16] in [[0, 65_535, 65_535], [0, 1, 1]] {
      let found = try collected(row)
      #expect(found.names == ["foreground"] && found.areas("images/a.png") == ["foreground": 2])
      let named = try collected(row, [:], ImportOptions(classes: ["person"]))
      #expect(named.areas("images/a.png") == ["person": 2])
    }
  }

  @Test(
    "The first and the last of 65,534 classes have their values; the values beyond are not named")
  func limit() throws {
    let text = "background\n" + (1...65_534).map { "c\($0)\n" }.joined()
    let found = try collected([1, 65_534, 65_535], ["classes.txt": text])
    #expect(found.names.count == 65_535)
    #expect(found.areas("images/a.png") == ["c1": 1, "c65534": 1, "void": 1])
    let more = ClassNames((1...70_000).map { "c\($0)" }, isWide: true).names
    #expect(more.count == 65_534 && more[65_534] == "c65534")
  }

  @Test(
    "Masks of 8 bits beside those of 16: the same classes, 255 is void, and refused if it is one")
  func mixed() throws {
    func tree(_ narrow: [UInt8], _ texts: [String: String]) throws -> MemoryTree {
      try MemoryTree(
        masks: ["masks/a.png": [narrow]],
        photos: ["images/a.png": (3, 1), "images/b.png": (3, 1)], texts: texts,
        wide: ["masks/b.png": [[1, 300, 65_535]]])
    }
    let open = try CollectedMasks(tree([0, 1, 255], [:]), as: .masks)
    #expect(open.areas("images/a.png") == ["class 1": 1, "void": 1])
    #expect(open.areas("images/b.png") == ["class 1": 1, "class 300": 1, "void": 1])
    let names = ["classes.txt": (1...300).map { "c\($0)\n" }.joined()]
    let closed = try CollectedMasks(tree([0, 1, 254], names), as: .masks)
    #expect(closed.areas("images/a.png") == ["c1": 1, "c254": 1])
    let error = try #require(
      #expect(throws: FormatError.self) {
        try CollectedMasks(tree([0, 1, 255], names), as: .masks)
      })
    #expect("\(error)".contains("“c255”") && "\(error)".contains("save all masks with 16 bits"))
  }

  @Test("Lists and names beyond 8 bits mean nothing for masks of 8 bits, as before")
  func narrow() throws {
    func found(_ texts: [String: String], _ options: ImportOptions = ImportOptions()) throws
      -> CollectedMasks
    {
      let tree = try MemoryTree(
        masks: ["masks/a.png": [[2, 3, 255]]], photos: Self.photos, texts: texts)
      return try CollectedMasks(tree, as: .masks, options)
    }
    let long = (1...300).map { "c\($0)" }
    #expect(
      try found(["classes.txt": long.joined(separator: "\n")]).names
        == ["class 2", "class 3", "void"])
    // 255 is void, so it cannot be the class that a list names.
    let numbered = long.enumerated().map { "\($0.offset + 1) \($0.element)\n" }.prefix(255).joined()
    for (texts, options) in [
      ([:], ImportOptions(classes: long)), (["classes.txt": numbered], ImportOptions()),
      (["classes.txt": long.prefix(255).joined(separator: "\n")], ImportOptions()),
    ] as [([String: String], ImportOptions)] {
      let error = try #require(#expect(throws: FormatError.self) { try found(texts, options) })
      #expect("\(error)".contains("“c255”"), "\(error)")
    }
    let given = try found([:], ImportOptions(classes: Array(long.prefix(254))))
    #expect(given.names == (1...254).map { "c\($0)" } + ["void"])
    #expect(given.classes.last?.sourceID == .integer(255))
    #expect(
      try found(["classes.txt": "2 cat\n3 dog\n255 ignore\n"]).names == ["cat", "dog", "void"])
    #expect(try found(["classes.txt": "9 a\n300 b\n"]).kinds == [.maskValue])
  }

  @Test(
    "A numbered list with a repeated or impossible number is refused, not read in order",
    arguments: [
      ("0 background\n1 car\n1 van\n2 bus\n", "the number 1 is on two lines"),
      ("0 background\n-1 car\n2 van\n", "“-1 car” has no number"),
      ("1 car\n70000 van\n", "“70000 van” has no number"),
    ])
  func badNumbers(_ list: String, _ text: String) throws {
    let tree = try MemoryTree(
      masks: ["masks/a.png": [[0, 1, 2]]], photos: Self.photos, texts: ["classes.txt": list])
    let error = try #require(
      #expect(throws: FormatError.self) { try CollectedMasks(tree, as: .masks) })
    #expect("\(error)".contains(text), "\(error)")
    // Names that begin with a number are names where not all lines do.
    let named = try MemoryTree(
      masks: ["masks/a.png": [[0, 1, 2]]], photos: Self.photos,
      texts: ["classes.txt": "2 wheeler\ncar\n"])
    #expect(
      try CollectedMasks(named, as: .masks).areas("images/a.png") == ["2 wheeler": 1, "car": 1])
  }

  @Test("A list of colors ends at 255 classes; masks of 16 bits take the longer list beside it")
  func colors() throws {
    let names = (1...300).map { "c\($0)" }
    let texts = [
      "classes.txt": "background\n" + names.joined(separator: "\n"),
      "label_colors.txt": (["background"] + names).enumerated()
        .map { "\($0.offset / 256) \($0.offset % 256) 0 \($0.element)" }.joined(separator: "\n"),
    ]
    let found = try collected([0, 255, 300], texts)
    #expect(found.areas("images/a.png") == ["c255": 1, "c300": 1])
  }

  @Test("A mask over the stored pixels of a rotated image is rotated with it")
  func turned() throws {
    let photo = try FileTree(fixture: "masks/turned").readAll("images/stored.jpg", limit: 1 << 20)
    let wide = try MemoryTree(
      masks: [:], photos: [:],
      wide: ["masks/a.png": [[0, 0, 0, 0, 0, 300], [0, 0, 0, 0, 0, 0]]])
    let tree = MemoryTree(folder: [
      "images/a.jpg": photo, "masks/a.png": try wide.readAll("masks/a.png", limit: 1 << 20),
    ])
    let found = try CollectedMasks(tree, as: .masks)
    #expect(found.samples.first?.regions.first?.box == Box(x: 1, y: 5, width: 1, height: 1))
  }

  @Test("Many values without names are no mask, as with 8 bits")
  func depthMap() throws {
    let row = (0..<100).map { UInt16($0) * 600 + 300 }
    let tree = try MemoryTree(
      masks: [:], photos: ["images/a.png": (100, 1)], wide: ["masks/a.png": [row]])
    let found = try CollectedMasks(tree, as: .masks)
    #expect(found.kinds == [.maskValue] && found.samples.isEmpty)
    #expect(found.issues[0].message.contains("100 different values"))
  }
}

@Suite("Index masks while they are painted")
struct IndexMapTests {
  private static let size = ImageSize(width: 3, height: 2)
  private static let left = Mask(box: Box(x: 0, y: 0, width: 1, height: 2), size: size)

  @Test(
    "8 bits for up to 254 classes, 16 bits for more",
    arguments: [(1, 8, 255), (254, 8, 255), (255, 16, 65_535), (65_534, 16, 65_535)])
  func depth(classes: Int, bits: Int, void: UInt16) {
    let depth = IndexMap.Depth(classes: classes)
    #expect(depth.bits == bits && depth.void == void)
    #expect(depth.value(ofClass: classes - 1) == classes)
    #expect((depth.note(classes: classes) != nil) == (bits == 16))
    for place in [Int(void) - 1, Int(void), -1, Int.max] {
      #expect(depth.value(ofClass: place) == void)
    }
  }

  @Test("Values of both depths are read back from the PNG")
  func png() throws {
    for (classes, value): (Int, UInt16) in [(2, 2), (300, 300), (300, 255), (65_534, 65_534)] {
      var map = IndexMap(IndexMap.Depth(classes: classes), size: Self.size)
      map.paint(map.depth.void, Mask(box: Box(x: 0, y: 0, width: 2, height: 1), size: Self.size))
      map.paint(value, Self.left)
      #expect(map.painted == 3 && map.size == Self.size)
      let raster = try ImageCodec.decodeValues(map.png())
      #expect(raster.elements == [value, map.depth.void, 0, value, 0, 0])
      #expect(try ImageCodec.header(of: map.png()).bitDepth == map.depth.bits)
    }
  }

  @Test("Values whose higher or lower byte is 0 count as painted")
  func painted() {
    for value: UInt16 in [1, 255, 256, 65_280] {
      var map = IndexMap(IndexMap.Depth(classes: 300), size: Self.size)
      map.paint(value, Self.left)
      #expect(map.painted == 2)
    }
  }

  @Test("With 16 bits the names are in classes.txt alone, so none looks like an image's")
  func names() {
    let classes = (1...300).map { Category(name: "c\($0)") } + [Category(name: "x.png")]
    let can = DatasetExporters.capabilities(of: .masks)
    #expect(can.names(of: classes).last == "x.png class")
    #expect(can.names(of: [Category(name: "x.png")]) == ["x.png"])
    #expect(MaskPairsExporter.colorList(of: classes.map(\.name)) == nil)
  }
}
