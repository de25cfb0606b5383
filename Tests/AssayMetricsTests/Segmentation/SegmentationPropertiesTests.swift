import AssayCore
import Testing

@testable import AssayMetrics

@Suite("What holds for every segmentation score")
struct SegmentationPropertiesTests {
  /// Two, six and a background with four classes.
  static let shapes: [(labels: Int, background: Bool)] = [(2, true), (6, false), (5, true)]
  static let plain = ScoringSettings(intervals: nil)

  private func values(_ scores: SegmentationScores) -> [String: Double?] {
    var values: [String: Double?] = [:]
    for kind in SegmentationScores.kinds(for: scores.labels) {
      values[kind.rawValue] = scores[kind].value
    }
    for kind in SegmentationScores.classKinds where kind != .support {
      for (label, score) in scores.perClass(kind).enumerated() {
        values["\(kind.rawValue) \(label)"] = score.value
      }
    }
    return values
  }

  /// The metric for one of the keys of ``values(_:)``.
  private func kind(_ key: String) throws -> MetricKind {
    try #require(MetricKind(rawValue: String(key.prefix { $0 != " " })))
  }

  @Test("Identical masks have the best value wherever anything is defined", arguments: shapes)
  func identical(_ labels: Int, _ background: Bool) throws {
    var random = SplitMix64(seed: 3)
    let map = try #require(
      Raster(
        width: 20, height: 12,
        elements: (0..<240).map { _ in UInt8(random.nextIndex(below: labels)) }))
    let list = try RandomSegmentation.labels(labels, background: background)
    var tally = SegmentationTally(labels: list)
    try tally.add(SegmentedSample(truth: map, predicted: map, labels: list))
    let scores = try SegmentationScores(tally, Self.plain)
    for (key, value) in values(scores) {
      let isBackground = background && key.hasSuffix(" 0")
      let best: Double = try kind(key).isBetterHigher == false ? 0 : 1
      #expect(value == (isBackground ? nil : best), "\(key)")
    }
  }

  @Test("All scores lie in their range", arguments: shapes, EmptyRule.allCases)
  func range(_ shape: (labels: Int, background: Bool), _ empty: EmptyRule) throws {
    for seed in 0..<20 {
      let tally = try RandomSegmentation.tally(
        7, labels: shape.labels, background: shape.background, seed: UInt64(seed))
      for (key, value) in values(try SegmentationScores(tally, empty: empty, Self.plain)) {
        #expect(try kind(key).facts.range.contains(value ?? 0), "\(key)")
      }
    }
  }

  @Test("The order of samples does not matter", arguments: shapes)
  func order(_ labels: Int, _ background: Bool) throws {
    let tally = try RandomSegmentation.tally(
      60, labels: labels, background: background, seed: 4)
    let turned = tally.selecting((0..<60).reversed())
    let (a, b) = (
      values(try SegmentationScores(tally, Self.plain)),
      values(try SegmentationScores(turned, Self.plain))
    )
    for (key, value) in a { #expect(Goldens.agree(value, b[key] ?? nil, 1e-14), "\(key)") }
  }

  @Test("Merging parts is adding their samples", arguments: shapes)
  func merge(_ labels: Int, _ background: Bool) throws {
    let whole = try RandomSegmentation.tally(
      31, labels: labels, background: background, seed: 5)
    for split in [0, 1, 17, 31] {
      var merged = whole.selecting(Array(0..<split))
      try merged.merge(whole.selecting(Array(split..<31)))
      #expect(merged == whole)
    }
    #expect(try SegmentationScores(whole, Self.plain).count == 31)
  }

  @Test(
    "What was added comes back, and pooled scores are those of summed matrices", arguments: shapes)
  func counts(_ labels: Int, _ background: Bool) throws {
    var random = SplitMix64(seed: 6)
    let samples = (0..<9).map { _ in RandomSegmentation.sample(labels, &random) }
    var tally = SegmentationTally(
      labels: try RandomSegmentation.labels(labels, background: background))
    for sample in samples { try tally.add(sample) }
    var sum = SegmentedSample(
      confusion: Array(repeating: 0, count: labels * labels),
      boundary: Array(repeating: 0, count: 2 * labels))
    for (index, sample) in samples.enumerated() {
      #expect(tally[index] == sample)
      sum.confusion = zip(sum.confusion, sample.confusion).map { $0 + $1 }
      sum.boundary = zip(sum.boundary, sample.boundary).map { $0 + $1 }
    }
    var one = SegmentationTally(labels: tally.labels)
    try one.add(sum)
    let (many, pooled) = (
      try SegmentationScores(tally, Self.plain), try SegmentationScores(one, Self.plain)
    )
    #expect(many.confusion == pooled.confusion)
    for kind in [MetricKind.iou, .dice, .boundaryIoU, .pixelAccuracy, .miou, .mdice] {
      #expect(many[kind] == pooled[kind])
    }
    for kind in SegmentationScores.classKinds {
      #expect(many.perClass(kind) == pooled.perClass(kind))
    }
  }

  @Test("Of one class Dice is 2·IoU / (1 + IoU)")
  func diceOfIoU() throws {
    let scores = try SegmentationScores(
      RandomSegmentation.tally(40, labels: 2, background: true, seed: 7), Self.plain)
    let (iou, dice) = (try #require(scores[.iou].value), try #require(scores[.dice].value))
    #expect(Goldens.agree(dice, 2 * iou / (1 + iou), 1e-15))
    for sample in scores.samples {
      guard let iou = sample.iou else { continue }
      #expect(Goldens.agree(sample.dice, 2 * iou / (1 + iou), 1e-15))
    }
  }

  @Test("No sample has no score", arguments: shapes, EmptyRule.allCases)
  func empty(_ shape: (labels: Int, background: Bool), _ empty: EmptyRule) throws {
    let tally = SegmentationTally(
      labels: try RandomSegmentation.labels(shape.labels, background: shape.background))
    let scores = try SegmentationScores(tally, empty: empty)
    for (key, value) in values(scores) { #expect(value == nil, "\(key)") }
    #expect(scores.count == 0 && scores.confusion.total == 0)
  }

  @Test("Means say how many they are of")
  func definedCounts() throws {
    // Ground truth and prediction of 4 pixels: both empty; a hit; a miss; a false positive.
    let labels = SegmentationLabels(foreground: "person")
    var tally = SegmentationTally(labels: labels)
    for confusion in [[4, 0, 0, 0], [2, 0, 0, 2], [2, 0, 2, 0], [2, 2, 0, 0]] {
      try tally.add(SegmentedSample(confusion: confusion))
    }
    let scores = try SegmentationScores(tally, Self.plain)
    // (1 + 0 + 0) / 3, without the empty pair; pooled 2 / (2 + 2 + 2).
    #expect(scores[.meanIoU] == Score(1.0 / 3, defined: 3, total: 4))
    #expect(scores[.iou] == Score(1.0 / 3))
    // Precision is undefined if nothing was predicted, recall if there is nothing.
    #expect(scores[.meanPrecision] == Score(0.5, defined: 2, total: 4))
    #expect(scores[.meanRecall] == Score(0.5, defined: 2, total: 4))
    #expect(scores.perSample(.meanIoU) == [nil, 1, 0, 0])
    // (4 + 4 + 2 + 2) / 16.
    #expect(scores[.pixelAccuracy].value == 0.75)
    #expect(scores[.boundaryIoU].value == nil, "no bands were counted")
    let one = try SegmentationScores(tally, empty: .one, Self.plain)
    // (1 + 1 + 0 + 0) / 4; precision of the empty pair is 1, of the miss undefined: (1 + 1 + 0) / 3.
    #expect(one[.meanIoU] == Score(0.5, defined: 4, total: 4))
    #expect(one[.meanPrecision] == Score(2.0 / 3, defined: 3, total: 4))
    #expect(try SegmentationScores(tally, empty: .zero, Self.plain)[.meanIoU].value == 0.25)
  }

  @Test("A measure has no mean where a sample lacks it that has the class on both sides")
  func lackingMeasures() throws {
    func score(_ values: [Double?]) throws -> Score {
      var tally = SegmentationTally(labels: SegmentationLabels(foreground: "person"))
      // Ground truth and prediction contain the class in the first two; the third is a miss.
      for (confusion, value) in zip([[2, 1, 1, 2], [2, 0, 0, 2], [2, 0, 2, 0]], values) {
        try tally.add(
          SegmentedSample(
            confusion: confusion, measures: value.map { [.hausdorff95: $0] } ?? [:]))
      }
      return try SegmentationScores(tally, Self.plain)[.meanHausdorff95]
    }
    #expect(try score([3, 1, nil]) == Score(2, defined: 2, total: 3))
    #expect(try score([3, nil, nil]) == .undefined)
    for value in [Double.nan, -1, .infinity] {
      #expect(throws: MetricError.self) { try score([value, 1, nil]) }
    }
  }

  @Test("Binary scores have no means over classes, and the other way round")
  func kinds() throws {
    let binary = SegmentationScores.kinds(for: SegmentationLabels(foreground: "a"))
    let several = SegmentationScores.kinds(for: try RandomSegmentation.labels(3))
    #expect(binary.contains(.meanIoU) && !binary.contains(.miou))
    #expect(several.contains(.miou) && several.contains(.sampleMIoU) && !several.contains(.meanIoU))
    let scores = try SegmentationScores(
      RandomSegmentation.tally(5, labels: 3, seed: 1), Self.plain)
    #expect(scores[.meanIoU].value == nil && scores[.meanDice].value == nil)
  }
}
