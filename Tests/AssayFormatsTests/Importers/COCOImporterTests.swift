import AssayCore
import AssayFormats
import AssayTestSupport
import Foundation
import Testing

/// The data that the importer reads, compared with pycocotools 2.0.11 on the same files
/// (`Tests/Fixtures/coco/make_goldens.py`).
@Suite("COCO beside pycocotools")
struct COCOImporterTests {
  /// The goldens: one line per annotation.
  private static func goldens() throws -> [String: [String]] {
    let url = PackageFolder.fixture("coco/goldens.json")
    let json = try JSONValue(parsing: String(contentsOf: url, encoding: .utf8))
    guard case .object(let members) = json else { return [:] }
    return Dictionary(
      uniqueKeysWithValues: members.map {
        ($0.name, ($0.value.elements ?? []).compactMap(\.text))
      })
  }

  /// An annotation as the script writes it: image, class, crowd, id, area, box, run lengths.
  private static func line(_ region: COCOCollected.Region, _ size: ImageSize) throws -> String {
    let box = try #require(region.box)
    let numbers = [try #require(region.area), box.x, box.y, box.width, box.height]
    let mask = try #require(region.geometry).mask(in: size)
    let fields = [
      region.key.split(separator: "/").last.map(String.init) ?? "", region.category,
      region.isCrowd ? "1" : "0", region.id?.description ?? "",
      numbers.map { "\($0)" }.joined(separator: " "),
      String(decoding: mask.compressed, as: UTF8.self),
    ]
    return fields.joined(separator: "|")
  }

  private static func lines(_ found: COCOCollected) throws -> [String] {
    let sizes = Dictionary(uniqueKeysWithValues: zip(found.samples, found.sizes))
    return try found.regions.map { region in
      try line(region, #require(sizes[region.key] ?? nil))
    }
  }

  @Test(
    "Image, class, crowd, id, area, box and every pixel are pycocotools'",
    arguments: ["polygons", "runs", "keypoints", "annotations_first"])
  func fixtures(name: String) throws {
    let expected = try #require(Self.goldens()[name])
    let found = try COCOCollected(FileTree(fixture: "coco/\(name).json"))
    #expect(try Self.lines(found) == expected)
    #expect(!expected.isEmpty && found.isBalanced)
  }

  @Test(
    "So are the 624 annotations of 79 real images",
    .outsideData("coco/mini", twin: "COCOImporterTests.fixtures"))
  func realImages() throws {
    let expected = try #require(Self.goldens()["mini"])
    let found = try COCOCollected(FileTree(outside: "coco/mini"))
    let lines = try Self.lines(found)
    #expect("\(lines.count)" == expected[0])
    let sorted = lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(ContentHash.of(Array(sorted.joined(separator: "\n").utf8)) == expected[1])
    #expect(found.regions.count { $0.isCrowd } == 5)
    #expect(found.run.lists?.imagesFound == 79)
  }
}
