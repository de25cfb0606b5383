import AssayCore
import AssayImaging
import Testing

import AssayReports

@Suite struct MeanFaceSheetTests {
  private func column(_ name: String, mean: Double, deviation: Double) -> MeanFaceSheet.Column {
    .init(
      name: name, count: 10, mean: Raster(repeating: mean, width: 48, height: 48),
      deviation: Raster(repeating: deviation, width: 48, height: 48))
  }

  @Test("The printed scale is exactly from the least to the greatest value of all rasters")
  func scale() {
    let scale = Scaling.printed([
      Raster(repeating: 63.25, width: 1, height: 1), Raster(repeating: 187.5, width: 1, height: 1),
    ])
    #expect(scale == Scaling(low: 63.25, high: 187.5))
    #expect(Scaling.printed([]) == Scaling(low: 0, high: 255))
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
    // Row one: 60 of 60...160 is black, 160 white. Columns are 96 + 8 apart starting at 92, rows
    // start at 86.
    #expect(picture[100, 100] == 0)
    #expect(picture[204, 100] == 255)
    // Row two: 10 of 10...30 is black, 30 white.
    #expect(picture[100, 210] == 0)
    #expect(picture[204, 210] == 255)
  }
}
