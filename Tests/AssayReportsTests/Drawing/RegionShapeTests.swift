import AssayCore
import Testing

@testable import AssayReports

@Suite struct RegionShapeTests {
  private func mask(_ rows: [String]) throws -> Mask {
    let elements = rows.flatMap { $0.utf8.map { $0 == UInt8(ascii: "x") ? UInt8(1) : 0 } }
    return Mask(
      try #require(Raster(width: rows[0].utf8.count, height: rows.count, elements: elements)))
  }

  /// Twice the signed area of a ring.
  private func area(_ ring: [Point]) -> Double {
    zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0) {
      $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y
    } / 2
  }

  @Test("A square has its four corners, scaled to the picture")
  func square() throws {
    let shape = RegionShape(try mask(["....", ".xx.", ".xx.", "...."]), width: 40, height: 20)
    #expect(shape.rings.count == 1)
    #expect(
      Set(shape.rings[0])
        == [
          Point(x: 10, y: 5), Point(x: 30, y: 5), Point(x: 30, y: 15), Point(x: 10, y: 15),
        ])
    #expect(shape.rings[0].count == 4)
  }

  @Test("A hole is a ring of its own")
  func hole() throws {
    let shape = RegionShape(try mask(["xxx", "x.x", "xxx"]), width: 3, height: 3)
    #expect(shape.rings.map { area($0).magnitude }.sorted() == [1, 9])
  }

  @Test("A large mask on a small picture keeps its area about, in half pixels")
  func reduced() throws {
    let size = ImageSize(width: 1_000, height: 1_000)
    let mask = Mask(box: Box(x: 103, y: 207, width: 500, height: 400), size: size)
    let shape = RegionShape(mask, width: 100, height: 100)
    #expect(shape.rings.count == 1)
    #expect((area(shape.rings[0]).magnitude - 2_000).magnitude < 100)
    for point in shape.rings[0] {
      #expect(point.x * 2 == (point.x * 2).rounded() && point.y * 2 == (point.y * 2).rounded())
    }
  }

  @Test("An empty mask has no ring; the path of a pixel is short")
  func path() throws {
    #expect(RegionShape(try mask(["..", ".."]), width: 2, height: 2).rings.isEmpty)
    let data = RegionShape(try mask(["x.", ".."]), width: 2, height: 2).pathData
    // Four corners in half pixels: three steps of 2, then closed.
    #expect(data.hasPrefix("M") && data.hasSuffix("z"))
    #expect(data.count(where: { "hv".contains($0) }) == 3)
  }
}
