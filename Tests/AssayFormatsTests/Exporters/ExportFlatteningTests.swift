import AssayCore
import AssayImaging
import Testing

@testable import AssayFormats

@Suite("Regions without common pixels")
struct ExportFlatteningTests {
  private static let size = ImageSize(width: 6, height: 2)

  /// An object that fills columns.
  private static func columns(_ range: Range<Int>, _ category: Int, id: Int64? = nil)
    -> ExportObject
  {
    let box = Box(x: Double(range.lowerBound), y: 0, width: Double(range.count), height: 2)
    var object = ExportObject(
      category: category, shape: .mask(Mask(box: box, size: size)), box: box)
    object.sourceID = id.map { .integer($0) }
    return object
  }

  private static func fit(
    _ format: ExportFormat, _ objects: [ExportObject], voids: Set<Int> = [], stuff: Set<Int> = []
  ) throws -> (objects: [ExportObject], losses: ExportLosses) {
    var image = ExportImage(number: 0, path: "images/x.png", split: 0, size: size)
    image.objects = objects
    var losses = ExportLosses()
    let fitting = ExportFitting(
      DatasetExporters.capabilities(of: format), voids: voids, stuff: stuff)
    let fitted = fitting.fit(image, &losses)
    return (try #require(fitted).objects, losses)
  }

  @Test("Classes: objects of a class are joined, the smaller class is on top, pixels are counted")
  func classes() throws {
    let objects = [
      Self.columns(0..<4, 0), Self.columns(3..<5, 0), Self.columns(2..<4, 1),
      Self.columns(3..<4, 2),
    ]
    let (flat, losses) = try Self.fit(.masks, objects)
    #expect(flat.map(\.category) == [0, 1, 2])
    let masks = flat.compactMap { object -> Mask? in
      if case .mask(let mask) = object.shape { mask } else { nil }
    }
    // Column 3 of class 0 and of class 1 is under class 2; of class 0, 2 is under 1.
    #expect(masks.map(\.area) == [6, 2, 2])
    #expect(flat.map(\.box.x) == [0, 2, 3])
    #expect(losses.counts == [.instances: 1, .overlaps: 6])
  }

  @Test("Classes: void is above everything, and an object under it is counted")
  func void() throws {
    let (flat, losses) = try Self.fit(
      .masks, [Self.columns(1..<2, 0), Self.columns(0..<6, 1)], voids: [1])
    #expect(flat.map(\.category) == [1])
    #expect(losses.counts == [.covered: 1, .overlaps: 2])
  }

  @Test("Segments: objects keep what no smaller one covers, and ids that are colors")
  func segments() throws {
    let objects = [
      Self.columns(0..<4, 0, id: 7), Self.columns(2..<3, 0, id: 7),
      Self.columns(4..<6, 1, id: 1 << 24),
      Self.columns(4..<5, 1), Self.columns(5..<6, 1, id: 9),
    ]
    let (flat, losses) = try Self.fit(.cocoPanoptic, objects)
    #expect(flat.map(\.category) == [0, 0, 1, 1])
    #expect(flat.map(\.sourceID) == [.integer(7), nil, nil, .integer(9)])
    #expect(flat.map(\.box.width) == [4, 1, 1, 1])
    #expect(losses.counts == [.objectIDs: 1, .overlaps: 2, .covered: 1])
  }

  @Test("Segments: those of a stuff class are one segment of the image, with a count")
  func stuff() throws {
    var objects = [
      Self.columns(0..<2, 0, id: 7), Self.columns(4..<6, 0, id: 8), Self.columns(1..<2, 1, id: 9),
      Self.columns(3..<4, 1), Self.columns(5..<6, 0),
    ]
    objects[0].attributes = [.init("a", 1)]
    objects[1].attributes = [.init("a", 1), .init("b", 2)]
    objects[4].isCrowd = true
    let (flat, losses) = try Self.fit(.cocoPanoptic, objects, stuff: [0])
    #expect(flat.map(\.category) == [0, 1, 1])
    #expect(flat.map(\.sourceID) == [.integer(7), .integer(9), nil])
    #expect(flat.map(\.isCrowd) == [false, false, false])
    let masks = flat.compactMap { object -> Mask? in
      if case .mask(let mask) = object.shape { mask } else { nil }
    }
    #expect(masks.map(\.area) == [6, 2, 2] && flat[0].box == Box(x: 0, y: 0, width: 6, height: 2))
    #expect(
      losses.counts == [
        .stuffSegments: 2, .overlaps: 2, .objectIDs: 1, .attributes: 1, .crowds: 1,
      ])
    // A class that is not stated to be stuff keeps its segments.
    #expect(try Self.fit(.cocoPanoptic, objects).objects.count == 5)
    let covered = try Self.fit(
      .cocoPanoptic, [Self.columns(0..<2, 0), Self.columns(0..<2, 1), Self.columns(3..<4, 0)],
      stuff: [0])
    #expect(covered.objects.map(\.category) == [0, 1])
    #expect(covered.losses.counts == [.covered: 1, .overlaps: 4])
  }

