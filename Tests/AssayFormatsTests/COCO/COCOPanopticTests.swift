import AssayCore
import AssayFormats
import AssayImaging
import Testing

@Suite("Panoptic segments of COCO")
struct COCOPanopticTests {
  /// A PNG of colors from rows of ids.
  private static func png(_ rows: [[Int]]) throws -> [UInt8] {
    try ImageCodec.encodePNG(raster(rows))
  }

  private static func raster(_ rows: [[Int]]) throws -> Raster<UInt8> {
    var elements: [UInt8] = []
    for id in rows.joined() {
      for shift in [0, 8, 16] { elements.append(UInt8(truncatingIfNeeded: id >> shift)) }
    }
    let found = Raster(
      width: rows[0].count, height: rows.count, channels: 3, elements: elements)
    return try #require(found)
  }

  private static let rows = [[0, 7, 7, 256], [0, 7, 65536, 256], [0, 0, 65536, 99]]

  private static func json(_ annotations: String, size: String = #""width":4,"height":3"#)
    -> [UInt8]
  {
    Array(
      (#"{"images":[{"id":1,"file_name":"1.jpg",\#(size)}],"categories":[{"id":3,"name":"sky","#
        + #""supercategory":"x","isthing":0},{"id":4,"name":"cup","isthing":1}],"#
        + #""annotations":[\#(annotations)]}"#).utf8)
  }

  private static func segment(_ id: String, _ further: String = "", category: String = "3")
    -> String
  {
    #"{"id":\#(id),"category_id":\#(category)\#(further)}"#
  }

  private static let facts = #","area":3,"bbox":[1,0,2,2],"iscrowd":0"#

  private static func annotation(_ segments: [String], file: String = "1.png") -> String {
    #"{"image_id":1,"file_name":"\#(file)","segments_info":[\#(segments.joined(separator: ","))]}"#
  }

  private static func tree(
    _ annotations: String, folder: String = "annotations/panoptic_val",
    more: [String: [UInt8]] = [:]
  ) throws -> MemoryTree {
    var files = [
      "annotations/panoptic_val.json": json(annotations), "val/1.jpg": [0xFF, 0xD8, 0xFF, 0xD9],
    ]
    files["\(folder)/1.png"] = try png(rows)
    return MemoryTree(folder: files.merging(more) { $1 })
  }

  @Test(
    "The PNG files are in the folder named like the JSON, wherever it is, or in one called panoptic",
    arguments: [
      "annotations/panoptic_val", "panoptic_val", "deep/er/panoptic_val", "my_panoptic_maps",
    ])
  func folders(folder: String) throws {
    let found = try COCOCollected(
      Self.tree(Self.annotation([Self.segment("7", Self.facts)]), folder: folder))
    #expect(found.regions.map(\.id) == [.integer(7)])
    #expect(found.samples == ["val/1.jpg"])
    #expect(found.regions.map(\.category) == ["sky"])
    let size = ImageSize(width: 4, height: 3)
    let mask = try #require(found.regions.first?.geometry).mask(in: size)
    #expect(mask.area == 3)
    #expect(mask.boundingBox == Box(x: 1, y: 0, width: 2, height: 2))
    // 0 is no segment; 99, 256 and 65536 are not listed.
    #expect(
      found.issues.filter { $0.kind == .maskValue }.map(\.message).first?.contains("5 pixels")
        == true)
    #expect(found.categories.map(\.attributes) == [#"{"isthing":0}"#, #"{"isthing":1}"#])
  }

  @Test(
    "The PNG files are in an archive named like the JSON, in a folder of it or not",
    arguments: ["annotations/panoptic_val.zip", "panoptic_val.zip"], ["panoptic_val/", ""])
  func archive(path: String, folder: String) throws {
    var archive = ZipBuilder()
    archive.add("\(folder)1.png", try Self.png(Self.rows))
    archive.add("__MACOSX/panoptic_val/._1.png", [1, 2, 3])
    let tree = MemoryTree(folder: [
      "annotations/panoptic_val.json": Self.json(Self.annotation([Self.segment("7", Self.facts)])),
      "val/1.jpg": [0xFF, 0xD8, 0xFF, 0xD9], path: archive.bytes,
    ])
    #expect(try FormatDetector.detect(tree).format == .coco)
    let found = try COCOCollected(tree)
    #expect(found.regions.map(\.id) == [.integer(7)])
    let size = ImageSize(width: 4, height: 3)
    #expect(try found.regions.first?.geometry?.mask(in: size).area == 3)
  }

  @Test("Two archives of the name, a damaged one, and one without the files are refused")
  func badArchives() throws {
    var archive = ZipBuilder()
    archive.add("panoptic_val/1.png", try Self.png(Self.rows))
    var other = ZipBuilder()
    other.add("panoptic_val/2.png", try Self.png(Self.rows))
    let json = Self.json(Self.annotation([Self.segment("7", Self.facts)]))
    func problem(_ files: [String: [UInt8]]) -> String {
      var all = files
      all["annotations/panoptic_val.json"] = json
      all["val/1.jpg"] = [0xFF, 0xD8, 0xFF, 0xD9]
      do {
        _ = try COCOCollected(MemoryTree(folder: all))
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(
      problem(["a/panoptic_val.zip": archive.bytes, "b/panoptic_val.zip": archive.bytes])
        .contains("a/panoptic_val.zip and in b/panoptic_val.zip"))
    #expect(problem(["panoptic_val.zip": other.bytes]).contains("were not found"))
    let cut = Array(archive.bytes.prefix(40))
    #expect(problem(["panoptic_val.zip": cut]).contains("panoptic_val.zip"))
  }

  @Test("Without the PNG files the import is refused, and says where they must be")
  func noMaps() throws {
    // The images have the same names, and are no maps.
    let tree = try Self.tree(Self.annotation([Self.segment("7")]), folder: "val")
    let error = #expect(throws: FormatError.self) { try COCOCollected(tree) }
    #expect(error?.description.contains("panoptic_val/1.png") == true)
    #expect(error?.description.contains("--images DIR") == true)
    let alone = MemoryTree(
      Self.json(Self.annotation([Self.segment("7")])), name: "panoptic_val.json")
    #expect(throws: FormatError.self) { try COCOCollected(alone) }
    let images = try Self.tree("")
    let found = try COCOCollected(alone, ImportOptions(images: images))
    #expect(found.samples == ["val/1.jpg"] && found.regions.count == 1)
  }

  /// Issues as kind, severity and pointer.
  private static func places(_ found: COCOCollected) -> [String] {
    found.odd.map { "\($0.kind) \($0.severity) \($0.location.pointer ?? "")" }
  }

  @Test("Odd segments are kept or left out by a rule, and each is an issue")
  func oddSegments() throws {
    let segments = [
      Self.segment("7", #","area":9,"bbox":[1,0,2,2],"iscrowd":0"#),  // another area
      Self.segment("7", Self.facts),  // repeated
      Self.segment("256"),  // no area, box, iscrowd
      Self.segment("65536", Self.facts, category: "8"),  // unknown class
      Self.segment("5", Self.facts),  // no pixels
      Self.segment("\"x\"", Self.facts), Self.segment("16777216", Self.facts), "3",
      Self.segment("0", #","area":4,"bbox":[0,0,2,3],"iscrowd":0,"note":"n""#, category: "\"4\""),
    ]
    let found = try COCOCollected(Self.tree(Self.annotation(segments)))
    #expect(found.regions.map(\.id) == [.integer(7), .integer(256), .integer(0)])
    #expect(found.regions.map(\.area) == [9, 2, 4])
    #expect(found.regions.map(\.ordinal) == [0, 1, 2])
    #expect(found.regions[1].box == Box(x: 3, y: 0, width: 1, height: 2))
    #expect(found.regions[2].attributes == #"{"note":"n"}"#)
    #expect(found.regions[2].category == "cup")
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 9)
    let list = "/annotations/0/segments_info"
    #expect(
      Self.places(found) == [
        "badField warning \(list)/0/area", "duplicateID error \(list)/1/id",
        "missingField warning \(list)/2/area", "missingField warning \(list)/2/bbox",
        "missingField warning \(list)/2/iscrowd", "unknownReference error \(list)/3/category_id",
        "badShape error \(list)/4", "badField error \(list)/5", "badField error \(list)/6",
        "badField error \(list)/7", "badField warning \(list)/8/id",
        "maskValue warning \(list)",
      ])
  }

  @Test("Maps that cannot be read are issues, and their segments are counted")
  func oddMaps() throws {
    let one = [Self.segment("7", Self.facts)]
    let annotations = [
      Self.annotation(one), Self.annotation(one, file: "none.png"),
      Self.annotation(one, file: "../../../x.png"), Self.annotation(one, file: "small.png"),
      Self.annotation(one, file: "damaged.png"), Self.annotation(one, file: "text.png"),
      #"{"image_id":1,"file_name":"1.png"}"#, #"{"image_id":2,"segments_info":[{},{}]}"#, "7",
    ]
    let tree = try Self.tree(
      annotations.joined(separator: ","),
      more: [
        "annotations/panoptic_val/small.png": Self.png([[7]]),
        "annotations/panoptic_val/damaged.png": Array(try Self.png(Self.rows).dropLast(30)),
        "annotations/panoptic_val/text.png": Array("hello".utf8),
      ])
    let found = try COCOCollected(tree)
    #expect(found.regions.count == 1)
    #expect(found.isBalanced && found.run.lists?.annotationsRead == 10)
    #expect(
      Self.places(found) == [
        "maskValue warning /annotations/0/segments_info",
        "unpairedMask error /annotations/1/file_name",
        "outsideRoot error /annotations/2/file_name", "maskSize error /annotations/3/file_name",
        "unpairedMask error /annotations/4/file_name",
        "unpairedMask error /annotations/5/file_name",
        "badField error /annotations/6/segments_info",
        "unknownReference error /annotations/7/image_id",
        "badField error /annotations/8/segments_info",
      ])
  }

  @Test("The masks of a map are the pixels of each id, in order")
  func segments() throws {
    let raster = try Self.raster(Self.rows)
    let found = try #require(Mask.segments(of: raster, limit: 5))
    #expect(found.map(\.id) == [0, 7, 99, 256, 65536])
    #expect(found.map(\.mask.area) == [4, 3, 1, 2, 2])
    #expect(Mask.segments(of: raster, limit: 4) == nil)
    for (id, mask) in found {
      let pixels = Self.rows.joined().map { $0 == id ? UInt8(1) : 0 }
      let one = try #require(Raster(width: 4, height: 3, elements: pixels))
      #expect(mask == Mask(one))
    }
  }
}
