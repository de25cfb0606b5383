import AssayCore
import AssayFormats
import AssayImaging
import AssayTestSupport
import Testing

@Suite("LabelMe datasets (JSON)")
struct LabelMeImporterTests {
  @Test("All kinds of shapes, with their attributes, group and flags")
  func shapes() throws {
    let tree = FileTree(fixture: "labelme/beside")
    let detection = try FormatDetector.detect(tree)
    #expect(detection.format == .labelMe && detection.reason == "a.json is a LabelMe file")
    let found = try CollectedObjects(tree, as: .labelMe)
    #expect(found.keys == ["a.png", "b.png"])
    #expect(found.names == ["cat", "dog", "eye", "hole", "road", "sign", "wheel"])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 9)
    #expect(found.places.isEmpty, "\(found.places)")
    let objects = found.samples[0].objects
    #expect(objects.count == 9 && found.samples[1].objects.isEmpty)
    #expect(objects[0].polygons == [[1, 1, 5, 1, 5, 4, 1, 4]] && objects[0].area == 12)
    #expect(
      objects[0].attributes
        == #"{"description":"left","flags":{"wet":true},"group_id":7,"image_flags":["night"]}"#)
    #expect(objects[1].box == Box(x: 6, y: 2, width: 6, height: 6) && objects[1].polygons.isEmpty)
    #expect(
      objects[1].attributes == #"{"image_flags":["night"],"shape_type":"rectangle"}"#)
    // The radius is 5, and the circle's polygon has 64 corners.
    #expect(objects[2].polygons.map(\.count) == [128])
    #expect(objects[2].box == Box(x: 5, y: 0, width: 10, height: 10))
    #expect(objects[2].attributes?.contains(#""circle":[10.0,5.0,5.0]"#) == true)
    #expect(objects[7].box == Box(x: 4, y: 5, width: 3, height: 2) && objects[7].area == 3)
    #expect(objects[8].attributes?.contains(#""rotation":0.0"#) == true)
  }

  @Test("An image that the file names outside the source or under another name is an issue")
  func otherName() throws {
    func file(_ name: String) -> [UInt8] {
      Array(
        (#"{"version": "5", "flags": {}, "shapes": [], "imagePath": ""# + name
          + #"", "imageHeight": 2, "imageWidth": 3}"#).utf8)
    }
    let png = DatasetLayout.png
    let tree = MemoryTree(folder: [
      "a.json": file(#"..\\..\\a.jpg"#), "a.png": png, "b.json": file("../../other.jpg"),
      "b.png": png, "c.json": file("other.jpg"), "c.png": png, "d.json": file("/home/d.png"),
      "d.png": png, "in/e.json": file("../e.png"), "e.png": png,
    ])
    let found = try CollectedObjects(tree, as: .labelMe)
    #expect(found.keys == ["a.png", "b.png", "c.png", "d.png", "e.png"])
    #expect(
      found.places == [
        "outsideRoot warning a.json", "outsideRoot warning b.json", "missingImage warning c.json",
      ])
  }

  @Test("Lines and points are polylines and points, and a mask is placed at its box")
  func kinds() throws {
    struct Kind: Hashable {
      var shape: ShapeKind
      var geometry: Geometry?
    }
    let found = try CollectedRegions<Kind>(
      FileTree(fixture: "labelme/beside"), as: .labelMe, ImportOptions()
    ) { annotation, _, packed in
      Kind(
        shape: annotation.shape,
        geometry: try packed.map {
          try Geometry(shape: annotation.shape, packed: $0.bytes, size: $0.size)
        })
    }
    let kinds = found.samples[0].regions
    #expect(
      kinds.map(\.shape) == [
        .polygon, .box, .polygon, .polyline, .polyline, .points, .points, .mask, .polygon,
      ])
    #expect(kinds[3].geometry == .polylines([[0, 0, 19, 9]]))
    #expect(kinds[4].geometry == .polylines([[0, 0, 5, 5, 10, 0]]))
    #expect(
      kinds[5].geometry == .points([3.5, 2.5]) && kinds[6].geometry == .points([3, 2, 4, 2]))
    let size = ImageSize(width: 20, height: 10)
    guard case .mask(let mask)? = kinds[7].geometry else {
      Issue.record("no mask")
      return
    }
    let pixels = mask.raster(inside: 1)
    let set = (0..<size.area).filter { pixels.elements[$0] == 1 }.map { [$0 % 20, $0 / 20] }
    #expect(set == [[4, 5], [6, 5], [5, 6]])
  }

