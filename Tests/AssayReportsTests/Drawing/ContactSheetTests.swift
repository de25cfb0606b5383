import AssayCore
import AssayImaging
import Testing

@testable import AssayReports

@Suite struct ContactSheetTests {
  private func decoded(_ png: [UInt8]) throws -> Raster<UInt8> {
    try ImageCodec.decode(png, as: .rgb8)
  }

  @Test("A tile's pixels are enlarged by a whole number and otherwise untouched")
  func pixels() throws {
    let picture = SmallReport.picture(3, side: 48)
    let sheet = try decoded(ContactSheet(tiles: [.init(raster: picture)], columns: 1).png())
    // Without captions and title, a 48 × 48 tile is drawn at twice its size with a margin of 16,
    // centered in its own cell's width.
    for y in 0..<96 {
      for x in 0..<96 { #expect(sheet[16 + x, 16 + y] == picture[x / 2, y / 2]) }
    }
  }

  @Test("Color keeps its channels in order")
  func color() throws {
    let red = Raster<UInt8>(
      width: 1, height: 1, channels: 3, elements: [200, 30, 7])
    let sheet = try decoded(ContactSheet(tiles: [.init(raster: try #require(red))]).png())
    #expect([sheet[20, 20, 0], sheet[20, 20, 1], sheet[20, 20, 2]] == [200, 30, 7])
  }

  @Test(
    "The frame is blue for correct and orange for wrong samples",
    arguments: [
      (ContactSheet.Frame.right, [0x00, 0x72, 0xB2] as [UInt8]), (.wrong, [0xD5, 0x5E, 0x00]),
    ])
  func frame(frame: ContactSheet.Frame, color: [UInt8]) throws {
    let sheet = try decoded(
      ContactSheet(tiles: [.init(raster: SmallReport.picture(1, side: 48), frame: frame)]).png())
    #expect((0..<3).map { sheet[15, 40, $0] } == color)
  }

  @Test("The sheet has as many rows as its columns ask for")
  func rows() throws {
    let tiles = (0..<7).map { ContactSheet.Tile(raster: SmallReport.picture($0, side: 48)) }
    let sheet = try ImageCodec.header(of: ContactSheet(tiles: tiles, columns: 3).png())
    // Three rows of 96 + 6 with gaps of 12 between margins of 16; three columns are narrower than 320.
    #expect(sheet.size.height == 16 + 3 * 102 + 2 * 12 + 16)
    #expect(sheet.size.width == 2 * 16 + 3 * 96 + 2 * 12)
  }

  @Test("The same tiles give the same bytes")
  func deterministic() throws {
    let tiles = (0..<5).map {
      ContactSheet.Tile(
        raster: SmallReport.picture($0), caption: ["cat → dog 0.9\($0)"], frame: .wrong)
    }
    let sheet = ContactSheet(tiles: tiles, title: "pets")
    #expect(try sheet.png() == sheet.png())
  }

  @Test("No tiles, long captions and large pictures are drawn; two channels are refused")
  func edges() throws {
    #expect(try !ContactSheet(tiles: []).png().isEmpty)
    let large = ContactSheet.Tile(
      raster: SmallReport.picture(0, side: 1_000),
      caption: [String(repeating: "long ", count: 100)])
    let size = try ImageCodec.header(of: ContactSheet(tiles: [large]).png()).size
    // 1,000 pixels in blocks of 4 are 250.
    #expect(size.width < 340 && size.height > 250)
    let odd = Raster<UInt8>(repeating: 0, width: 2, height: 2, channels: 2)
    #expect(throws: ReportError.channels(2)) { try ContactSheet(tiles: [.init(raster: odd)]).png() }
  }

  @Test("A legend stands above the tiles, each class with its color")
  func legend() throws {
    let tile = ContactSheet.Tile(raster: SmallReport.picture(3, side: 48))
    let plain = try decoded(ContactSheet(tiles: [tile], columns: 1).png())
    let sheet = try decoded(ContactSheet(tiles: [tile], columns: 1, legend: ["cat", "dog"]).png())
    // One row of 20 and 8 below it.
    #expect(sheet.height == plain.height + 28)
    let color = ClassColor.of(0)
    #expect((0..<3).map { sheet[20, 20, $0] } == [color.red, color.green, color.blue])
    #expect(sheet[20, 50] == plain[20, 22])
  }

  @Test("A sheet that is too high says so, with what to do")
  func tooLarge() {
    let tile = ContactSheet.Tile(raster: SmallReport.picture(0))
    let sheet = ContactSheet(tiles: Array(repeating: tile, count: 1_000), columns: 1)
    #expect { try sheet.png() } throws: { "\($0)".contains("--limit") }
  }
}
