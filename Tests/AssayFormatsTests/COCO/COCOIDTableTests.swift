import AssayCore
import Testing

@testable import AssayFormats

@Suite("Ids of images and categories")
struct COCOIDTableTests {
  /// Small ids are stored in a list, larger and negative ones in a dictionary.
  private static let ids: [SourceID] = [
    .integer(5), .text("7"), .integer(1023), .integer(1024), .integer(-3), .text("5"),
    .integer(.max), .text("cat.jpg"), .integer(0),
  ]

  @Test("Ids are numbered in order of appearance, each once, and found as they are written")
  func numbers() {
    var table = COCOIDTable(Self.ids + Self.ids.reversed())
    #expect(table.ids == Self.ids)
    for (number, id) in Self.ids.enumerated() {
      #expect(table.number(of: id) == number && table.contains(id))
      let found = table.find(id)
      #expect(found?.number == number && found?.isConverted == false)
    }
    #expect(table.number(of: .integer(6)) == Self.ids.count)
  }

  @Test("A text finds a number and a number a text, unless the same type is there")
  func converted() {
    let table = COCOIDTable(Self.ids)
    for (id, number) in [
      (SourceID.integer(7), 1), (.text("1023"), 2), (.text("1024"), 3), (.text("-3"), 4),
      (.text("0"), 8),
    ] {
      let found = table.find(id)
      #expect(found?.number == number && found?.isConverted == true && !table.contains(id))
    }
  }

  @Test(
    "Unknown ids are not found",
    arguments: [
      SourceID.integer(1), .integer(1025), .integer(-1), .integer(.min), .text("1"), .text(""),
      .text("5.0"), .text("99999999999999999999"),
    ])
  func unknown(_ id: SourceID) {
    let table = COCOIDTable(Self.ids)
    #expect(table.find(id) == nil && !table.contains(id))
    #expect(COCOIDTable().find(id) == nil)
  }

  @Test("Images are indexed by their ids; a second one does not take the place of the first")
  func images() {
    var index = COCOImageIndex()
    index.add(.integer(9), .init(sample: 0, size: nil, key: "a"))
    index.add(.text("9"), .init(sample: nil, size: nil, key: "b"))
    index.add(.integer(9), .init(sample: 2, size: nil, key: "c"))
    index.add(.integer(4000), .init(sample: 3, size: nil, key: "d"))
    #expect(index.find(.integer(9))?.image.key == "a")
    #expect(index.find(.text("9"))?.image.key == "b" && index.contains(.text("9")))
    #expect(index.find(.integer(4000))?.image.sample == 3)
    let converted = index.find(.text("4000"))
    #expect(converted?.image.key == "d" && converted?.isConverted == true)
    #expect(!index.contains(.text("4000")) && index.find(.integer(8)) == nil)
  }
}
