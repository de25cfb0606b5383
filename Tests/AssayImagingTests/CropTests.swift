import AssayCore
import AssayImaging
import Testing

@Suite("Cropping")
struct CropTests {
  // 1 2 3
  // 4 5 6
  private func raster() throws -> Raster<UInt8> {
    try #require(Raster(width: 3, height: 2, elements: [1, 2, 3, 4, 5, 6]))
  }

  @Test("A rectangle inside comes out as it is")
  func inside() throws {
    let part = Crop.apply(try raster(), to: PixelRect(x: 1, y: 0, width: 2, height: 2))
    #expect(part?.elements == [2, 3, 5, 6])
  }

  @Test("A rectangle that sticks out is clipped")
  func clipped() throws {
    let part = Crop.apply(try raster(), to: PixelRect(x: -5, y: 1, width: 7, height: 90))
    #expect(part?.elements == [4, 5])
  }

  @Test("Nothing in common, negative and overflowing rectangles give nothing")
  func nothing() throws {
    let raster = try raster()
    #expect(Crop.apply(raster, to: PixelRect(x: 3, y: 0, width: 1, height: 1)) == nil)
    #expect(Crop.apply(raster, to: PixelRect(x: 0, y: 0, width: -1, height: 1)) == nil)
    #expect(Crop.apply(raster, to: PixelRect(x: 1, y: 0, width: .max, height: 1)) == nil)
  }
}