  @Test("The name of a file of one image is not a split")
  func noSplit() throws {
    let shape = #"{"label":"a","shape_type":"rectangle","points":[[1,1],[3,3]]}"#
    let names = ["train_001", "test_1"]
    let found = try CollectedObjects(
      detecting: MemoryTree(
        pngs: names.map { "\($0).png" },
        texts: Dictionary(
          uniqueKeysWithValues: names.map {
            ("\($0).json", #"{"imagePath":"\#($0).png","shapes":[\#(shape)]}"#)
          })))
    #expect(found.keys == ["test_1.png", "train_001.png"] && found.objects.count == 2)
    #expect(found.splits == [nil, nil])
  }

  @Test("Files in a folder of their own: backslashes, .., splits, and version 3 without shape_type")
  func apart() throws {
    let tree = FileTree(fixture: "labelme/apart")
    #expect(try FormatDetector.detect(tree).format == .labelMe)
    let found = try CollectedObjects(tree, as: .labelMe)
    #expect(found.keys == ["images/train/a.png", "images/val/b.png"])
    #expect(found.splits == ["train", "val"] && found.places.isEmpty && found.run.notes.isEmpty)
    #expect(found.objects.map(\.polygons) == [[[0, 0, 4, 0, 4, 4]], [[0, 0, 4, 0, 4, 4]]])
    #expect(found.objects.allSatisfy { $0.attributes == nil })
  }

  @Test("An image that is only in the JSON is kept without a file, with the size of its PNG")
  func embedded() throws {
    let tree = FileTree(fixture: "labelme/embedded")
    #expect(try FormatDetector.detect(tree).format == .labelMe)
    let found = try CollectedObjects(tree, as: .labelMe)
    #expect(found.keys == ["a.png"] && found.samples[0].size == ImageSize(width: 30, height: 20))
    #expect(found.objects[0].box == Box(x: 1, y: 1, width: 2, height: 2))
    #expect(
      found.places == [
        "unsupportedField warning a.json#/imageData", "missingImage warning embedded",
      ])
    #expect(found.issues[0].message.contains("write it to a.png"))
  }

  @Test("imageData of megabytes before the shapes does not hide the format")
  func largeData() throws {
    let data = String(repeating: "A", count: 20 << 20)
    let text =
      #"{"imageData": ""# + data + #"", "version": "5.0", "shapes": [{"label": "a", "points": "#
      + #"[[0, 0], [4, 4]], "shape_type": "rectangle"}], "imagePath": "a.png"}"#
    let tree = try MemoryTree(pngs: ["a.png"], texts: ["a.json": text])
    #expect(try FormatDetector.detect(tree).format == .labelMe)
    #expect(try CollectedObjects(tree, as: .labelMe).objects.count == 1)
    let single = MemoryTree(text, name: "a.json")
    #expect(try FormatDetector.detect(single).format == .labelMe)
  }

  private static func file(_ shapes: String, path: String = "a.png") -> String {
    #"{"version": "5.0", "flags": {}, "shapes": "# + shapes + #", "imagePath": ""# + path
      + #"", "imageData": null, "imageHeight": 10, "imageWidth": 20}"#
  }

  private static let box = #"{"label": "a", "points": [[1, 1], [4, 4]], "shape_type": "rectangle"}"#

