import AssayCore
import AssayImaging
import Testing

import AssayReports

@Suite struct ObjectCutoutTests {
  private static let photo = ImageSize(width: 640, height: 480)

  @Test("A small object is shown with its surroundings, enlarged by a whole number")
  func small() {
    // 20 wide; with 35 % of it on both sides 34, which fits three times into 252: a piece of 84 ×
    // 63.
    let window = ObjectCutout.window(
      around: [Box(x: 300, y: 200, width: 20, height: 10)], in: Self.photo)
    #expect(window.width == 84 && window.height == 63)
    // Around the center, (310, 205).
    #expect(window.x == 268 && window.y == 174)
  }

  @Test("A piece moves inside the picture, and is no larger than it")
  func edges() {
    let corner = ObjectCutout.window(
      around: [Box(x: 630, y: 470, width: 30, height: 30)], in: Self.photo)
    #expect(corner.x + corner.width == 640 && corner.y + corner.height == 480)
    let all = ObjectCutout.window(
      around: [Box(x: -10, y: -10, width: 700, height: 600)], in: Self.photo)
    #expect(all == PixelRect(x: 0, y: 0, width: 640, height: 480))
    #expect(ObjectCutout.window(around: [], in: Self.photo) == PixelRect(Self.photo))
    let tiny = ImageSize(width: 3, height: 2)
    #expect(
      ObjectCutout.window(around: [Box(x: 1, y: 1, width: 1, height: 1)], in: tiny)
        == PixelRect(tiny))
  }

  @Test(
    "Whatever a box says, the piece lies inside the picture",
    arguments: [
      Box(x: .nan, y: 0, width: 1, height: 1), Box(x: 1e300, y: -1e300, width: 1, height: 1e305),
      Box(x: 5, y: 5, width: -3, height: -3), Box(x: 0, y: 0, width: 0, height: 0),
      Box(x: 900, y: 900, width: 10, height: 10), Box(x: 3, y: 3, width: .infinity, height: 2),
    ])
  func odd(box: Box) {
    let window = ObjectCutout.window(around: [box], in: Self.photo)
    #expect(window.x >= 0 && window.y >= 0 && window.width >= 1 && window.height >= 1)
    #expect(window.x + window.width <= 640 && window.y + window.height <= 480)
  }

  @Test("A picture of another size than the boxes' is cut at the same place")
  func scaled() throws {
    // Half the size; the right half is bright.
    let row = Array(repeating: UInt8(0), count: 160) + Array(repeating: UInt8(255), count: 160)
    let raster = try #require(
      Raster(width: 320, height: 240, elements: Array((0..<240).map { _ in row }.joined())))
    let box = Box(x: 480, y: 200, width: 40, height: 40)
    let cutout = ObjectCutout(of: raster, frame: Self.photo, around: [box], objects: [])
    #expect(cutout.raster.elements.allSatisfy { $0 == 255 })
    #expect(cutout.overlay.window.width == 126)
    #expect(cutout.raster.width == 63)
  }

  @Test("A whole photo is reduced to what a page shows")
  func reduced() {
    let raster = Raster<UInt8>(repeating: 7, width: 1_200, height: 900)
    let cutout = ObjectCutout(
      of: raster, frame: ImageSize(width: 1_200, height: 900), around: [], objects: [])
    #expect(cutout.raster.width == PictureLimits.cutoutLongest)
  }
}
