import AssayCore
import Testing

@testable import AssayReports

@Suite struct MaskOverlayTests {
  static let size = ImageSize(width: 48, height: 40)

  static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Mask {
    Mask(box: Box(x: x, y: y, width: width, height: height), size: size)
  }

  private static let gray = Raster<UInt8>(repeating: 200, width: 48, height: 40, channels: 3)
  private static let truth = [0x00, 0x72, 0xB2] as [UInt8]
  private static let prediction = [0xD5, 0x5E, 0x00] as [UInt8]

  private func color(_ picture: Raster<UInt8>, _ x: Int, _ y: Int) -> [UInt8] {
    (0..<3).map { picture[x, y, $0] }
  }

  private func isNear(_ color: [UInt8], _ wanted: [Double]) -> Bool {
    zip(color, wanted).allSatisfy { (Double($0) - $1).magnitude <= 1.5 }
  }

  @Test("Outlines have their colors, misses and additions a tint, what is right none")
  func evaluated() throws {
    let overlay = MaskOverlay.evaluated(
      truth: Self.box(10, 10, 20, 20), prediction: Self.box(20, 10, 20, 20))
    let picture = try overlay.drawn(over: Self.gray, longest: 48)
    #expect(picture.width == 48 && picture.height == 40)
    // A line 2 wide on the edge at 10 covers the pixels 9 and 10; that on 40 the pixels 39 and 40.
    #expect(color(picture, 9, 20) == Self.truth)
    #expect(color(picture, 10, 20) == Self.truth)
    #expect(color(picture, 39, 20) == Self.prediction)
    #expect(color(picture, 40, 20) == Self.prediction)
    // Missed: 0.35 · (0, 114, 178) + 0.65 · 200 = (130, 169.9, 192.3).
    #expect(isNear(color(picture, 15, 20), [130, 169.9, 192.3]))
    // Added: 0.35 · (213, 94, 0) + 130 = (204.55, 162.9, 130).
    #expect(isNear(color(picture, 35, 20), [204.55, 162.9, 130]))
    #expect(color(picture, 25, 20) == [200, 200, 200])
    #expect(color(picture, 45, 35) == [200, 200, 200])
  }

  @Test("A line that ground truth and prediction share shows both colors")
  func shared() throws {
    let mask = Self.box(4, 4, 40, 32)
    let picture = try MaskOverlay.evaluated(truth: mask, prediction: mask)
      .drawn(over: Self.gray, longest: 48)
    let along = (6..<42).map { color(picture, $0, 4) }
    #expect(along.contains(Self.truth))
    #expect(along.contains(Self.prediction))
  }

  @Test("Ignored pixels are gray, and neither missed nor added")
  func void() throws {
    let overlay = MaskOverlay.evaluated(
      truth: Self.box(0, 0, 24, 40), prediction: Mask(emptyOf: Self.size),
      void: Self.box(0, 0, 12, 40))
    let picture = try overlay.drawn(over: Self.gray, longest: 48)
    // 0.6 · (154, 160, 166) + 0.4 · 200 = (172.4, 176, 179.6).
    #expect(isNear(color(picture, 6, 20), [172.4, 176, 179.6]))
    #expect(isNear(color(picture, 18, 20), [130, 169.9, 192.3]))
  }

  @Test("Masks are scaled with their picture, whatever its size")
  func scaled() throws {
    let overlay = MaskOverlay.evaluated(
      truth: Self.box(24, 0, 24, 40), prediction: Mask(emptyOf: Self.size))
    // A thumbnail of half the size, enlarged 4×: 96 × 80. The edge at 24 of 48 is at 48 of 96.
    let small = Raster<UInt8>(repeating: 200, width: 24, height: 20)
    let picture = try overlay.drawn(over: small, longest: 96)
    #expect(picture.width == 96 && picture.height == 80)
    #expect(color(picture, 47, 40) == Self.truth)
    #expect(color(picture, 45, 40) == [200, 200, 200])
    #expect(isNear(color(picture, 60, 40), [130, 169.9, 192.3]))
  }

  @Test("Regions have their classes' colors; the smaller lies above")
  func regions() throws {
    let overlay = MaskOverlay.regions([
      .init(place: 1, mask: Self.box(20, 14, 8, 8)), .init(place: 0, mask: Self.box(4, 4, 40, 32)),
    ])
    #expect(overlay.layers.map(\.mask.area) == [40 * 32, 64])
    let picture = try overlay.drawn(over: Self.gray, longest: 48)
    let (first, second) = (ClassColor.of(0), ClassColor.of(1))
    // 0.25 · first + 0.75 · 200 below, then 0.25 · second over that.
    func over(_ color: RGB, _ under: [Double]) -> [Double] {
      zip([color.red, color.green, color.blue], under).map { Double($0) * 0.25 + $1 * 0.75 }
    }
    let beneath = over(first, [200, 200, 200])
    #expect(isNear(color(picture, 10, 10), beneath))
    #expect(isNear(color(picture, 24, 18), over(second, beneath)))
  }

  @Test("The two runs of a comparison are drawn in three lines, the earlier one in black and white")
  func compared() throws {
    let overlay = MaskOverlay.compared(
      truth: Self.box(2, 2, 10, 30), first: Self.box(16, 2, 10, 30),
      second: Self.box(30, 2, 10, 30))
    let picture = try overlay.drawn(over: Self.gray, longest: 48)
    #expect(color(picture, 2, 15) == Self.truth)
    #expect(color(picture, 30, 15) == Self.prediction)
    let line = Set((4..<30).map { color(picture, 16, $0) })
    #expect(line.contains([0, 0, 0]) && line.contains([255, 255, 255]))
  }

  @Test(
    "The SVG over a photo carries the same shapes, lines that keep their width, and no attribute of style"
  )
  func svg() {
    let overlay = MaskOverlay.evaluated(
      truth: Self.box(10, 10, 20, 20), prediction: Self.box(20, 10, 20, 20))
    let svg = overlay.svg(width: 48, height: 40)
    #expect(svg.hasPrefix("<g class=\"overlay\" transform=\"scale(.5)\">"))
    #expect(svg.contains("fill=\"#0072b2\" fill-opacity=\"0.35\""))
    #expect(svg.contains("fill=\"#d55e00\" fill-opacity=\"0.35\""))
    #expect(svg.contains("stroke=\"#0072b2\" stroke-width=\"2\""))
    #expect(svg.contains("vector-effect=\"non-scaling-stroke\""))
    #expect(!svg.contains("style="))
  }
}