  @Test(
    "Every shape that cannot be read is an issue with its pointer, and the others are kept",
    arguments: [
      (#"{"label": "a", "points": [[0, 0], [1, 1]]}"#, "badShape error a.json#/shapes/0"),
      (#"{"points": [[0, 0], [1, 1], [2, 0]]}"#, "missingLabel error a.json#/shapes/0"),
      (#"{"label": "", "points": [[0, 0]]}"#, "missingLabel error a.json#/shapes/0"),
      (#"{"label": [], "points": [[0, 0]]}"#, "badField error a.json#/shapes/0/label"),
      (#"{"label": "a"}"#, "missingField error a.json#/shapes/0/points"),
      (#"{"label": "a", "points": [[0], [1]]}"#, "badField error a.json#/shapes/0/points"),
      (#"{"label": "a", "points": {"x": 1}}"#, "badField error a.json#/shapes/0/points"),
      (
        #"{"label": "a", "points": [[NaN, 0], [1, 1], [2, 0]]}"#,
        "badShape error a.json#/shapes/0/points"
      ),
      (
        #"{"label": "a", "points": [[0, 0]], "shape_type": "cube"}"#,
        "badShape error a.json#/shapes/0/shape_type"
      ),
      (
        #"{"label": "a", "points": [[0, 0]], "shape_type": 3}"#,
        "badField error a.json#/shapes/0/shape_type"
      ),
      (
        #"{"label": "a", "points": [[0, 0]], "shape_type": "circle"}"#,
        "badShape error a.json#/shapes/0/points"
      ),
      (
        #"{"label": "a", "points": [[0, 0], [1, 1]], "shape_type": "mask"}"#,
        "missingField error a.json#/shapes/0/mask"
      ),
      (
        #"{"label": "a", "points": [[0, 0], [1, 1]], "shape_type": "mask", "mask": "%"}"#,
        "badShape error a.json#/shapes/0/mask"
      ),
      (
        #"{"label": "a", "points": [[0, 0], [1, 1]], "shape_type": "mask", "mask": "AAAA"}"#,
        "badShape error a.json#/shapes/0/mask"
      ), ("7", "badField error a.json#/shapes/0"),
    ])
  func oddShapes(shape: String, place: String) throws {
    let tree = try MemoryTree(
      pngs: ["a.png"], texts: ["a.json": Self.file("[\(shape), \(Self.box)]")])
    let found = try CollectedObjects(detecting: tree)
    #expect(found.places == [place])
    #expect(found.objects.map(\.box) == [Box(x: 1, y: 1, width: 3, height: 3)])
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 2)
  }

  @Test("A shape outside of the image and a label that is a number are kept with a warning")
  func warnings() throws {
    let shape = #"{"label": 7, "points": [[-5, 1], [40, 4]], "shape_type": "rectangle"}"#
    let tree = try MemoryTree(
      pngs: ["a.png"], texts: ["a.json": Self.file("[\(shape)]").replacing("20}", with: "30}")])
    let found = try CollectedObjects(detecting: tree)
    #expect(
      found.places == [
        "badField warning a.json#/shapes/0/label", "imageSize warning a.png",
        "badShape warning a.json#/shapes/0",
      ])
    #expect(found.objects.map(\.label) == ["7"])
  }

  @Test(
    "Shapes that are missing or no list are never an image without objects",
    arguments: [
      (#""shapes": {"0": {}}"#, "badField error b.json#/shapes"),
      (#""shapes": null"#, "badField error b.json#/shapes"),
      (#""shape": []"#, "missingField error b.json"),
    ])
  func noShapes(member: String, place: String) throws {
    let tree = try MemoryTree(
      pngs: ["a.png", "b.png"],
      texts: [
        "a.json": Self.file("[\(Self.box)]"),
        "b.json": #"{"version": "5.0", "imagePath": "b.png", "imageData": null, \#(member)}"#,
      ])
    let found = try CollectedObjects(detecting: tree)
    #expect(found.keys == ["a.png"] && found.places == [place])
    #expect(found.run.outcome.rejected == 1 && found.isBalanced)
  }

  @Test("A broken file is an issue, and the import goes on")
  func broken() throws {
    let tree = try MemoryTree(
      pngs: ["a.png", "b.png", "c.png"],
      texts: [
        "a.json": Self.file("[\(Self.box)]"), "b.json": Self.file("[\(Self.box)", path: "b.png"),
        "c.json": "{}",
      ])
    let found = try CollectedObjects(detecting: tree)
    #expect(found.keys == ["a.png"])
    #expect(
      Set(found.places) == [
        "unsupportedFile error b.json", "unsupportedFile error c.json", "missingLabel error b.png",
      ])
    #expect(found.issues.contains { $0.message.contains("broken JSON at byte ") })
  }

  @Test("Names that leave the source, absolute paths of another machine, and missing images")
  func names() throws {
    let files = [
      "a.json": Self.file("[\(Self.box)]", path: #"C:\\pictures\\a.png"#),
      "b.json": Self.file("[\(Self.box)]", path: "../../etc/passwd"),
      "c.json": Self.file("[\(Self.box)]", path: "sub/c.png"),
      "d.json": Self.file("[\(Self.box)]", path: "/x/other.png"),
    ]
    let tree = try MemoryTree(pngs: ["a.png", "d.png"], texts: files)
    let found = try CollectedObjects(detecting: tree)
    #expect(found.keys == ["a.png", "d.png", "sub/c.png"])
    #expect(
      found.places == [
        "missingImage warning d.json", "outsideRoot error b.json",
        "missingImage warning sub/c.png",
      ])
    #expect(
      found.run.notes == [
        "1 image name was matched by a part of the path ('C:\\pictures\\a.png' is taken as a.png)"
      ])
  }

  @Test("Two files of one image: the one with its name counts")
  func repeated() throws {
    let two = Self.file("[\(Self.box), \(Self.box)]")
    let tree = try MemoryTree(
      pngs: ["a.png"], texts: ["a.json": Self.file("[\(Self.box)]"), "0.json": two])
    let found = try CollectedObjects(detecting: tree)
    #expect(
      found.objects.count == 1 && found.places == ["duplicateID error 0.json"], "\(found.places)")
    #expect(found.issues[0].message.hasSuffix("left out, with its 2 annotations"))
    #expect(found.run.lists?.annotationsRead == 3 && found.isBalanced)
  }

  @Test("Several datasets and annotations of another format are refused with a list")
  func companions() throws {
    let file = Self.file("[\(Self.box)]", path: "../images/a.png")
    var texts = ["a/annotations/a.json": file, "b/annotations/a.json": file]
    let pngs = ["a/images/a.png", "b/images/a.png"]
    let several = try #require(throws: FormatError.self) {
      try FormatDetector.detect(try MemoryTree(pngs: pngs, texts: texts))
    }
    #expect(
      "\(several)".contains(
        "one at a time:\n  a: LabelMe annotations (JSON) (assay import PATH/a)\n  b: LabelMe annotations (JSON) (assay import PATH/b)\n"
      ))
    texts["b/annotations/a.json"] = nil
    texts["a/Annotations/a.xml"] = DatasetLayout.voc
    let mixed = try #require(throws: FormatError.self) {
      try FormatDetector.detect(try MemoryTree(pngs: pngs, texts: texts))
    }
    #expect("\(mixed)".contains("LabelMe annotations (JSON) (a/annotations/a.json)"))
    // Folders of files beside their images are parts of one dataset.
    let nested = try MemoryTree(
      pngs: ["x/a.png", "y/b.png"],
      texts: ["x/a.json": Self.file("[]"), "y/b.json": Self.file("[]", path: "b.png")])
    #expect(try CollectedObjects(detecting: nested).keys == ["x/a.png", "y/b.png"])
  }

  @Test("Only LabelMe's fixtures are taken; options without a meaning are refused")
  func others() throws {
    #expect(
      try ForeignFixtures.taken(by: LabelMeImporter()) == [
        "labelme/beside", "labelme/apart", "labelme/embedded",
      ])
    for options in [
      ImportOptions(classes: ["a"]), ImportOptions(size: ImageSize(width: 1, height: 1)),
    ] {
      #expect(throws: FormatError.self) {
        try CollectedObjects(FileTree(fixture: "labelme/beside"), as: .labelMe, options)
      }
    }
  }

  @Test("The number of workers changes nothing")
  func workers() throws {
    let tree = FileTree(fixture: "labelme/beside")
    #expect(
      try CollectedObjects(tree, as: .labelMe, ImportOptions(workers: 1))
        == CollectedObjects(tree, as: .labelMe, ImportOptions(workers: 4)))
  }

  @Test("Damaged files are imported in part or refused")
  func damage() throws {
    let run = try JSONDamage(
      format: .labelMe, fixtures: ["labelme/beside", "labelme/apart", "labelme/embedded"]
    ).run(seed: 31)
    #expect(run.imported > run.rounds / 4 && run.objects > run.rounds / 4)
  }
}
