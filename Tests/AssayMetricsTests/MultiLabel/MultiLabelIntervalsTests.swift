import AssayCore
import Testing

@testable import AssayMetrics

@Suite struct MultiLabelIntervalsTests {
  private static let exactKinds: [MetricKind] =
    MacroJackknife.kinds(of: .multiLabel) + [
      .macroAUROC, .meanAveragePrecision, .hammingLoss, .sampleF1, .rankingLoss,
      .labelRankingAveragePrecision,
    ]

  private func without(_ index: Int, _ tally: MultiLabelTally) throws -> MultiLabelScores {
    try RandomLabels.plain(tally.selecting((0..<tally.count).filter { $0 != index }))
  }

  @Test("Means have the interval of the scores with each sample left out")
  func brute() throws {
    let tally = try RandomLabels.make(count: 160, classes: 4, seed: 21, step: 1 / 32)
    let scores = try MultiLabelScores(
      tally, LabelThresholds(classCount: 4), ScoringSettings(intervals: Bootstrap(draws: 16)))
    let others = try (0..<tally.count).map { try without($0, tally) }
    func expected(_ kind: MetricKind) throws -> Interval {
      let value = try #require(scores[kind].value)
      return try #require(
        JackknifeInterval.of(
          value, leavingOut: others.map { $0[kind].value ?? .nan }, isDifference: false))
    }
    for kind in Self.exactKinds {
      let (interval, expected) = (
        try #require(scores[kind].interval, "\(kind)"), try expected(kind)
      )
      #expect(abs(interval.low - expected.low) < 1e-9, "\(kind)")
      #expect(abs(interval.high - expected.high) < 1e-9, "\(kind)")
      #expect(interval.method == .jackknife)
    }
    // To first order: within 3 % of its width.
    let kind = MetricKind.microAveragePrecision
    let (interval, exact) = (try #require(scores[kind].interval), try expected(kind))
    let width = exact.high - exact.low
    #expect(abs(interval.low - exact.low) < 0.03 * width)
    #expect(abs(interval.high - exact.high) < 0.03 * width)
  }

  @Test("Differences have the interval of the differences with each sample left out")
  func differences() throws {
    let first = try RandomLabels.make(count: 160, classes: 4, seed: 22, step: 1 / 32)
    let second = try RandomLabels.make(
      count: 160, classes: 4, seed: 22, scoreSeed: 5, step: 1 / 32)
    let comparison = try MultiLabelComparison(
      first: first, second: second, LabelThresholds(classCount: 4),
      ScoringSettings(intervals: Bootstrap(draws: 16)))
    let pairs = try (0..<first.count).map { (try without($0, first), try without($0, second)) }
    for kind in Self.exactKinds + [.subsetAccuracy] {
      let difference = try #require(comparison[kind])
      let value = try #require(difference.value)
      let expected = try #require(
        JackknifeInterval.of(
          value,
          leavingOut: pairs.map { ($0.1[kind].value ?? .nan) - ($0.0[kind].value ?? .nan) },
          isDifference: true))
      let interval = try #require(difference.interval, "\(kind)")
      #expect(abs(interval.low - expected.low) < 1e-9, "\(kind)")
      #expect(abs(interval.high - expected.high) < 1e-9, "\(kind)")
    }
    #expect(comparison[.microAveragePrecision]?.interval != nil)
  }

  @Test("Rates have Wilson’s interval, F1 of a class the bootstrap of its four counts")
  func methods() throws {
    let tally = try RandomLabels.make(count: 120, classes: 3, seed: 31)
    let scores = try MultiLabelScores(
      tally, LabelThresholds(classCount: 3), ScoringSettings(intervals: Bootstrap(draws: 64)))
    #expect(scores[.subsetAccuracy].interval?.method == .wilson)
    for kind in [MetricKind.precision, .recall] {
      #expect(scores.perClass(kind).allSatisfy { $0.interval?.method == .wilson })
    }
    for kind in [MetricKind.f1, .jaccard] {
      for score in scores.perClass(kind) {
        let (value, interval) = (try #require(score.value), try #require(score.interval))
        #expect(interval.method == .bootstrap && interval.contains(value))
      }
    }
    #expect(scores.perClass(.bestF1).allSatisfy { $0.interval == nil && $0.missing == nil })
  }

  @Test("Below 50 samples means over samples have Student’s t, pooled scores none")
  func few() throws {
    let tally = try RandomLabels.make(count: 30, classes: 6, seed: 41)
    let scores = try MultiLabelScores(tally, LabelThresholds(classCount: 6))
    for kind in [MetricKind.hammingLoss, .sampleF1, .rankingLoss, .labelRankingAveragePrecision] {
      let interval = try #require(scores[kind].interval, "\(kind)")
      #expect(interval.method == .student && interval.low >= 0 && interval.high <= 1)
    }
    for kind in [MetricKind.microF1, .macroF1, .macroAUROC, .microAveragePrecision] {
      #expect(scores[kind].interval == nil && scores[kind].missing == .samples(30), "\(kind)")
    }
    for kind in [MetricKind.f1, .jaccard, .auroc, .averagePrecision] {
      #expect(scores.perClass(kind).allSatisfy { $0.interval == nil && $0.missing == .samples(30) })
    }
    let comparison = try MultiLabelComparison(
      first: tally, second: RandomLabels.make(count: 30, classes: 6, seed: 41, scoreSeed: 2),
      LabelThresholds(classCount: 6))
    #expect(comparison[.hammingLoss]?.interval?.method == .student)
    #expect(comparison[.sampleF1]?.missing == .samples(30))
    #expect(comparison.perClass(.recall).allSatisfy { $0.missing == .samples(30) })
  }

  @Test("Rare classes withhold means over classes, few labeled samples the pooled scores")
  func withheld() throws {
    var tally = try RandomLabels.make(count: 200, classes: 2, seed: 51, share: 0)
    var labels = Array(repeating: [Int](), count: 200)
    for sample in 0..<4 { labels[sample] = [0, 1] }
    var rows: [Double] = []
    for index in 0..<tally.count { rows += tally.row(index) }
    tally = try MultiLabelTally(classCount: 2)
    try tally.add(labelSets: labels, scores: rows)
    let scores = try MultiLabelScores(
      tally, LabelThresholds(classCount: 2), ScoringSettings(intervals: Bootstrap(draws: 16)))
    #expect(scores[.macroF1].missing == .rareClass(0, positives: 4))
    #expect(scores[.meanAveragePrecision].missing == .rareClass(0, positives: 4, of: .either))
    #expect(scores[.microRecall].missing == .labeled(4, of: .positives))
    #expect(scores[.microAveragePrecision].missing == .labeled(4, of: .positives))
    #expect(scores.perClass(.averagePrecision)[1].missing == .positives(4))
    #expect(scores[.hammingLoss].interval != nil)
  }
}
