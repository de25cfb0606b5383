import AssayCore
import AssayImaging
import Testing

@testable import AssayReports

@Suite struct BoxOverlayTests {
  private static let size = ImageSize(width: 96, height: 80)
  private static let gray = Raster<UInt8>(repeating: 200, width: 96, height: 80, channels: 3)
  private static let truth = [0x00, 0x72, 0xB2] as [UInt8]
  private static let prediction = [0xD5, 0x5E, 0x00] as [UInt8]

  private func color(_ picture: Raster<UInt8>, _ x: Int, _ y: Int) -> [UInt8] {
    (0..<3).map { picture[x, y, $0] }
  }

  private func layout(_ objects: [BoxOverlay.Object]) -> BoxLayout {
    BoxLayout(BoxOverlay(size: Self.size, objects: objects), width: 96, height: 80)
  }

  @Test("Ground truth is blue and prediction orange; their insides are unchanged")
  func colors() throws {
    let overlay = BoxOverlay(
      size: Self.size,
      objects: [
        .init(.truth, box: Box(x: 10, y: 10, width: 30, height: 40)),
        .init(.prediction, box: Box(x: 50, y: 10, width: 30, height: 40)),
      ])
    let picture = try overlay.drawn(over: Self.gray, longest: 96)
    // A line 2 wide on the edge at 10 covers the pixels 9 and 10.
    #expect(color(picture, 9, 30) == Self.truth)
    #expect(color(picture, 10, 30) == Self.truth)
    #expect(color(picture, 50, 30) == Self.prediction)
    #expect(color(picture, 25, 30) == [200, 200, 200])
    #expect(color(picture, 90, 70) == [200, 200, 200])
  }

  @Test(
    "Keypoints are dots on a white ground, those of a mesh small dots; tiny and faint objects have none"
  )
  func dots() throws {
    let points: [Double] = [20, 20, 1, 30, 40, 0.5, 200, 20, 1]
    let mesh: [Double] = (0..<50).flatMap { [Double(10 + $0), 30, 1] as [Double] }
    func object(_ keypoints: [Double], side: Double = 60, isFaint: Bool = false)
      -> BoxOverlay.Object
    {
      .init(
        .prediction, box: Box(x: 8, y: 8, width: side, height: side), keypoints: keypoints,
        isFaint: isFaint)
    }
    // The third point is outside of the image.
    let dots = layout([object(points)]).dots
    #expect(dots.map(\.x) == [20, 30, 20, 30] && dots.map(\.radius) == [3, 3, 2, 2])
    #expect(layout([object(mesh)]).dots.map(\.radius) == [Double](repeating: 1, count: 50))
    #expect(layout([object(points, side: 39), object(points, isFaint: true)]).dots.isEmpty)
    let overlay = BoxOverlay(size: Self.size, objects: [object(points)])
    let picture = try overlay.drawn(over: Self.gray, longest: 96)
    #expect(color(picture, 30, 40) == Self.prediction && color(picture, 40, 40) == [200, 200, 200])
    #expect(overlay.svg(width: 96, height: 80).contains("<circle cx=\"30\" cy=\"40\" r=\"2\""))
  }

  @Test("A line that ground truth and prediction share shows both colors")
  func shared() throws {
    let box = Box(x: 8, y: 30, width: 80, height: 40)
    let overlay = BoxOverlay(
      size: Self.size, objects: [.init(.truth, box: box), .init(.prediction, box: box)])
    let picture = try overlay.drawn(over: Self.gray, longest: 96)
    let along = (10..<86).map { color(picture, $0, 30) }
    #expect(along.contains(Self.truth))
    #expect(along.contains(Self.prediction))
  }

  @Test("The prediction's plate stands above its box, the truth's beneath, with class and score")
  func plates() {
    let box = Box(x: 10, y: 20, width: 60, height: 30)
    let plates = layout([
      .init(.truth, box: box, name: "dog"), .init(.prediction, box: box, name: "cat", score: 0.934),
    ]).plates
    #expect(plates.map(\.text) == ["dog", "cat 0.93"])
    // 50 + 1; 20 − 15 − 1.
    #expect(plates.map(\.y) == [51, 4])
  }

