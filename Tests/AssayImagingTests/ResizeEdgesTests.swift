import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayImaging

@Suite("Inputs whose size differs from image to image")
struct ResizeEdgesTests {
  /// A case of `resize/make_edges.py`.
  struct Golden: Decodable {
    var source: [Int]
    var shorter: Int?
    var longer: Int
    var multiple: Int
    var size: [Int]?
    var canvas: [Int]?
    var placed: [Int]?
  }

  @Test("Sizes as transformers, Segment Anything and Ultralytics compute them")
  func sizes() throws {
    let data = try Data(contentsOf: PackageFolder.fixture("resize/edges.json"))
    let goldens = try JSONDecoder().decode([Golden].self, from: data)
    #expect(goldens.count == 1_241 && goldens.count { $0.canvas != nil } == 159)
    for golden in goldens {
      let source = ImageSize(width: golden.source[0], height: golden.source[1])
      let limit = ImageSize(width: golden.longer, height: golden.longer)
      if let canvas = golden.canvas, let placed = golden.placed {
        let rule = ResizeRule.letterbox(
          fill: 114, anchor: .center, rounding: .nearest, multiple: golden.multiple)
        let plan = ResizePlan(rule, from: source, to: limit)
        #expect([plan.target.width, plan.target.height] == canvas, "\(golden)")
        #expect(
          plan.placement
            == PixelRect(x: placed[0], y: placed[1], width: placed[2], height: placed[3]),
          "\(golden)")
      } else {
        let rule = ResizeRule.edges(
          shorter: golden.shorter, longer: golden.longer, multiple: golden.multiple)
        let plan = ResizePlan(rule, from: source, to: limit)
        #expect([plan.target.width, plan.target.height] == golden.size, "\(golden)")
        #expect(plan.placement == PixelRect(plan.target))
      }
    }
  }

  @Test("Very long and very small images have at least one cell")
  func extremes() {
    let limit = ImageSize(width: 64, height: 64)
    let long = ResizePlan(
      .edges(shorter: 32, longer: 64, multiple: 16), from: ImageSize(width: 5_000, height: 1),
      to: limit)
    #expect(long.target == ImageSize(width: 64, height: 16))
    let small = ResizePlan(
      .edges(shorter: nil, longer: 64), from: ImageSize(width: 1, height: 1), to: limit)
    #expect(small.target == limit)
    let boxed = ResizePlan(
      .letterbox(fill: 0, anchor: .topLeft, multiple: 32), from: ImageSize(width: 5_000, height: 1),
      to: limit)
    #expect(boxed.target == ImageSize(width: 64, height: 32))
    #expect(!ResizeRule.edges(shorter: 1, longer: 2).hasFixedTarget)
    #expect(ResizeRule.letterbox(fill: 0, anchor: .center).hasFixedTarget)
  }
}
