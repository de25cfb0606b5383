import AssayCore
import Testing

@testable import AssayMetrics

@Suite struct ClassificationComparisonTests {
  private func tally(_ truths: [Int], _ predicted: [Int]) throws -> ClassificationTally {
    var tally = try ClassificationTally(classCount: 2)
    try tally.add(
      truths: truths,
      scores: predicted.flatMap { $0 == 0 ? [0.75, 0.25] : [0.25, 0.75] as [Double] })
    return tally
  }

  @Test("Lost is what only the first has right, won what only the second has")
  func lostAndWon() throws {
    let truths = [0, 0, 1, 1, 1]
    let comparison = try ClassificationComparison(
      first: tally(truths, [0, 1, 1, 0, 1]), second: tally(truths, [0, 0, 0, 0, 1]))
    #expect(comparison.lost == [2])
    #expect(comparison.won == [1])
    #expect(comparison.bothRight == 2)
    #expect(comparison.neitherRight == 1)
    #expect(comparison[.accuracy]?.value == 0)
    #expect(
      comparison.classTests == [
        McNemar(onlyFirst: 0, onlySecond: 1), McNemar(onlyFirst: 1, onlySecond: 0),
      ])
    #expect(comparison.classPValues == [1, 1])
    // Recall of class 0: 1/2, then 2/2; of class 1: 2/3, then 1/3.
    #expect(comparison.perClass(.recall)[0].value == 0.5)
    #expect(Goldens.agree(comparison.perClass(.recall)[1].value, -1.0 / 3))
  }

  @Test("A run beside itself differs in nothing, and no interval pretends otherwise")
  func itself() throws {
    let run = try RandomTally.make(count: 120, classes: 3, seed: 2)
    let comparison = try ClassificationComparison(
      first: run, second: run, ScoringSettings(intervals: Bootstrap(draws: 50)))
    for kind in ClassificationComparison.kinds where kind != .top3 && kind != .top5 {
      let needingMore: [MetricKind] =
        [.answered, .answeredAccuracy, .meanAccepted, .coverage, .selectiveRisk] + VoteScores.kinds
      if needingMore.contains(kind) { continue }
      #expect(comparison[kind]?.value == 0, "\(kind)")
      #expect(comparison[kind]?.interval == nil, "\(kind)")
    }
    #expect(comparison.test.pValue == 1)
  }

  @Test("Swapping the runs turns every difference and every interval around")
  func antisymmetric() throws {
    let first = try RandomTally.make(count: 150, classes: 3, seed: 3)
    let (_, scores) = RandomTally.rows(count: 150, classes: 3, seed: 4)
    var second = try ClassificationTally(classCount: 3)
    try second.add(truths: first.truths.map { Int($0) }, scores: scores)
    let settings = ScoringSettings(intervals: Bootstrap(draws: 100, seed: 5), workers: 2)
    let forth = try ClassificationComparison(first: first, second: second, settings)
    let back = try ClassificationComparison(first: second, second: first, settings)
    #expect(forth.lost == back.won)
    for kind in [MetricKind.accuracy, .logLoss, .brier, .macroAUROC, .top2] {
      let (there, here) = (try #require(forth[kind]), try #require(back[kind]))
      #expect(Goldens.agree(there.value, here.value.map { -$0 }), "\(kind)")
      let (one, other) = (try #require(there.interval), try #require(here.interval))
      #expect(Goldens.agree(one.low, -other.high), "\(kind)")
    }
    // Cells are in another order here, so the draws differ; the interval still contains the
    // difference.
    let kappa = try #require(forth[.kappa])
    #expect(try #require(kappa.interval).contains(try #require(kappa.value)))
  }

  @Test("A paired interval is narrower than the runs' own where they mostly agree")
  func pairing() throws {
    let truths = (0..<400).map { $0 % 2 }
    // Both wrong on every fourth sample; the second also on every fortieth.
    let first = truths.enumerated().map { $0 % 4 == 0 ? 1 - $1 : $1 }
    let second = first.enumerated().map { $0 % 40 == 1 ? 1 - $1 : $1 }
    let (a, b) = (try tally(truths, first), try tally(truths, second))
    let comparison = try ClassificationComparison(first: a, second: b)
    let paired = try #require(comparison[.accuracy]?.interval)
    let own = try #require(ClassificationScores(a)[.accuracy].interval)
    #expect(paired.high - paired.low < (own.high - own.low) / 2)
    #expect(comparison[.accuracy]?.isClear == true)
  }

  @Test("Accuracy and weighted recall are one number with one interval", arguments: [30, 200])
  func weightedRecall(_ count: Int) throws {
    let first = try RandomTally.make(count: count, classes: 3, seed: 3)
    let (_, scores) = RandomTally.rows(count: count, classes: 3, seed: 4)
    var second = try ClassificationTally(classCount: 3)
    try second.add(truths: first.truths.map { Int($0) }, scores: scores)
    let comparison = try ClassificationComparison(
      first: first, second: second, ScoringSettings(intervals: Bootstrap(draws: 100)))
    let accuracy = try #require(comparison[.accuracy]?.interval)
    #expect(comparison[.weightedRecall]?.interval == accuracy)
    #expect(comparison[.weightedRecall]?.missing == nil)
  }

  @Test("An interval of a class does not leave out 0 where its corrected p-value is 0.05 or more")
  func simultaneous() throws {
    // Five classes of 29 samples. The first has 2 regressions and 10 improvements: p = 0.0386, with
    // Holm 0.193.
    var (truths, first, second) = ([Int](), [Int](), [Int]())
    for category in 0..<5 {
      for index in 0..<29 {
        truths.append(category)
        let (isFirst, isSecond) =
          category == 0
          ? (index < 2 || index >= 20, (2..<12).contains(index) || index >= 20)
          : (index % 7 != 0, index % 7 != 1)
        first.append(isFirst ? category : (category + 1) % 5)
        second.append(isSecond ? category : (category + 1) % 5)
      }
    }
    func tally(_ predicted: [Int]) throws -> ClassificationTally {
      var tally = try ClassificationTally(classCount: 5)
      try tally.add(
        truths: truths,
        scores: predicted.flatMap { label in (0..<5).map { $0 == label ? 0.6 : 0.1 as Double } })
      return tally
    }
    let comparison = try ClassificationComparison(first: tally(first), second: tally(second))
    let recall = comparison.perClass(.recall)[0]
    #expect(Goldens.agree(recall.value, 8.0 / 29))
    #expect(Goldens.agree(comparison.classPValues[0], 0.193, 0.001))
    let interval = try #require(recall.interval)
    #expect(interval.low <= 0)
    #expect(recall.simultaneous == 5)
    for (difference, pValue) in zip(comparison.perClass(.recall), comparison.classPValues)
    where difference.isClear == true {
      #expect(try #require(pValue) < 0.05)
    }
  }

  @Test("Widened for one class an interval is itself; for more its ends go by the normal quantiles")
  func widened() {
    let interval = Interval(low: 0.1, high: 0.4, method: .bootstrap)
    #expect(interval.widened(around: 0.2, classes: 1) == interval)
    // 99 % for each of five: 2.5758 instead of 1.9600.
    let wide = interval.widened(around: 0.2, classes: 5)
    let factor = 2.575829303548901 / 1.959963984540054
    #expect(Goldens.agree(wide.low, 0.2 - 0.1 * factor))
    #expect(Goldens.agree(wide.high, 0.2 + 0.2 * factor))
    #expect(interval.widened(around: 0.2, classes: 1_000_000).high <= 1)
  }

  @Test("Below 50 samples differences of means get Student's t, the others none")
  func tooFew() throws {
    let first = try RandomTally.make(count: 30, classes: 2, seed: 3)
    let (_, scores) = RandomTally.rows(count: 30, classes: 2, seed: 4)
    var second = try ClassificationTally(classCount: 2)
    try second.add(truths: first.truths.map { Int($0) }, scores: scores)
    let comparison = try ClassificationComparison(first: first, second: second)
    #expect(comparison[.logLoss]?.interval?.method == .student)
    #expect(comparison[.macroF1]?.interval == nil)
  }

  @Test("Runs that do not fit together are refused")
  func refusals() throws {
    let two = try tally([0, 1], [0, 1])
    #expect(throws: MetricError.sampleMismatch(2, 1)) {
      try ClassificationComparison(first: two, second: tally([0], [0]))
    }
    #expect(throws: MetricError.truthMismatch(sample: 1)) {
      try ClassificationComparison(first: two, second: tally([0, 0], [0, 1]))
    }
    #expect(throws: MetricError.classMismatch(2, 3)) {
      try ClassificationComparison(
        first: two, second: RandomTally.make(count: 2, classes: 3, seed: 1))
    }
  }
}
