import Testing

import AssayCore

@Suite("Polygons to masks, by hand")
struct MaskPolygonTests {
  private let size = ImageSize(width: 4, height: 4)

  @Test("A square of whole numbers fills its pixels")
  func square() {
    #expect(
      Mask(polygons: [[1, 1, 3, 1, 3, 3, 1, 3]], size: size)
        == drawn("....", ".##.", ".##.", "...."))
    #expect(
      Mask(box: Box(x: 1, y: 1, width: 2, height: 2), size: size)
        == drawn("....", ".##.", ".##.", "...."))
    // Four numbers are a box if the first polygon has four.
    #expect(
      Mask(polygons: [[1, 1, 2, 2]], size: size) == drawn("....", ".##.", ".##.", "...."))
    #expect(Mask(polygons: [[0, 0, 4, 0, 4, 1], [1, 1, 2, 2]], size: size).area <= 4)
  }

  @Test("What has no inside has no pixels")
  func degenerate() {
    for polygon: [Double] in [
      [], [1], [1, 1], [1, 1, 3, 3, 1], [2, 2, 2, 2, 2, 2], [0, 0, 4, 4, 0, 0],
      [.nan, 0, 4, 0, 4, 4], [0, 0, .infinity, 0, 4, 4], [0, 0, 4, 0, 4, -.infinity],
    ] {
      #expect(Mask(polygons: [polygon], size: size).isEmpty, "\(polygon)")
    }
    #expect(Mask(polygons: [], size: size).isEmpty)
  }

  @Test("Absurd coordinates are cut at the image as others are")
  func huge() {
    for far in [1e5, 1e8, 4e8, 1e9, 1e18, .greatestFiniteMagnitude] {
      let square = [-far, -far, far, -far, far, far, -far, far]
      #expect(Mask(polygons: [square], size: size) == Mask(fullOf: size), "\(far)")
      // The half plane below y = 2.
      let half = [-far, 2, far, 2, far, far, -far, far]
      #expect(
        Mask(polygons: [half], size: size) == drawn("....", "....", "####", "####"), "\(far)")
      // The half plane left of x = 1.
      let left = [1, -far, 1, far, -far, far, -far, -far]
      #expect(Mask(polygons: [left], size: size).area == 4, "\(far)")
    }
  }

  @Test("More crossings than are sorted at once cancel each other all the same")
  func crowded() {
    // A round has four edges across 1,000 columns, so 265 rounds have 1,060,000 crossings. Two
    // rounds cancel out.
    let wide = ImageSize(width: 1000, height: 3)
    let round: [Double] = [0, 0, 1000, 1, 0, 2, 1000, 3]
    let once = Mask(polygons: [round], size: wide)
    #expect(!once.isEmpty)
    let odd = (0..<265).flatMap { _ in round }
    #expect(Mask(polygons: [odd], size: wide) == once)
    #expect(Mask(polygons: [odd + round], size: wide).isEmpty)
  }
}
