import AssayCore
import AssayImaging
import Foundation
import Testing

@testable import AssayFormats

@Suite("COCO's JSON, written")
struct COCODatasetExporterTests {
  private func text(_ value: Double) -> String {
    var bytes: [UInt8] = []
    JSONNumber.append(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    "Numbers are as short as they can be",
    arguments: [
      (0, "0"), (12, "12"), (-3.5, "-3.5"), (0.05, "0.05"), (-0.07, "-0.07"),
      (702.10575, "702.10575"),
      (1e300, "1e+300"), (123456789.25, "123456789.25"), (0.1 + 0.2, "0.30000000000000004"),
      (-0.0, "-0.0"), (.nan, "null"), (1_000_000, "1000000"), (2.50, "2.5"),
    ])
  func numbers(value: Double, expected: String) {
    #expect(text(value) == expected)
  }

  @Test("200,000 numbers read back to the same bits")
  func bits() {
    var random = SplitMix64(seed: 3)
    var wrong = 0
    for round in 0..<200_000 {
      let value =
        switch round % 4 {
        case 0: Double.random(in: -1000...1000, using: &random)
        case 1: Double(Int.random(in: -10_000_000...10_000_000, using: &random)) / 100
        case 2: Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
        default: (Double.random(in: 0...5000, using: &random) * 100).rounded() / 100
        }
      guard value.isFinite else { continue }
      if Double(text(value))?.bitPattern != value.bitPattern { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test("An annotation has COCO's fields; run lengths are escaped, further fields follow")
  func annotation() throws {
    let size = ImageSize(width: 2, height: 2)
    var instance = COCODatasetInstance(
      id: .integer(7), image: .text("a"), category: .integer(0), isCrowd: true, area: 2.5,
      box: Box(x: 0, y: 0.5, width: 1, height: 2), shape: .mask, geometry: Array("0\\4".utf8),
      size: size, attributes: "{\"score\":1}")
    var bytes: [UInt8] = []
    try COCODatasetExporter.append(instance, to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        {"id":7,"image_id":"a","category_id":0,"iscrowd":1,"area":2.5,"bbox":[0,0.5,1,2],\
        "segmentation":{"size":[2,2],"counts":"0\\\\4"},"score":1}
        """)
    instance.size = nil
    #expect(throws: MaskError.self) { try COCODatasetExporter.append(instance, to: &bytes) }
    var packed: [UInt8] = []
    Geometry.pack(polygons: [[0, 0, 1.5, 0, 1, 1], [0, 0, 2, 0, 2, 2]], into: &packed)
    bytes = []
    try COCODatasetExporter.append(
      COCODatasetInstance(
        id: .integer(1), image: .integer(2), category: .integer(3), shape: .polygon,
        geometry: packed, attributes: "{}"), to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        {"id":1,"image_id":2,"category_id":3,"iscrowd":0,\
        "segmentation":[[0,0,1.5,0,1,1],[0,0,2,0,2,2]]}
        """)
  }

  @Test("A box alone has an empty segmentation")
  func boxAlone() throws {
    var bytes: [UInt8] = []
    try COCODatasetExporter.append(
      COCODatasetInstance(
        id: .integer(1), image: .integer(2), category: .integer(3),
        box: Box(x: 1, y: 1, width: 1, height: 1), shape: .box), to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("\"segmentation\":[]}"))
  }
}

@Suite("Names of exported pairs")
struct MaskPairsExporterTests {
  private func paths(_ keys: String...) -> [String] {
    var names = MaskPairsExporter()
    return keys.map { names.path(for: $0) }
  }

  @Test("A key's suffix becomes .png; where that is taken the suffix stays")
  func suffixes() {
    #expect(
      paths("val/a.jpg", "val/a.png", "val/A.JPG", "17", "b.tar.jpg", "c.jpeg/d") == [
        "val/a.png", "val/a.png.png", "val/A.JPG.png", "17.png", "b.tar.png", "c.jpeg/d.png",
      ])
  }

  @Test("No path leaves its folder or hides")
  func safe() {
    #expect(
      paths("../../etc/x.jpg", "/abs/./y.jpg", ".hidden/z.png", "", "a\0b.png") == [
        "_./_./etc/x.png", "abs/_/y.png", "_hidden/z.png", "_.png", "a_b.png",
      ])
  }

  @Test("The importer pairs what the names say, whatever the keys hold")
  func pairs() {
    let keys = ["labels/x.jpg", "images/masks/y.png", "trainannot/z.png", "a_mask.png", "a.png"]
    var names = MaskPairsExporter()
    let made = keys.map { names.path(for: $0) }
    let files = (made.map { "images/" + $0 } + made.map { "masks/" + $0 })
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .map { SourceFile(path: $0, size: 1, modified: 0) }
    let pairing = MaskPairing(files)
    #expect(pairing.issues.isEmpty)
    let found = Set(pairing.pairs.map { "\($0.image.path) \($0.mask.path)" })
    #expect(found == Set(made.map { "images/\($0) masks/\($0)" }))
  }

  @Test("The list of classes begins with background and keeps a name on its line")
  func classes() {
    #expect(
      String(decoding: MaskPairsExporter.list(of: ["cat", "a\nb"]), as: UTF8.self)
        == "background\ncat\na b\n")
  }

  @Test("Further fields of a class are written, and only the box of a line")
  func furtherFields() throws {
    var bytes: [UInt8] = []
    COCODatasetExporter.append(
      Category(name: "a", attributes: #"{"keypoints":["nose"]}"#), id: .integer(1), to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"id":1,"name":"a","keypoints":["nose"]}"#)
    bytes = []
    var packed: [UInt8] = []
    Geometry.pack(polygons: [[0, 0, 3, 4]], into: &packed)
    try COCODatasetExporter.append(
      COCODatasetInstance(
        id: .integer(1), image: .integer(2), category: .integer(3),
        box: Box(x: 0, y: 0, width: 3, height: 4), shape: .polyline, geometry: packed), to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self).contains(#""segmentation":[]"#))
  }
}
