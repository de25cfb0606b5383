import AssayCore
import AssayImaging
import AssayReports
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

@Suite struct SampleSheetTests {
  /// Four gray images of 64 × 32; the first has a person on its left and the second two cars.
  private func world() throws -> SegmentCatalog {
    let world = try SegmentCatalog()
    let size = ImageSize(width: 64, height: 32)
    func rows(_ range: Range<Int>) -> [String] {
      Array(
        repeating: String((0..<64).map { range.contains($0) ? "#" : "." }), count: 32)
    }
    try world.importPictures(
      [
        [.init(category: 0, rows: rows(0..<32))],
        [.init(category: 1, rows: rows(0..<16)), .init(category: 1, rows: rows(48..<64))], [], [],
      ], size: size, classes: [Category(name: "person"), Category(name: "car")])
    for index in 0..<4 {
      let raster = Raster<UInt8>(repeating: 200, width: 64, height: 32)
      try Data(ImageCodec.encodePNG(raster)).write(to: world.folder.appending(path: "\(index).png"))
    }
    return world
  }

  private func found(_ world: SegmentCatalog) throws -> FoundSamples {
    try SampleSearch(catalog: world.catalog).search(nil, in: "set", limit: nil)
  }

  @Test("Regions are drawn in their classes' colors, the legend names them")
  func regions() throws {
    let world = try world()
    let sheet = try SampleSheet(catalog: world.catalog, found: found(world)).draw()
    #expect(sheet.pictures == 4 && sheet.unreadable == 0)
    let picture = try ImageCodec.decode(sheet.png, as: .rgb8)
    func color(_ x: Int, _ y: Int) -> [Int] { (0..<3).map { Int(picture[x, y, $0]) } }
    // Person and car are on one sample each: the taxonomy's order decides. Images are 256 × 128,
    // starting at 16 + 30 + 28. 0.25 · (0xE6, 0x9F, 0) + 0.75 · 200 = (207.5, 189.75, 150).
    let inside = color(16 + 60, 74 + 60)
    #expect(zip(inside, [207, 190, 150]).allSatisfy { abs($0 - $1) <= 2 }, "\(inside)")
    #expect(color(16 + 200, 74 + 60) == [200, 200, 200])
    // The second image's cars, in the second color: 0.25 · (0x56, 0xB4, 0xE9) + 150.
    let car = color(16 + 256 + 12 + 30, 74 + 60)
    #expect(zip(car, [171, 195, 208]).allSatisfy { abs($0 - $1) <= 2 }, "\(car)")
    // The legend's first swatch.
    #expect(color(20, 50) == [0xE6, 0x9F, 0x00])
  }

  @Test("What each sample has is written beneath, most first")
  func captions() throws {
    let world = try world()
    let found = try found(world)
    let regions = try SheetRegions(
      catalog: world.catalog, found: found, samples: found.samples)
    #expect(regions.captions == ["person", "car×2", "", ""])
    #expect(regions.legend == ["person", "car"])
    #expect(regions.place(of: 1) == 1)
  }

  @Test("Lines and points are drawn, and labels of images are written beneath")
  func lines() throws {
    let folder = try TemporaryFolder()
    let picture = try ImageCodec.encodePNG(Raster<UInt8>(repeating: 200, width: 64, height: 32))
    for name in ["a", "b", "c"] { try folder.write("source/\(name).png", picture) }
    func image(_ name: String, _ elements: String) -> String {
      #"<image id="0" name="\#(name).png" width="64" height="32">\#(elements)</image>"#
    }
    let tags = #"<tag label="wet"></tag><tag label="dark"></tag>"#
    try folder.write(
      "source/annotations.xml",
      "<annotations><version>1.1</version><meta></meta>"
        + image("a", #"<polyline label="lane" points="0,16;64,16"></polyline>"# + tags)
        + image("b", #"<points label="eye" points="16,8"></points>"#)
        + image("c", tags) + "</annotations>")
    var request = ImportRequest(folder.path("source:cvat"))
    request.name = "set"
    _ = try DatasetImport(request, workers: 1).run(
      catalogPath: folder.path("assay.db"), progress: NoProgress())
    let catalog = try Catalog.open(folder.path("assay.db"), .readOnly)
    let found = try SampleSearch(catalog: catalog).search(nil, in: "set", limit: nil)
    let regions = try SheetRegions(catalog: catalog, found: found, samples: found.samples)
    #expect(regions.captions == ["dark, lane, wet", "eye", "dark, wet"])
    #expect(regions.legend == ["eye", "lane"])
    let sheet = try SampleSheet(catalog: catalog, found: found).draw()
    let image = try ImageCodec.decode(sheet.png, as: .rgb8)
    func isColored(_ x: Int, _ y: Int) -> Bool {
      Set((0..<3).map { image[x, y, $0] }).count > 1
    }
    // Images are 256 × 128, 4 times as large, from (16, 74).
    #expect(isColored(16 + 120, 74 + 64) && !isColored(16 + 120, 74 + 50))
    #expect(isColored(16 + 256 + 12 + 64, 74 + 32) && !isColored(16 + 256 + 12 + 64, 74 + 64))
  }

  @Test("What the source leaves out is gray, in no legend and in no list")
  func void() throws {
    let world = try SegmentCatalog()
    let size = ImageSize(width: 64, height: 32)
    let left = Array(repeating: String((0..<64).map { $0 < 32 ? "#" : "." }), count: 32)
    let right = Array(repeating: String((0..<64).map { $0 < 32 ? "." : "#" }), count: 32)
    try world.importPictures(
      [[.init(category: 0, rows: left), .init(category: 1, rows: right)]], size: size,
      classes: [Category(name: "void", isVoid: true), Category(name: "road")])
    let raster = Raster<UInt8>(repeating: 200, width: 64, height: 32)
    try Data(ImageCodec.encodePNG(raster)).write(to: world.folder.appending(path: "0.png"))
    let found = try found(world)
    let regions = try SheetRegions(catalog: world.catalog, found: found, samples: found.samples)
    #expect(regions.legend == ["road"] && regions.captions == ["road"])
    let sheet = try SampleSheet(catalog: world.catalog, found: found).draw()
    let picture = try ImageCodec.decode(sheet.png, as: .rgb8)
    // 0.6 · (154, 160, 166) + 0.4 · 200 = (172, 176, 180); a single image of 256 on a sheet 320
    // wide is at 16.
    let gray = (0..<3).map { Int(picture[16 + 60, 74 + 60, $0]) }
    #expect(zip(gray, [172, 176, 180]).allSatisfy { abs($0 - $1) <= 2 }, "\(gray)")
  }

  @Test("The same samples give the same bytes; a missing picture is counted")
  func deterministic() throws {
    let world = try world()
    let sheet = SampleSheet(catalog: world.catalog, found: try found(world))
    #expect(try sheet.draw().png == sheet.draw().png)
    try FileManager.default.removeItem(at: world.folder.appending(path: "1.png"))
    let left = try sheet.draw()
    #expect(left.pictures == 3 && left.unreadable == 1)
  }

  @Test("Samples with a label and no region are drawn with their label, without a legend")
  func labels() throws {
    let world = try EvaluateCatalog.small()
    let found = try SampleSearch(catalog: world.catalog).search(nil, in: "faces", limit: nil)
    let regions = try SheetRegions(catalog: world.catalog, found: found, samples: found.samples)
    #expect(regions.isEmpty && regions.legend.isEmpty)
    #expect(try SampleSheet(catalog: world.catalog, found: found).draw().pictures == 4)
  }
}
