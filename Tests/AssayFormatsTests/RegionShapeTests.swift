import AssayCore
import Testing

@testable import AssayFormats

@Suite("Shapes of regions") struct RegionShapeTests {
  private func packed(_ shape: LabeledRegion.Shape) -> PackedImage {
    var image = LabeledImage()
    image.statedSize = ImageSize(width: 20, height: 10)
    image.regions = [
      LabeledRegion(
        category: Category(name: "lane"), shape: shape, at: IssueLocation(file: "a.json"),
        title: "shape 1 (lane)")
    ]
    return PackedImage(image, path: "a.png", split: nil, probe: nil)
  }

  @Test("A line has the bounds of its points, and no area")
  func line() throws {
    let image = packed(.polylines([[1, 2, 6, 8]]))
    #expect(image.issues.isEmpty)
    let region = try #require(image.regions.first)
    #expect(region.kind == .polyline)
    #expect(region.box == Box(x: 1, y: 2, width: 5, height: 6))
    #expect(region.area == nil)
    #expect(image.geometry == Geometry.polylines([[1, 2, 6, 8]]).packed)
  }

  @Test("One point is enough")
  func points() throws {
    let image = packed(.points([3, 4.5]))
    let region = try #require(image.regions.first)
    #expect(region.kind == .points)
    #expect(region.box == Box(x: 3, y: 4.5, width: 0, height: 0))
    #expect(image.issues.isEmpty)
  }

  @Test(
    "Lists that are no lines or points are left out, with the reason",
    arguments: [
      .polylines([]), .polylines([[1, 2]]), .polylines([[1, 2, 3]]), .polylines([[1, 2, .nan, 4]]),
      .points([]), .points([1]), .points([1, .infinity]), .points([1, 1e9]),
    ] as [LabeledRegion.Shape])
  func leftOut(shape: LabeledRegion.Shape) {
    let image = packed(shape)
    #expect(image.regions.isEmpty)
    #expect(image.issues.map(\.kind) == [.badShape])
    #expect(image.issues.map(\.severity) == [.error])
  }

  @Test("A line that leaves its image is kept, with a warning")
  func beyond() {
    let image = packed(.polylines([[-5, 2, 6, 8]]))
    #expect(image.regions.count == 1)
    #expect(image.issues.map(\.severity) == [.warning])
  }
}
