import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayMetrics

@Suite("Weighted box fusion")
struct WeightedBoxFusionTests {
  private struct File: Decodable {
    struct Case: Decodable {
      var width: Int
      var height: Int
      var weights: [Double]
      var iou: Double
      var least: Double
      var score: String
      /// Per detector and box: class, score, x, y, width, height.
      var lists: [[[Double]]]
      var expected: [[Double]]
    }

    var cases: [Case]
  }

  private static func item(_ row: [Double]) -> WeightedBoxFusion.Item {
    WeightedBoxFusion.Item(
      class: Int(row[0]), score: row[1],
      box: Box(x: row[2], y: row[3], width: row[4], height: row[5]))
  }

  @Test("120 seeded images equal ensemble-boxes within 1e-4 pixels and 1e-6 of the score")
  func golden() throws {
    let url = PackageFolder.fixture("ensembles/wbf.json")
    let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: url))
    #expect(file.cases.count == 120)
    var boxes = 0
    for (number, golden) in file.cases.enumerated() {
      let fusion = WeightedBoxFusion(
        weights: golden.weights, iou: golden.iou, leastScore: golden.least,
        score: try #require(WeightedBoxFusion.Score(rawValue: golden.score)))
      let fused = fusion.fused(
        golden.lists.map { $0.map(Self.item) },
        within: ImageSize(width: golden.width, height: golden.height))
      try #require(fused.count == golden.expected.count, "case \(number)")
      boxes += fused.count
      // Equal scores have no defined order there.
      func key(_ item: WeightedBoxFusion.Item) -> (Int, Int, Double) {
        (Int((item.score * 1e5).rounded()), item.class, item.box.x)
      }
      let expected = golden.expected.map(Self.item).sorted { key($0) < key($1) }
      for (found, wanted) in zip(fused.sorted { key($0) < key($1) }, expected) {
        #expect(found.class == wanted.class, "case \(number)")
        #expect(abs(found.score - wanted.score) < 1e-6, "case \(number)")
        for side in [\Box.x, \.y, \.width, \.height] {
          #expect(
            abs(found.box[keyPath: side] - wanted.box[keyPath: side]) < 1e-4, "case \(number)")
        }
      }
    }
    #expect(boxes > 500)
  }

  @Test(
    "One detector keeps separate boxes as they are; a box of one of two detectors gets half its score"
  )
  func alone() {
    let size = ImageSize(width: 100, height: 100)
    let items = [
      WeightedBoxFusion.Item(class: 0, score: 0.9, box: Box(x: 0, y: 0, width: 10, height: 10)),
      WeightedBoxFusion.Item(class: 1, score: 0.8, box: Box(x: 0, y: 0, width: 10, height: 10)),
    ]
    #expect(WeightedBoxFusion(weights: [1]).fused([items], within: size) == items)
    let both = WeightedBoxFusion(weights: [1, 1]).fused([items, []], within: size)
    #expect(both.map(\.score) == [0.45, 0.4])
    #expect(WeightedBoxFusion(weights: [1, 1]).fused([[], []], within: size).isEmpty)
  }
}
