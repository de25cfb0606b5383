import AssayCore
import Testing

import AssayMetrics

@Suite("Comparing two segmentation runs")
struct SegmentationComparisonTests {
  /// Two runs with the same ground truth: the second moves a few pixels of each sample to the
  /// diagonal.
  private func runs(_ count: Int, labels: Int) throws -> (SegmentationTally, SegmentationTally) {
    var random = SplitMix64(seed: 40)
    var first = SegmentationTally(labels: try RandomSegmentation.labels(labels))
    var second = first
    for _ in 0..<count {
      var sample = RandomSegmentation.sample(labels, &random)
      try first.add(sample)
      for truth in 0..<labels {
        for predicted in 0..<labels where predicted != truth {
          let moved = sample.confusion[truth * labels + predicted] / 4
          sample.confusion[truth * labels + predicted] -= moved
          sample.confusion[truth * labels + truth] += moved
        }
      }
      try second.add(sample)
    }
    return (first, second)
  }

  @Test("A run beside itself differs in nothing")
  func same() throws {
    let tally = try RandomSegmentation.tally(70, labels: 4, seed: 41)
    let comparison = try SegmentationComparison(first: tally, second: tally)
    for kind in SegmentationScores.kinds(for: tally.labels) {
      #expect(comparison[kind]?.value == 0 && comparison[kind]?.interval == nil, "\(kind)")
    }
    #expect(comparison.lost.isEmpty && comparison.won.isEmpty)
    #expect(comparison.sampleDifferences.allSatisfy { $0 == 0 })
  }

  @Test("Every score of both runs is there, and the clear difference is seen")
  func better() throws {
    let (first, second) = try runs(90, labels: 3)
    let settings = ScoringSettings(intervals: Bootstrap(draws: 200), workers: 2)
    let comparison = try SegmentationComparison(first: first, second: second, settings)
    let (a, b) = (
      try SegmentationScores(first, SegmentationPropertiesTests.plain),
      try SegmentationScores(second, SegmentationPropertiesTests.plain)
    )
    for kind in SegmentationScores.kinds(for: first.labels) {
      let difference = try #require(comparison[kind])
      #expect(difference.first == a[kind].value && difference.second == b[kind].value)
      // Bands are the same in both.
      if kind == .boundaryIoU { continue }
      #expect(difference.isClear == true, "\(kind)")
      #expect(try #require(difference.interval).contains(try #require(difference.value)))
    }
    for kind in SegmentationComparison.classKinds where kind != .classBoundaryIoU {
      #expect(comparison.perClass(kind).allSatisfy { $0.interval != nil }, "\(kind)")
    }
    #expect(comparison.won.count > 60 && comparison.lost.isEmpty)
  }

  @Test("The paired interval is narrower than either run's own")
  func pairing() throws {
    let (first, second) = try runs(90, labels: 3)
    let settings = ScoringSettings(intervals: Bootstrap(draws: 200))
    let paired = try #require(
      SegmentationComparison(first: first, second: second, settings)[.miou]?.interval)
    let own = try #require(SegmentationScores(first, settings)[.miou].interval)
    #expect(paired.high - paired.low < (own.high - own.low) / 2)
  }

  @Test("Few samples get Student's t on the differences, where both are defined in the same")
  func few() throws {
    let labels = SegmentationLabels(foreground: "a")
    func tally(_ rows: [[Int]]) throws -> SegmentationTally {
      var tally = SegmentationTally(labels: labels)
      for row in rows { try tally.add(SegmentedSample(confusion: row)) }
      return tally
    }
    let first = try tally([[4, 0, 2, 2], [4, 0, 3, 1], [4, 0, 4, 0]])
    let second = try tally([[4, 0, 1, 3], [4, 0, 1, 3], [4, 0, 4, 0]])
    let comparison = try SegmentationComparison(first: first, second: second)
    // IoU 2/4, 1/4, 0 and 3/4, 3/4, 0: differences 1/4, 1/2, 0.
    #expect(comparison.sampleDifferences == [0.25, 0.5, 0])
    #expect(comparison[.meanIoU]?.value == 0.25)
    #expect(comparison[.meanIoU]?.interval?.method == .student)
    #expect(comparison[.iou]?.interval == nil)
    // Precision of the third sample is undefined in both, of the second here only in one.
    let other = try tally([[4, 0, 1, 3], [4, 0, 4, 0], [4, 0, 4, 0]])
    let uneven = try SegmentationComparison(first: first, second: other)
    #expect(uneven[.meanPrecision]?.value == 0 && uneven[.meanPrecision]?.interval == nil)
  }

  @Test("Other labels, samples and truths are errors; other pixels are named")
  func errors() throws {
    let tally = try RandomSegmentation.tally(4, labels: 3, seed: 42)
    #expect(throws: MetricError.labelMismatch) {
      try SegmentationComparison(
        first: tally, second: RandomSegmentation.tally(4, labels: 4, seed: 42))
    }
    #expect(throws: MetricError.sampleMismatch(4, 3)) {
      try SegmentationComparison(first: tally, second: tally.selecting([0, 1, 2]))
    }
    var first = SegmentationTally(labels: SegmentationLabels(foreground: "a"))
    var (second, third) = (first, first)
    try first.add(SegmentedSample(confusion: [4, 0, 0, 4]))
    try second.add(SegmentedSample(confusion: [3, 0, 0, 5]))
    try third.add(SegmentedSample(confusion: [3, 0, 0, 4], void: 1))
    #expect(throws: MetricError.truthMismatch(sample: 0)) {
      try SegmentationComparison(first: first, second: second)
    }
    #expect(try SegmentationComparison(first: first, second: third).differentPixels == [0])
  }
}