  @Test("Segments: more of them than a byte has values")
  func many() throws {
    let size = ImageSize(width: 40, height: 10)
    let objects = (0..<400).map { place in
      let box = Box(x: Double(place / 10), y: Double(place % 10), width: 1, height: 1)
      return ExportObject(category: 0, shape: .mask(Mask(box: box, size: size)), box: box)
    }
    var losses = ExportLosses()
    let flat = ExportFlattening.segments.flattened(objects, size, voids: [], &losses)
    #expect(flat == objects && losses.isEmpty)
  }

  @Test("Boxes become masks of their pixels, lines are left out")
  func boxes() throws {
    let box = ExportObject(category: 0, shape: .box, box: Box(x: 1, y: 0, width: 2, height: 2))
    let line = ExportObject(
      category: 0, shape: .lines([[0, 0, 3, 1]]), box: Box(x: 0, y: 0, width: 3, height: 1))
    let (flat, losses) = try Self.fit(.masks, [box, line])
    #expect(flat == [Self.columns(1..<3, 0)])
    #expect(losses.counts == [.boxesAsMasks: 1, .lines: 1])
  }

  @Test("A size that no image has is left out instead of painted")
  func sizes() {
    for side in [1 << 20, Int.max] {
      let image = ExportImage(
        number: 0, path: "x.png", split: 0, size: ImageSize(width: side, height: side))
      var losses = ExportLosses()
      let fitting = ExportFitting(DatasetExporters.capabilities(of: .cocoPanoptic))
      #expect(fitting.fit(image, &losses) == nil)
      #expect(losses.counts == [.imagesWithoutSize: 1])
    }
  }

