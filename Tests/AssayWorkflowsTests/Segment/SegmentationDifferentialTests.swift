import AssayCore
import AssayMetrics
import AssayStore
import Testing

import AssayWorkflows

@Suite struct SegmentationDifferentialTests {
  /// Ground truth and prediction of each pixel, one loop over pixels, no masks.
  private func confusion(
    truth: [[Int]], void: [[Bool]], predicted: [[Int]], labels: Int
  ) -> [[Int]] {
    var rows = Array(repeating: Array(repeating: 0, count: labels), count: labels)
    for index in truth.indices {
      for pixel in truth[index].indices where !void[index][pixel] {
        rows[truth[index][pixel]][predicted[index][pixel]] += 1
      }
    }
    return rows
  }

  @Test("Several classes with overlaps and void count as a loop over pixels does")
  func severalClasses() throws {
    let size = ImageSize(width: 11, height: 7)
    var random = SplitMix64(seed: 12)
    let world = try SegmentCatalog()
    let classes = ["a", "b", "c"]
    var truth: [[Int]] = []
    var void: [[Bool]] = []
    var predicted: [[Int]] = []
    var pictures: [[SegmentCatalog.Region]] = []
    var maps: [[[UInt8]]?] = []
    for _ in 0..<25 {
      var labels = Array(repeating: 0, count: size.area)
      var left = Array(repeating: false, count: size.area)
      var regions: [SegmentCatalog.Region] = []
      for _ in 0..<5 {
        let category = Int(random.next() % 4)
        let set = (0..<size.area).map { _ in random.next() % 4 == 0 }
        for pixel in set.indices where set[pixel] {
          if category == 3 { left[pixel] = true } else { labels[pixel] = category + 1 }
        }
        let rows = (0..<size.height).map { y in
          String((0..<size.width).map { set[y * size.width + $0] ? "#" : "." })
        }
        regions.append(.init(category: category, rows: rows))
      }
      let layers = (0..<4).map { _ in
        (0..<size.area).map { _ in UInt8(truncatingIfNeeded: random.next() % 8) }
      }
      predicted.append(
        (0..<size.area).map { pixel in
          var best = 0
          for layer in 1..<4 where layers[layer][pixel] > layers[best][pixel] { best = layer }
          return best
        })
      truth.append(labels)
      void.append(left)
      pictures.append(regions)
      maps.append(layers)
    }
    try world.importPictures(
      pictures, size: size,
      classes: classes.map { Category(name: $0) } + [Category(name: "void", isVoid: true)])
    try world.run(
      "r", classes: ["background"] + classes, threshold: nil, background: 0, input: size, maps)
    let evaluation = try Evaluator<SemanticSegmentation>(catalog: world.catalog)
      .evaluate("r", EvaluationSettings()).evaluation
    let scores = try #require(evaluation.segmentation).scores
    let expected = confusion(truth: truth, void: void, predicted: predicted, labels: 4)
    #expect(scores.confusion.rows == expected)
    #expect(scores.void == void.joined().count { $0 })
    for label in 1..<4 {
      let hits = expected[label][label]
      let union = expected[label].reduce(0, +) + expected.map { $0[label] }.reduce(0, +) - hits
      #expect(scores.perClass(.classIoU)[label].value == Double(hits) / Double(union))
    }
  }
}
