import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayImaging

@Suite("Resizing from corner to corner as MediaPipe does")
struct WarpResamplerTests {
  private struct Goldens: Decodable {
    struct Case: Decodable {
      var source: [Int]
      var target: [Int]
      var channels: Int
      var letterbox: Bool
      var fill: UInt8
      var pixels: [UInt8]
    }
    struct Turn: Decodable {
      var source: [Int]
      var region: [Float]
      var target: [Int]
      var nearest: Bool
      var pixels: [UInt8]
    }
    var cases: [Case]
    var turns: [Turn]
  }

  /// The image that `make_warp.py` draws.
  private static func drawn(_ width: Int, _ height: Int, _ channels: Int) -> Raster<UInt8> {
    var source = Raster<UInt8>(repeating: 0, width: width, height: height, channels: channels)
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<channels {
          source[x, y, c] = UInt8((7 * x + 13 * y + 50 * c + x * y) & 255)
        }
      }
    }
    return source
  }

  @Test("So are those of a rotated part, with zeros or the nearest pixels around the image")
  func turns() throws {
    let data = try Data(contentsOf: PackageFolder.fixture("resize/warp.json"))
    let turns = try JSONDecoder().decode(Goldens.self, from: data).turns
    #expect(turns.count == 12)
    for golden in turns {
      let source = Self.drawn(golden.source[0], golden.source[1], 3)
      let numbers = golden.region
      let region = WarpRegion(
        x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3], rotation: numbers[4])
      let made = WarpResampler(
        from: source.size, region: region,
        to: ImageSize(width: golden.target[0], height: golden.target[1]),
        border: golden.nearest ? .nearest : .value(0)
      ).resample(source)
      #expect(made.elements == golden.pixels, "\(golden.region) \(golden.nearest)")
    }
  }

  @Test("Fractions of a rotated region are places in the image")
  func regionPoints() {
    let region = WarpRegion(x: 100, y: 50, width: 40, height: 20, rotation: .pi / 2)
    // Turned clockwise by a quarter, its top left corner is at the top right.
    for (given, wanted) in [((0.5, 0.5), (100.0, 50.0)), ((0, 0), (110, 30)), ((1, 1), (90, 70))] {
      let place = region.point(x: given.0, y: given.1)
      #expect(abs(place.x - wanted.0) < 1e-5 && abs(place.y - wanted.1) < 1e-5, "\(place)")
    }
  }

  @Test("The bytes are those of OpenCV's warpPerspective with MediaPipe's matrix")
  func goldens() throws {
    let data = try Data(contentsOf: PackageFolder.fixture("resize/warp.json"))
    let cases = try JSONDecoder().decode(Goldens.self, from: data).cases
    #expect(cases.count == 38)
    for golden in cases {
      let source = Self.drawn(golden.source[0], golden.source[1], golden.channels)
      let rule: ResizeRule =
        golden.letterbox
        ? .letterbox(fill: golden.fill, anchor: .center, rounding: .none) : .stretch
      let plan = ResizePlan(
        rule, from: source.size,
        to: ImageSize(width: golden.target[0], height: golden.target[1]))
      let made = plan.apply(to: source, filter: .warp)
      let wrong = zip(made.elements, golden.pixels).count { $0 != $1 }
      #expect(wrong == 0, "\(golden.source) to \(golden.target), \(golden.letterbox): \(wrong)")
      #expect(made.elements.count == golden.pixels.count)
      guard !golden.letterbox, plan.target.width > 3, plan.target.height > 3 else { continue }
      let window = PixelRect(
        x: 1, y: 2, width: plan.target.width - 2, height: plan.target.height - 3)
      let part = ResizeFilter.warp.apply(to: source, size: plan.target, window: window)
      #expect(part == Crop.apply(made, to: window))
    }
  }

  @Test("Points are mapped with the exact position, which need not be whole")
  func points() {
    let rule = ResizeRule.letterbox(fill: 0, anchor: .center, rounding: .none)
    #expect(rule.isBetweenPixels)
    let plan = ResizePlan(
      rule, from: ImageSize(width: 427, height: 640), to: ImageSize(width: 128, height: 128))
    #expect(plan.position.width == 427 * 0.2 && plan.position.height == 128)
    let point = plan.targetPoint(x: 0, y: 640)
    #expect(abs(point.x - 21.3) < 1e-12 && point.y == 128)
    let back = plan.sourcePoint(x: 64, y: 64)
    #expect(abs(back.x - 213.5) < 1e-12 && back.y == 320)
  }

  @Test("Only a stretch and a letterbox without rounding allow the filter")
  func allowed() {
    let exact = ResizeRule.letterbox(fill: 0, anchor: .center, rounding: .none)
    for filter in ResizeFilter.allCases {
      #expect(ResizeRule.stretch.allows(filter))
      #expect(exact.allows(filter) == (filter == .warp))
      for rule in [
        ResizeRule.centerCrop, .shorterCrop(shorter: 9), .edges(shorter: 9, longer: 9),
        .letterbox(fill: 0, anchor: .center),
      ] {
        #expect(rule.allows(filter) == (filter != .warp))
      }
    }
  }
}
