import AssayCore
import Testing

import AssayMetrics

@Suite("What another truth does to a run's scores")
struct TruthEffectTests {
  private func tally(_ truths: [Int], _ predicted: [Int]) throws -> ClassificationTally {
    var tally = try ClassificationTally(classCount: 2)
    try tally.add(
      truths: truths,
      scores: predicted.flatMap { $0 == 0 ? [0.75, 0.25] : [0.25, 0.75] as [Double] })
    return tally
  }

  @Test("Accuracy by both truths, over the same predictions")
  func accuracy() throws {
    // Correct with the first ground truth: indices 0, 2; with the second: 0, 1, 2.
    let predicted = [0, 1, 1, 0]
    let effect = try TruthEffect(
      first: tally([0, 0, 1, 1], predicted), second: tally([0, 1, 1, 1], predicted),
      ScoringSettings(intervals: nil))
    #expect(effect.count == 4)
    #expect(effect[.accuracy] == Difference(first: 0.5, second: 0.75))
    #expect(effect[.kappa] == nil)
  }

  @Test("From 50 samples on the interval is drawn, and holds the difference")
  func interval() throws {
    // Of 100 samples 20 become correct.
    let predicted = Array(repeating: 0, count: 100)
    let first = (0..<100).map { $0 < 60 ? 0 : 1 }
    let second = (0..<100).map { $0 < 80 ? 0 : 1 }
    let effect = try TruthEffect(
      first: tally(first, predicted), second: tally(second, predicted), ScoringSettings())
    let interval = try #require(effect[.accuracy]?.interval)
    #expect(interval.contains(0.2) && !interval.contains(0))
    // The half-width for a mean of 100 zeros and ones, 20 of them ones:
    // 1.96 · √(0.2 · 0.8 / 100) = 0.078.
    #expect(abs(interval.low - 0.122) < 0.02 && abs(interval.high - 0.278) < 0.02)
    let few = try TruthEffect(
      first: tally(Array(first.prefix(10)), Array(predicted.prefix(10))),
      second: tally([0, 0, 0, 0, 0, 0, 0, 0, 0, 1], Array(predicted.prefix(10))),
      ScoringSettings())
    #expect(few[.accuracy]?.interval?.method == .student)
  }

  @Test("Masks may have other pixels in the two truths, which a comparison of runs refuses")
  func masks() throws {
    let first = try RandomSegmentation.tally(60, labels: 3, seed: 4)
    let second = try RandomSegmentation.tally(60, labels: 3, seed: 5)
    let effect = try TruthEffect(
      first: first, second: second, empty: .undefined,
      ScoringSettings(intervals: Bootstrap(draws: 40)))
    let scores = try [first, second].map {
      try SegmentationScores($0, empty: .undefined, ScoringSettings(intervals: nil))
    }
    #expect(effect[.miou]?.first == scores[0][.miou].value)
    #expect(effect[.miou]?.second == scores[1][.miou].value)
    #expect(effect[.miou]?.interval?.contains(effect[.miou]?.value ?? 9) == true)
    #expect(effect[.mdice]?.value != nil)
  }

  @Test("One truth twice has no effect")
  func same() throws {
    let tally = try RandomSegmentation.tally(60, labels: 2, seed: 4)
    let effect = try TruthEffect(first: tally, second: tally, empty: .undefined, ScoringSettings())
    #expect(effect[.miou]?.value == 0 && effect[.miou]?.interval == nil)
  }

  @Test("Tallies of other samples or classes are refused")
  func refused() throws {
    #expect(throws: MetricError.sampleMismatch(2, 1)) {
      try TruthEffect(
        first: tally([0, 1], [0, 1]), second: tally([0], [0]), ScoringSettings(intervals: nil))
    }
    let (two, three) = try (
      RandomSegmentation.tally(3, labels: 2, seed: 1),
      RandomSegmentation.tally(3, labels: 3, seed: 1)
    )
    #expect(throws: MetricError.labelMismatch) {
      try TruthEffect(
        first: two, second: three, empty: .undefined, ScoringSettings(intervals: nil))
    }
  }
}