  private static let dataset: ExportDataset = {
    var dataset = ExportDataset(
      name: "set",
      classes: [
        Category(name: "cat"), Category(name: "dog", attributes: #"{"isthing":0}"#),
        Category(name: "void", isVoid: true),
      ], splits: [.init(name: "train", folder: "train", images: 1)])
    dataset.hasImageIDs = false
    return dataset
  }()

  private static func image() -> ExportImage {
    var image = ExportImage(number: 0, path: "images/train/x y.jpg", split: 0, size: size)
    image.objects = [columns(0..<1, 0, id: 2), columns(2..<3, 1), columns(4..<6, 2)]
    return image
  }

  @Test("Masks: a value per class, 255 for void, and lists of the names")
  func masks() throws {
    let writer = DatasetExporters.exporter(for: .masks, nil, Self.dataset)
    #expect(writer.path(ofImage: Self.image()) == "masks/train/x y.png")
    let raster = try ImageCodec.decode(writer.bytes(ofImage: Self.image()), as: .stored)
    #expect(raster.channels == 1 && raster.elements.prefix(6) == [1, 0, 2, 0, 255, 255])
    let files = writer.fixedFiles.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) }
    #expect(files.map(\.0) == ["classes.txt", "label_colors.txt"])
    #expect(
      files.map(\.1) == ["background\ncat\ndog\n", "0 0 0 background\n128 0 0 cat\n0 128 0 dog\n"])
  }

  @Test("Names in a list of colors: words, and no other meaning")
  func names() {
    let can = DatasetExporters.capabilities(of: .masks)
    let names = can.names(
      of: ["a, b", "a b", "x #1", "", "Void", "background"].map { Category(name: $0) }
        + [Category(name: "void", isVoid: true)])
    #expect(names == ["a b", "a b-2", "x _1", "_", "Void class", "background", "void"])
    #expect(MaskPairsExporter.colorList(of: ["a,b"]) == nil)
  }

  @Test("Panoptic: colors are ids, and the segments say what they are")
  func panoptic() throws {
    let writer = DatasetExporters.exporter(for: .cocoPanoptic, nil, Self.dataset)
    #expect(writer.path(ofImage: Self.image()) == "annotations/panoptic_train/x y.png")
    #expect(writer.tables.map(\.path) == ["annotations/panoptic_train.json"])
    let raster = try ImageCodec.decode(writer.bytes(ofImage: Self.image()), as: .stored)
    let row = raster.elements.prefix(18).enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    #expect(raster.channels == 3 && row == [2, 0, 1, 0, 3, 3])
    let text = String(
      decoding: try writer.rows(Self.image(), table: 0, section: 1), as: UTF8.self)
    #expect(
      text == #"{"image_id":1,"file_name":"x y.png","segments_info":["#
        + #"{"id":2,"category_id":1,"area":2,"bbox":[0,0,1,2],"iscrowd":0},"#
        + #"{"id":1,"category_id":2,"area":2,"bbox":[2,0,1,2],"iscrowd":0},"#
        + #"{"id":3,"category_id":3,"area":4,"bbox":[4,0,2,2],"iscrowd":0}]}"#)
    let head = String(decoding: writer.tables[0].sections[0].opening, as: UTF8.self)
    #expect(head.contains(#"{"id":1,"name":"cat","isthing":1}"#))
    #expect(head.contains(#"{"id":2,"name":"dog","isthing":0}"#))
    #expect(
      writer.notes == [
        "2 classes are written as things, because the source does not state whether they are things or "
          + "stuff: cat, void (--stuff states the stuff classes)"
      ])
  }

  @Test(
    "Panoptic: classes of which the source states nothing are named, the first five and a count")
  func unstated() {
    func notes(_ fields: [String?]) -> [String] {
      let classes = fields.enumerated().map { Category(name: "c\($0)", attributes: $1) }
      let dataset = ExportDataset(name: "set", classes: classes, splits: [])
      return DatasetExporters.exporter(for: .cocoPanoptic, nil, dataset).notes
    }
    #expect(
      notes([#"{"isthing":1}"#, #"{"isthing":0}"#, #"{"color":[1],"isthing":true}"#]).isEmpty)
    #expect(notes([nil])[0].hasPrefix("1 class is written as things"))
    #expect(notes([#"{"isthing":"no"}"#, #"{"isthing":2}"#])[0].contains(": c0, c1 ("))
    #expect(notes(.init(repeating: nil, count: 8))[0].contains(": c0, c1, c2, c3, c4 and 3 more ("))
  }

  @Test("The field that makes a class thing or stuff is set beside the others")
  func things() {
    var category = Category(name: "road", attributes: #"{"color":[1,2,3]}"#)
    #expect(category.isThing == nil)
    category.setThing(false)
    #expect(category.isThing == false && category.attributes == #"{"isthing":0,"color":[1,2,3]}"#)
    category.setThing(true)
    #expect(category.isThing == true && category.attributes == #"{"isthing":1,"color":[1,2,3]}"#)
    category.setThing(nil)
    #expect(category.attributes == #"{"color":[1,2,3]}"#)
    var bare = Category(name: "car")
    bare.setThing(true)
    bare.setThing(nil)
    #expect(bare.attributes == nil)
  }
}
