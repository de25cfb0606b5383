import AssayCore
import AssayImaging
import Testing

@Suite("Gray scales")
struct ScalingTests {
  @Test("One scale spans all rasters")
  func common() throws {
    let a = try #require(Raster<Double>(width: 2, height: 1, elements: [10, 20]))
    let b = try #require(Raster<Double>(width: 2, height: 1, elements: [15, 61]))
    let scale = try #require(Scaling.common([a, b]))
    #expect(scale == Scaling(low: 10, high: 61))
    // (20 − 10) · 255 / 51 = 50
    #expect(scale.apply(to: a).elements == [0, 50])
    #expect(scale.apply(to: b).elements == [25, 255])
  }

  @Test("Values out of range are clipped; NaN and infinity are black")
  func clipped() throws {
    let raster = try #require(
      Raster<Double>(width: 4, height: 1, elements: [-1, 2, .nan, .infinity]))
    #expect(Scaling(low: 0, high: 1).apply(to: raster).elements == [0, 255, 0, 0])
  }

  @Test("Nothing has no scale; a single value is black")
  func degenerate() throws {
    #expect(Scaling.common([]) == nil)
    let flat = Raster<Double>(repeating: 4, width: 2, height: 2)
    let scale = try #require(Scaling.common([flat]))
    #expect(scale.apply(to: flat).elements == [0, 0, 0, 0])
  }
}
