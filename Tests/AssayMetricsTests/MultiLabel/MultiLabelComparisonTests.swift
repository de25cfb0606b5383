import AssayCore
import Testing

import AssayMetrics

@Suite struct MultiLabelComparisonTests {
  private static let thresholds = try? LabelThresholds(classCount: 3)

  private func pair(count: Int) throws -> (MultiLabelTally, MultiLabelTally) {
    (
      try RandomLabels.make(count: count, classes: 3, seed: 61, step: 1 / 64),
      try RandomLabels.make(count: count, classes: 3, seed: 61, scoreSeed: 62, step: 1 / 64)
    )
  }

  @Test("Exchanged runs have negated differences", arguments: [30, 150])
  func antisymmetric(_ count: Int) throws {
    let thresholds = try #require(Self.thresholds)
    let (a, b) = try pair(count: count)
    let settings = ScoringSettings(intervals: Bootstrap(draws: 400))
    let forth = try MultiLabelComparison(first: a, second: b, thresholds, settings)
    let back = try MultiLabelComparison(first: b, second: a, thresholds, settings)
    #expect(forth.lost == back.won && forth.won == back.lost && !forth.won.isEmpty)
    #expect(forth.bothExact == back.bothExact && forth.neitherExact == back.neitherExact)
    #expect(forth.test.pValue == back.test.pValue && forth.classPValues == back.classPValues)
    for kind in MultiLabelComparison.kinds {
      let (one, other) = (try #require(forth[kind]), try #require(back[kind]))
      #expect(one.value == other.value.map { -$0 }, "\(kind)")
      #expect((one.interval == nil) == (other.interval == nil))
      #expect(one.missing == other.missing)
      if let one = one.interval, let other = other.interval {
        #expect(abs(one.low + other.high) < 1e-12 && abs(one.high + other.low) < 1e-12, "\(kind)")
      }
    }
    for kind in MultiLabelComparison.classKinds {
      let (forth, back) = (forth.perClass(kind), back.perClass(kind))
      #expect(forth.count == 3)
      for (one, other) in zip(forth, back) {
        #expect(one.value == other.value.map { -$0 })
        guard let one = one.interval, let other = other.interval else { continue }
        let isDrawn = one.method == .bootstrap
        #expect(abs(one.low + other.high) < (isDrawn ? 0.05 : 1e-12), "\(kind)")
      }
    }
  }

  @Test("Regressions and improvements go by the number of wrong classes")
  func changes() throws {
    let thresholds = try #require(Self.thresholds)
    var (a, b) = (try MultiLabelTally(classCount: 3), try MultiLabelTally(classCount: 3))
    let labels = [[0], [0, 1], [], [2]]
    try a.add(labelSets: labels, scores: [1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0] as [Float])
    try b.add(labelSets: labels, scores: [1, 1, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0] as [Float])
    let comparison = try MultiLabelComparison(first: a, second: b, thresholds)
    #expect(comparison.lost == [0] && comparison.won == [2])
    #expect(comparison.bothExact == 1 && comparison.neitherExact == 2)
    #expect(comparison.test == McNemar(onlyFirst: 1, onlySecond: 0))
    #expect(comparison.classTests == [0, 1, 2].map { _ in McNemar(onlyFirst: 0, onlySecond: 0) })
    #expect(comparison[.hammingLoss]?.first == 4.0 / 12)
    #expect(comparison[.hammingLoss]?.second == 4.0 / 12)
  }

  @Test("A run beside itself has no differences")
  func same() throws {
    let (a, _) = try pair(count: 80)
    let comparison = try MultiLabelComparison(
      first: a, second: a, try #require(Self.thresholds),
      ScoringSettings(intervals: Bootstrap(draws: 16)))
    #expect(comparison.lost.isEmpty && comparison.won.isEmpty)
    for kind in MultiLabelComparison.kinds {
      #expect(comparison[kind]?.value == 0 && comparison[kind]?.interval == nil, "\(kind)")
    }
  }

  @Test("Runs over other samples, classes or ground truth are refused")
  func refusals() throws {
    let thresholds = try #require(Self.thresholds)
    let (a, b) = try pair(count: 20)
    #expect(throws: MetricError.sampleMismatch(20, 19)) {
      try MultiLabelComparison(first: a, second: b.selecting(Array(0..<19)), thresholds)
    }
    #expect(throws: MetricError.classMismatch(3, 2)) {
      try MultiLabelComparison(first: a, second: MultiLabelTally(classCount: 2), thresholds)
    }
    #expect(throws: MetricError.truthMismatch(sample: 0)) {
      var (first, second) = (a.selecting([]), a.selecting([]))
      try first.add(labels: [0], scores: [Float(0), 0, 0])
      try second.add(labels: [0, 1], scores: [Float(0), 0, 0])
      _ = try MultiLabelComparison(first: first, second: second, thresholds)
    }
  }

  @Test("Another ground truth changes the scores of one run, with intervals")
  func truthEffect() throws {
    let thresholds = try #require(Self.thresholds)
    let (first, _) = try pair(count: 120)
    var second = try MultiLabelTally(classCount: 3)
    for index in 0..<first.count {
      // Sometimes corrected by the prediction.
      let evaluated = first.evaluated(index, thresholds)
      try second.add(
        labels: index % 4 == 0 ? evaluated.predicted : evaluated.labels,
        scores: first.row(index).map { Float($0) })
    }
    let effect = try TruthEffect(
      first: first, second: second, thresholds,
      ScoringSettings(intervals: Bootstrap(draws: 16)))
    let (before, after) = (try RandomLabels.plain(first), try RandomLabels.plain(second))
    for kind in MultiLabelComparison.kinds {
      let difference = try #require(effect[kind])
      #expect(difference.first == before[kind].value && difference.second == after[kind].value)
    }
    let loss = try #require(effect[.hammingLoss])
    let change = try #require(loss.value)
    #expect(change < 0 && loss.isClear == true)
    #expect(effect[.meanAveragePrecision]?.interval != nil)
  }
}
