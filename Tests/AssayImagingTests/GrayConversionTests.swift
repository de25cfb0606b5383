import AssayCore
import AssayImaging
import Testing

@Suite("Gray")
struct GrayConversionTests {
  @Test("Luma is PIL's integer form of BT.601")
  func luma() throws {
    // 255·19595 + 32768 = 5,029,493; divided by 65,536 it is 76.7, truncated to 76.
    let raster = try #require(
      Raster<UInt8>(
        width: 5, height: 1, channels: 3,
        elements: [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 10, 20, 30]))
    // Green (255·38470 + 32768) >> 16 = 150, blue (255·7471 + 32768) >> 16 = 29,
    // (195,950 + 769,400 + 224,130 + 32,768) >> 16 = 18.
    #expect(GrayConversion.gray(raster).elements == [76, 150, 29, 255, 18])
  }

  @Test("Gray made color and gray again is the same")
  func roundTrip() throws {
    let gray = try #require(Raster<UInt8>(width: 256, height: 1, elements: Array(0...255)))
    let rgb = GrayConversion.rgb(gray)
    #expect(rgb.channels == 3 && rgb[7, 0, 2] == 7)
    #expect(GrayConversion.gray(rgb) == gray)
  }
}
