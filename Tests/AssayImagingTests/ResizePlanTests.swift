import AssayCore
import AssayImaging
import Testing

@Suite("Resize rules")
struct ResizePlanTests {
  private let landscape = ImageSize(width: 640, height: 480)
  private let square = ImageSize(width: 416, height: 416)

  @Test("Stretch uses everything")
  func stretch() {
    let plan = ResizePlan(.stretch, from: landscape, to: square)
    #expect(plan.crop == PixelRect(landscape) && plan.placement == PixelRect(square))
  }

  @Test("A center crop takes the largest rectangle of the target's proportions")
  func centerCrop() {
    let plan = ResizePlan(.centerCrop, from: landscape, to: square)
    #expect(plan.crop == PixelRect(x: 80, y: 0, width: 480, height: 480))
    let tall = ResizePlan(
      .centerCrop, from: ImageSize(width: 100, height: 301), to: ImageSize(width: 20, height: 10))
    #expect(tall.crop == PixelRect(x: 0, y: 125, width: 100, height: 50))
  }

  @Test("A letterbox keeps proportions, at the corner or in the middle")
  func letterbox() {
    let corner = ResizePlan(
      .letterbox(fill: 114, anchor: .topLeft), from: landscape, to: square)
    // 480 · 416 / 640 = 312
    #expect(corner.placement == PixelRect(x: 0, y: 0, width: 416, height: 312))
    let middle = ResizePlan(.letterbox(fill: 0, anchor: .center), from: landscape, to: square)
    #expect(middle.placement == PixelRect(x: 0, y: 52, width: 416, height: 312))
  }

  @Test("Points come back through the inverse mapping")
  func inverse() {
    for rule in [
      ResizeRule.stretch, .centerCrop, .letterbox(fill: 0, anchor: .topLeft),
      .letterbox(fill: 0, anchor: .center),
    ] {
      let plan = ResizePlan(rule, from: ImageSize(width: 333, height: 97), to: square)
      let there = plan.targetPoint(x: 12.5, y: 90)
      let back = plan.sourcePoint(x: there.x, y: there.y)
      #expect(abs(back.x - 12.5) < 1e-9 && abs(back.y - 90) < 1e-9)
    }
  }

  @Test("Applied, the picture lies where the plan says and the rest is filled")
  func apply() throws {
    let raster = Raster<UInt8>(repeating: 200, width: 4, height: 2)
    let plan = ResizePlan(
      .letterbox(fill: 7, anchor: .center), from: ImageSize(width: 4, height: 2),
      to: ImageSize(width: 4, height: 4))
    let expected: [UInt8] = [7, 7, 7, 7, 200, 200, 200, 200, 200, 200, 200, 200, 7, 7, 7, 7]
    #expect(plan.apply(to: raster).elements == expected)
    #expect(plan.applyUnrounded(to: raster).elements == expected.map(Float.init))
    let cropped = ResizePlan(
      .centerCrop, from: ImageSize(width: 4, height: 2), to: ImageSize(width: 2, height: 2))
    let ramp = try #require(
      Raster<UInt8>(width: 4, height: 2, elements: [1, 2, 3, 4, 5, 6, 7, 8]))
    #expect(cropped.apply(to: ramp).elements == [2, 3, 6, 7])
  }

  @Test("A sliver keeps at least one pixel")
  func sliver() {
    let plan = ResizePlan(
      .letterbox(fill: 0, anchor: .topLeft), from: ImageSize(width: 5000, height: 1), to: square)
    #expect(plan.placement.height == 1)
    let crop = ResizePlan(
      .centerCrop, from: ImageSize(width: 5000, height: 1), to: ImageSize(width: 1, height: 90))
    #expect(crop.crop.width == 1 && crop.crop.height == 1)
  }
}
