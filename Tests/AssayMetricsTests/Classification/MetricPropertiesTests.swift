import AssayCore
import Testing

import AssayMetrics

/// The properties of every metric, tested on the table of all metrics.
@Suite("Properties of every metric")
struct MetricPropertiesTests {
  private static let settings: ScoringSettings = {
    var settings = ScoringSettings(
      abstention: AbstentionRule(accept: 0.3, margin: 0.05), intervals: nil)
    settings.decision = AcceptanceRule(thresholds: Array(repeating: 0.1, count: 6))
    return settings
  }()

  /// All values of a metric: one, or one per class. All votes are for the true class.
  private func values(_ kind: MetricKind, _ plain: ClassificationTally) throws -> [Double?] {
    var tally = plain
    try tally.set(
      tally.truths.map { truth in
        let shares = (0..<tally.classCount).map { $0 == Int(truth) ? 1.0 : 0 }
        return VoteShares(shares: shares, isScored: true)
      })
    let scores = try ClassificationScores(tally, Self.settings)
    return kind.isPerCategory ? scores.perClass(kind).map(\.value) : [scores[kind].value]
  }

  @Test(
    "A perfect and certain run has the best value", arguments: MetricKind.kinds(of: .classification)
  )
  func perfect(_ kind: MetricKind) throws {
    var tally = try ClassificationTally(classCount: 6)
    let truths = (0..<60).map { $0 % 6 }
    try tally.add(
      truths: truths,
      scores: truths.flatMap { truth in (0..<6).map { Float($0 == truth ? 1 : 0) } })
    guard let isBetterHigher = kind.isBetterHigher else { return }
    for value in try values(kind, tally) {
      // Log loss is clipped at 1 − 2⁻⁵².
      #expect(Goldens.agree(value, isBetterHigher ? 1 : 0))
    }
  }

  @Test(
    "The order of the samples does not matter", arguments: MetricKind.kinds(of: .classification))
  func order(_ kind: MetricKind) throws {
    let tally = try RandomTally.make(count: 90, classes: 6, seed: 1)
    var random = SplitMix64(seed: 2)
    let shuffled = tally.selecting((0..<90).shuffled(using: &random))
    #expect(shuffled != tally)
    for (one, other) in zip(try values(kind, tally), try values(kind, shuffled)) {
      #expect(Goldens.agree(one, other, 1e-14))
    }
  }

  @Test("Merging parts is adding all", arguments: MetricKind.kinds(of: .classification))
  func merge(_ kind: MetricKind) throws {
    let (truths, scores) = RandomTally.rows(count: 70, classes: 6, seed: 3)
    var whole = try ClassificationTally(classCount: 6)
    try whole.add(truths: truths, scores: scores)
    var merged = try ClassificationTally(classCount: 6)
    for part in [0..<0, 0..<25, 25..<26, 26..<70] {
      var tally = try ClassificationTally(classCount: 6)
      try tally.add(
        truths: Array(truths[part]),
        scores: Array(scores[part.lowerBound * 6..<part.upperBound * 6]))
      try merged.merge(tally)
    }
    #expect(merged == whole)
    #expect(try values(kind, merged) == values(kind, whole))
  }

  @Test("Every value lies in its range", arguments: MetricKind.kinds(of: .classification))
  func range(_ kind: MetricKind) throws {
    let range = kind.facts.range
    for seed in 1...5 as ClosedRange<UInt64> {
      for value in try values(kind, RandomTally.make(count: 90, classes: 6, seed: seed)) {
        #expect(range.contains(try #require(value)), "\(value as Any)")
      }
    }
  }

  @Test("Nothing has no value", arguments: MetricKind.kinds(of: .classification))
  func empty(_ kind: MetricKind) throws {
    for value in try values(kind, ClassificationTally(classCount: 6)) {
      #expect(kind == .support ? value == 0 : value == nil)
    }
  }

  @Test(
    "A value is never infinite or NaN, whatever is missing",
    arguments: MetricKind.kinds(of: .classification))
  func finite(_ kind: MetricKind) throws {
    // One class; a class that is never predicted; equal scores; certain and wrong.
    let sets: [(classes: Int, truths: [Int], scores: [Double])] = [
      (1, [0, 0], [1, 1]), (3, [1, 1], [1, 0, 0, 1, 0, 0]), (2, [0, 1], [0.5, 0.5, 0.5, 0.5]),
      (2, [0], [0, 1]),
    ]
    for set in sets {
      var tally = try ClassificationTally(classCount: set.classes)
      try tally.add(truths: set.truths, scores: set.scores)
      for value in try values(kind, tally) { #expect(value?.isFinite != false) }
    }
  }

  @Test("The scores do not depend on the number of workers", arguments: [2, 5])
  func workers(_ workers: Int) throws {
    let tally = try RandomTally.make(count: 90, classes: 6, seed: 6)
    var settings = Self.settings
    let alone = try ClassificationScores(tally, settings)
    settings.workers = workers
    #expect(try ClassificationScores(tally, settings) == alone)
  }

  @Test("A mean over classes says how many were defined")
  func definedCounts() throws {
    // Class 2 has no samples and is never predicted.
    var tally = try ClassificationTally(classCount: 3)
    try tally.add(truths: [0, 1], scores: [0.5, 0.25, 0.25, 0.25, 0.5, 0.25] as [Double])
    let scores = try ClassificationScores(tally, Self.settings)
    for kind in [MetricKind.macroF1Defined, .balancedAccuracy, .macroAUROC, .meanAveragePrecision] {
      #expect(scores[kind].defined == 2, "\(kind)")
      #expect(scores[kind].total == 3, "\(kind)")
    }
  }
}