  @Test("Plates stay inside the picture and never lie on each other")
  func plateRoom() {
    let whole = Box(x: 0, y: 0, width: 96, height: 80)
    let plates = layout([
      .init(.truth, box: whole, name: "dog"), .init(.prediction, box: whole, name: "cat"),
      .init(.prediction, box: whole, name: "cow"), .init(.prediction, box: whole, name: "hen"),
      .init(.prediction, box: whole, name: "owl"), .init(.prediction, box: whole, name: "bat"),
    ]).plates
    // Inside at the top and at the bottom, at the left and at the right: four positions.
    #expect(plates.map(\.text) == ["dog", "cat", "cow", "hen"])
    for (place, plate) in plates.enumerated() {
      #expect(plate.x >= 0 && plate.x + plate.width <= 96)
      #expect(plate.y >= 0 && plate.y + BoxLayout.Plate.height <= 80)
      for other in plates[..<place] { #expect(!plate.overlaps(other)) }
    }
  }

  @Test("What only stands around is a thin line without a name")
  func faint() throws {
    let layout = layout([
      .init(.truth, box: Box(x: 10, y: 10, width: 30, height: 40), name: "dog", isFaint: true)
    ])
    #expect(layout.plates.isEmpty)
    #expect(layout.outlines.map(\.lineWidth) == [1])
  }

  @Test("A region is drawn instead of its box, tinted; over a piece it moves with it")
  func regions() throws {
    let mask = Mask(box: Box(x: 40, y: 20, width: 20, height: 40), size: Self.size)
    let object = BoxOverlay.Object(
      .prediction, box: Box(x: 0, y: 0, width: 96, height: 80), mask: mask)
    let window = PixelRect(x: 20, y: 10, width: 60, height: 60)
    let overlay = BoxOverlay(window: window, objects: [object])
    let picture = try overlay.drawn(
      over: Raster(repeating: 200, width: 60, height: 60, channels: 3), longest: 60)
    // The region starts at 40 − 20 = 20.
    #expect(color(picture, 20, 30) == Self.prediction)
    #expect(color(picture, 3, 30) == [200, 200, 200])
    // 0.2 · 213 + 0.8 · 200 = 202.6.
    #expect(abs(Int(color(picture, 30, 30)[0]) - 203) <= 1)
  }

  @Test("Boxes of no place are left out, huge ones are cut near the picture")
  func odd() {
    let layout = layout([
      .init(.prediction, box: Box(x: .nan, y: 0, width: 5, height: 5), name: "a"),
      .init(.prediction, box: Box(x: 200, y: 0, width: 5, height: 5), name: "b"),
      .init(.prediction, box: Box(x: 10, y: 10, width: -5, height: 5), name: "c"),
      .init(.prediction, box: Box(x: -1e300, y: 5, width: 2e300, height: 5), name: "d"),
      .init(.prediction, box: Box(x: 10, y: 10, width: .infinity, height: 5), name: "e"),
    ])
    #expect(layout.plates.map(\.text) == ["d"])
    #expect(
      layout.outlines.flatMap(\.shape.rings).joined().allSatisfy {
        $0.x >= -99 && $0.x <= 195 && $0.y >= -99 && $0.y <= 179
      })
  }

  @Test("The SVG has the same lines and plates, and its names are text")
  func svg() {
    let overlay = BoxOverlay(
      size: Self.size,
      objects: [
        .init(
          .prediction, box: Box(x: 10, y: 20, width: 30, height: 40), name: "a<b", score: 0.5)
      ])
    let svg = overlay.svg(width: 96, height: 80)
    #expect(svg.hasPrefix("<g class=\"overlay\">"))
    #expect(svg.contains("stroke=\"#d55e00\" stroke-width=\"2\""))
    // Half pixels: (20, 40), 60 to the right, 80 down.
    #expect(svg.contains("d=\"M20 40h60v80h-60z\""))
    #expect(svg.contains(">a&lt;b 0.50</text>"))
  }
}
