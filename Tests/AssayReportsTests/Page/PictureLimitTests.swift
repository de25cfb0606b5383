import AssayCore
import Testing

@testable import AssayReports

@Suite struct PictureLimitTests {
  private func noise(_ seed: UInt64, side: Int) -> Raster<UInt8> {
    var generator = SplitMix64(seed: seed)
    var raster = Raster<UInt8>(repeating: 0, width: side, height: side, channels: 3)
    for index in raster.elements.indices {
      raster.elements[index] = UInt8(truncatingIfNeeded: generator.next())
    }
    return raster
  }

  @Test("A cell shows at most 24 pictures, and the page says how many it left out")
  func perCell() throws {
    var report = try SmallReport.report()
    let picture = SmallReport.samplePicture(0)
    report.cells = [.init(truth: 0, predicted: 0, pictures: Array(repeating: picture, count: 40))]
    let html = try SmallReport.html(report)
    let panel = try #require(html.range(of: "<div class=\"cell\" id=\"cell-0-0\""))
    let rest = html[panel.upperBound...]
    let end = try #require(rest.range(of: "</section>"))
    #expect(rest[..<end.lowerBound].matches(of: #/<img /#).count == 24)
  }

  @Test("Pictures stop at the limit of bytes, cells share what is left, and the page says so")
  func bytes() throws {
    // Noise does not compress: 160 × 160 × 3 bytes are 102 kB each in Base64, so fewer than 100
    // fit.
    var report = try SmallReport.report()
    report.mistakes = []
    report.cells = (0..<9).map { cell in
      .init(
        truth: cell / 3, predicted: cell % 3,
        pictures: (0..<20).map { index in
          SamplePicture(
            key: "\(index)", raster: noise(UInt64(cell * 20 + index), side: 160), truth: cell / 3,
            predicted: cell % 3, confidence: 0.5)
        })
    }
    let html = try SmallReport.html(report)
    let sources = html.matches(of: #/src="(data:[^"]*)"/#).map(\.1.utf8.count)
    #expect(sources.reduce(0, +) <= PictureLimits.bytes)
    #expect(sources.reduce(0, +) > PictureLimits.bytes - 110_000)
    let isSaid = html.contains("fewer than the limit per cell allows")
    #expect(isSaid)
    let panels = html.components(separatedBy: "<div class=\"cell\" ").dropFirst().map {
      $0.matches(of: #/<img /#).count
    }
    let counts = panels.dropLast()
    #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 1)
  }

  @Test(
    "A picture is shown at a whole multiple of its pixels",
    arguments: [
      (48, 96), (8, 96), (28, 112), (64, 128), (100, 100), (500, 125),
    ])
  func multiples(side: Int, shown: Int) {
    // 500 pixels in blocks of 4 are 125.
    let request = PictureRequest(SmallReport.picture(0, side: side))
    #expect(request.values(source: "")["width"] as? Int == shown)
  }
}
