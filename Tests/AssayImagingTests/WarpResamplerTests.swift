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
    var cases: [Case]
  }

  @Test("The bytes are those of OpenCV's warpPerspective with MediaPipe's matrix")
  func goldens() throws {
    let data = try Data(contentsOf: PackageFolder.fixture("resize/warp.json"))
    let cases = try JSONDecoder().decode(Goldens.self, from: data).cases
    #expect(cases.count == 38)
    for golden in cases {
      var source = Raster<UInt8>(
        repeating: 0, width: golden.source[0], height: golden.source[1], channels: golden.channels)
      for y in 0..<source.height {
        for x in 0..<source.width {
          for c in 0..<source.channels {
            source[x, y, c] = UInt8((7 * x + 13 * y + 50 * c + x * y) & 255)
          }
        }
      }
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
