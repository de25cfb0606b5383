import AssayCore
import AssayImaging
import Testing

@testable import AssayReports

@Suite struct MeanFaceSheetTests {
  private func column(_ name: String, mean: Double, deviation: Double) -> MeanFaceSheet.Column {
    .init(
      name: name, count: 10, mean: Raster(repeating: mean, width: 48, height: 48),
      deviation: Raster(repeating: deviation, width: 48, height: 48))
  }

  @Test("The scale holds all rasters and ends at round numbers")
  func scale() {
    let scale = GrayScale(of: [
      Raster(repeating: 63.2, width: 1, height: 1), Raster(repeating: 187.9, width: 1, height: 1),
    ])
    // An eighth of 124.7 is 15.6: steps of 20.
    #expect(scale == GrayScale(low: 60, high: 200))
    let full = GrayScale(of: [Raster(width: 2, height: 1, elements: [0, 254])].compactMap(\.self))
    #expect(full == GrayScale(low: 0, high: 255))
    #expect(GrayScale(of: []) == GrayScale(low: 0, high: 1))
  }

  @Test("The ends of the scale are black and white, and one value has one gray in every class")
  func levels() {
    let scale = GrayScale(low: 50, high: 150)
    let levels = scale.applied(
      to: Raster(width: 5, height: 1, elements: [50, 100, 150, 1_000, .nan])
        ?? Raster(repeating: 0.0, width: 1, height: 1))
    #expect(levels.elements == [0, 128, 255, 255, 0])
  }

  @Test("Classes stand side by side, mean above deviation, the same bytes every time")
  func sheet() throws {
    let sheet = MeanFaceSheet(
      columns: [
        column("happy", mean: 60, deviation: 10), column("sad", mean: 160, deviation: 30),
      ], title: "faces/train")
    let png = try sheet.png()
    #expect(try png == sheet.png())
    let picture = try ImageCodec.decode(png, as: .gray8)
    // Row one: 60 of 60...160 is black, 160 white. Columns are 96 + 8 apart from 92 on, rows from 86.
    #expect(picture[100, 100] == 0)
    #expect(picture[204, 100] == 255)
    // Row two: 10 of 10...30 is black, 30 white.
    #expect(picture[100, 210] == 0)
    #expect(picture[204, 210] == 255)
  }
}
