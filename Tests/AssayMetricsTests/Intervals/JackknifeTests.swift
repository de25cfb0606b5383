import AssayCore
import Testing

@testable import AssayMetrics

@Suite struct JackknifeTests {
  /// Scores, the largest of which is usually that of the true class, with many ties.
  private func row(_ truth: Int, _ random: inout SplitMix64) -> [Float] {
    let best = random.nextIndex(below: 2) == 0 ? truth : random.nextIndex(below: 3)
    let second = (best + 1 + random.nextIndex(below: 2)) % 3
    let low = Float(random.nextIndex(below: 3)) / 8
    return (0..<3).map { $0 == best ? 0.75 - low : $0 == second ? low : 0.25 }
  }

  private func tally(seed: UInt64, count: Int = 40) throws -> ClassificationTally {
    var random = SplitMix64(seed: seed)
    var tally = try ClassificationTally(classCount: 3)
    for _ in 0..<count {
      let truth = random.nextIndex(below: 3)
      try tally.add(truth: truth, scores: row(truth, &random))
    }
    return tally
  }

  private func without(_ index: Int, _ tally: ClassificationTally) throws -> ClassificationScores {
    try ClassificationScores(
      tally.selecting((0..<tally.count).filter { $0 != index }), ScoringSettings(intervals: nil))
  }

  @Test("AUROC and average precision without a sample are those of the others, ties included")
  func rankings() throws {
    for seed in 0..<8 {
      let tally = try tally(seed: UInt64(seed))
      let others = try (0..<tally.count).map { try without($0, tally) }
      for category in 0..<3 {
        let leftOut = ClassRanking(tally, category: category).leavingOut()
        for (index, scores) in others.enumerated() {
          #expect(Goldens.agree(leftOut.auroc[index], scores.perClass(.auroc)[category].value))
          #expect(
            Goldens.agree(
              leftOut.averagePrecision[index], scores.perClass(.averagePrecision)[category].value))
        }
      }
    }
  }

  @Test("Rankings of one positive, one negative or nothing else are undefined without it")
  func extremes() throws {
    var tally = try ClassificationTally(classCount: 3)
    for truth in [0, 0, 1] {
      try tally.add(truth: truth, scores: [0.5, 0.25, 0.25])
    }
    let one = ClassRanking(tally, category: 1).leavingOut()
    #expect(one.auroc[2].isNaN && one.averagePrecision[2].isNaN)
    #expect(one.averagePrecision[0] == 0.5)
    let none = ClassRanking(tally, category: 2).leavingOut()
    #expect(none.auroc.allSatisfy(\.isNaN) && none.averagePrecision.allSatisfy(\.isNaN))
    let others = ClassRanking(tally, category: 0).leavingOut()
    #expect(others.auroc[2].isNaN)
    #expect(others.averagePrecision[2] == 1)
  }

  @Test("Means over classes have the interval of the scores with each sample left out")
  func means() throws {
    let tally = try tally(seed: 3, count: 240)
    let scores = try ClassificationScores(
      tally, ScoringSettings(intervals: Bootstrap(draws: 16)))
    let others = try (0..<tally.count).map { try without($0, tally) }
    for kind in MacroJackknife.kinds + [.macroAUROC, .meanAveragePrecision] {
      let value = try #require(scores[kind].value)
      let expected = try #require(
        JackknifeInterval.of(
          value, leavingOut: others.map { $0[kind].value ?? .nan }, isDifference: false))
      let interval = try #require(scores[kind].interval, "\(kind)")
      #expect(abs(interval.low - expected.low) < 1e-9, "\(kind)")
      #expect(abs(interval.high - expected.high) < 1e-9, "\(kind)")
    }
  }

  @Test("Differences have the interval of the differences with each sample left out")
  func differences() throws {
    let first = try tally(seed: 5, count: 240)
    var second = try ClassificationTally(classCount: 3)
    var random = SplitMix64(seed: 6)
    for truth in first.truths {
      try second.add(truth: Int(truth), scores: row(Int(truth), &random))
    }
    let comparison = try ClassificationComparison(
      first: first, second: second, ScoringSettings(intervals: Bootstrap(draws: 16)))
    let pairs = try (0..<first.count).map {
      (try without($0, first), try without($0, second))
    }
    for kind in MacroJackknife.kinds + [.macroAUROC, .meanAveragePrecision] {
      let difference = try #require(comparison[kind])
      let leftOut = pairs.map { ($0.1[kind].value ?? .nan) - ($0.0[kind].value ?? .nan) }
      let value = try #require(difference.value)
      let expected = try #require(
        JackknifeInterval.of(value, leavingOut: leftOut, isDifference: true))
      let interval = try #require(difference.interval, "\(kind)")
      #expect(abs(interval.low - expected.low) < 1e-9, "\(kind)")
      #expect(abs(interval.high - expected.high) < 1e-9, "\(kind)")
    }
  }

  @Test("Of a mean the interval of a difference is the normal one")
  func mean() throws {
    let values = [0.1, 0.4, -0.2, 0.3, 0.2, 0.6]
    let mean = 1.4 / 6
    let leftOut = values.map { (1.4 - $0) / 5 }
    let spread = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 5
    let interval = try #require(
      JackknifeInterval.of(mean, leavingOut: leftOut, isDifference: true))
    let half = 1.959963984540054 * (spread / 6).squareRoot()
    #expect(abs(interval.low - (mean - half)) < 1e-9)
    #expect(abs(interval.high - (mean + half)) < 1e-9)
  }

  @Test("Values that are all the same have no interval")
  func constant() {
    #expect(
      JackknifeInterval.of(0.5, leavingOut: [0.5, 0.5, 0.5], isDifference: false) == nil)
    #expect(JackknifeInterval.of(0.5, leavingOut: [0.4, .nan], isDifference: false) == nil)
    #expect(JackknifeInterval.of(0.5, leavingOut: [], isDifference: true) == nil)
  }
}
