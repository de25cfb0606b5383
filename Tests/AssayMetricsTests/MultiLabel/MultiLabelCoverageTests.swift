import AssayCore
import AssayTestSupport
import Foundation
import Testing

import AssayMetrics

/// The coverage of the intervals for the population's score: many sets of samples are drawn from
/// one population, whose labels and scores are correlated within a sample.
///
/// `ASSAY_LONG_TESTS=1` draws 20 times as many sets, with narrower bounds.
@Suite struct MultiLabelCoverageTests {
  private static let isLong = LongTests.areOn

  @Test("Multi-label intervals cover about 95 % at 240 samples")
  func coverage() throws {
    let sets = Self.isLong ? 4_000 : 200
    let bounds = Self.isLong ? 0.925...0.975 : 0.89...1.0
    let kinds: [MetricKind] = [
      .subsetAccuracy, .hammingLoss, .sampleF1, .rankingLoss, .labelRankingAveragePrecision,
      .microPrecision, .microRecall, .microF1, .microAveragePrecision, .macroF1,
      .meanAveragePrecision, .macroAUROC, .coverage, .selectiveRisk,
    ]
    let thresholds = try LabelThresholds(classCount: 4)
    let decision = AcceptanceRule(thresholds: [0.6, 0.5, 0.7, nil])
    var plain = ScoringSettings(intervals: nil)
    plain.decision = decision
    let population = try MultiLabelScores(
      RandomLabels.make(count: Self.isLong ? 400_000 : 40_000, classes: 4, seed: 1 << 40),
      thresholds, plain)
    // The bootstrapped intervals of F1 by class are tested in classification.
    var settings = ScoringSettings(intervals: Bootstrap(draws: 8), workers: 1)
    settings.decision = decision
    var covered: [MetricKind: Int] = [:]
    for set in 0..<sets {
      let tally = try RandomLabels.make(
        count: 240, classes: 4, seed: UInt64(set) &* 2_000 &+ 77)
      let scores = try MultiLabelScores(tally, thresholds, settings)
      for kind in kinds {
        let value = try #require(population[kind].value)
        covered[kind, default: 0] +=
          try #require(scores[kind].interval, "\(kind)").contains(value) ? 1 : 0
      }
    }
    for kind in kinds {
      let share = Double(covered[kind] ?? 0) / Double(sets)
      #expect(bounds.contains(share), "\(kind): \(share)")
      if Self.isLong { print("coverage of", kind.rawValue, share) }
    }
  }
}
