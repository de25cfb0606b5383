import AssayCore
import AssayImaging
import Testing

import AssayReports

@Suite struct MeanMaskSheetTests {
  private func column(_ name: String, _ value: Double, count: Int = 3) -> MeanMaskSheet.Column {
    .init(name: name, count: count, mean: Raster(repeating: value, width: 48, height: 48))
  }

  @Test("All columns share one scale from 0 to the largest value of all")
  func scale() throws {
    let sheet = MeanMaskSheet(
      columns: [column("person", 0.5), column("dog", 0.25), column("cat", 0)], title: "coco/val")
    #expect(sheet.scaleEnd == 0.5)
    let picture = try ImageCodec.decode(try sheet.png(), as: .rgb8)
    // Images of 48 are drawn at 96; columns are 96 + 8 apart starting at 16, images start 16 + 30 +
    // 40 from the top. 0.5 of 0.5 is the accent 4A3A90, 0.25 is half-way to white, 0 is white.
    func color(_ x: Int) -> [UInt8] { (0..<3).map { picture[x, 120, $0] } }
    #expect(color(60) == [0x4A, 0x3A, 0x90])
    // (0x4A + 255) / 2 = 164.5, (0x3A + 255) / 2 = 156.5, (0x90 + 255) / 2 = 199.5; the ramp has 256
    // steps, so 127.5 rounds up to 128 of 255.
    #expect(color(164) == [164, 156, 199])
    #expect(color(268) == [255, 255, 255])
  }

  @Test("A class without an image is no 0 of the scale, and a scale of nothing ends at 1")
  func nothing() throws {
    let sheet = MeanMaskSheet(columns: [column("person", 0, count: 0)])
    #expect(sheet.columns[0].largest == nil)
    #expect(sheet.scaleEnd == 1)
    #expect(try !sheet.png().isEmpty)
  }

  @Test("Many classes go on in further bands, the same bytes every time")
  func bands() throws {
    // (1,100 − 32 − 64) / 104 = 9 columns per band; 20 classes take 3 bands of 40 + 96 + 20.
    let sheet = MeanMaskSheet(columns: (0..<20).map { column("class \($0)", Double($0) / 20) })
    let png = try sheet.png()
    #expect(try png == sheet.png())
    let size = try ImageCodec.header(of: png).size
    #expect(size.height == 16 + 3 * 156 + 2 * 8 + 16)
    #expect(size.width == 32 + 9 * 104 + 64)
  }

  @Test("Values that are no number or out of range are drawn as the nearer end")
  func odd() {
    var values = Raster<Double>(repeating: .nan, width: 3, height: 1)
    values[1, 0] = 7
    values[2, 0] = -1
    let picture = HeatColor.picture(of: values, largest: 1)
    #expect(
      picture.elements == [255, 255, 255, 0x4A, 0x3A, 0x90, 255, 255, 255])
  }
}
