import AssayCore
import Testing

@testable import AssayMetrics

@Suite struct ScoreIntervalsTests {
  private func scores(_ count: Int, workers: Int = 1, seed: UInt64 = 0) throws
    -> ClassificationScores
  {
    try ClassificationScores(
      RandomTally.make(count: count, classes: 3, seed: 8),
      ScoringSettings(
        abstention: AbstentionRule(accept: 0.4), intervals: Bootstrap(draws: 200, seed: seed),
        workers: workers))
  }

  @Test("From 50 samples on every score but ECE, AURC and the baseline has an interval around it")
  func enough() throws {
    let scores = try scores(200)
    for kind in MetricKind.kinds(of: .classification) {
      switch kind {
      case .ece15, .aurc, .aurcMargin, .baselineAccuracy, .top3, .top5:
        #expect(scores[kind].interval == nil, "\(kind)")
      case .coverage, .selectiveRisk, .voteCrossEntropy, .expectedAccuracy, .voteDivergence:
        // There is neither a decision nor a vote.
        #expect(scores[kind] == .undefined, "\(kind)")
      case .support:
        #expect(scores.perClass(kind).allSatisfy { $0.interval == nil })
      case _ where kind.isPerCategory:
        for score in scores.perClass(kind) {
          let (value, interval) = (try #require(score.value), try #require(score.interval))
          #expect(interval.contains(value), "\(kind): \(interval), \(value)")
        }
      default:
        let value = try #require(scores[kind].value, "\(kind)")
        let interval = try #require(scores[kind].interval, "\(kind)")
        #expect(interval.contains(value), "\(kind): \(interval), \(value)")
      }
    }
    #expect(scores[.accuracy].interval?.method == .wilson)
    #expect(scores[.macroF1].interval?.method == .jackknife)
    #expect(scores[.macroAUROC].interval?.method == .jackknife)
    #expect(scores[.kappa].interval?.method == .bootstrap)
    #expect(scores[.weightedRecall].interval == scores[.accuracy].interval)
    #expect(scores.perClass(.recall)[0].interval?.method == .wilson)
  }

  @Test("Below 50 samples means get Student's t, rates Wilson's, the others nothing")
  func tooFew() throws {
    let scores = try scores(49)
    #expect(scores[.logLoss].interval?.method == .student)
    #expect(scores[.brier].interval?.method == .student)
    #expect(scores[.accuracy].interval?.method == .wilson)
    #expect(scores[.macroF1].interval == nil)
    #expect(scores[.macroAUROC].interval == nil)
    #expect(scores.perClass(.f1).allSatisfy { $0.interval == nil })
    #expect(scores[.macroAUROC].missing == .samples(49))
    #expect(scores.perClass(.f1).allSatisfy { $0.missing == .samples(49) })
  }

  /// Samples of three classes, the last of which has `rare`, a tenth of them wrong.
  private func skewed(_ count: Int, rare: Int) throws -> ClassificationScores {
    var tally = try ClassificationTally(classCount: 3)
    var random = SplitMix64(seed: 4)
    for index in 0..<count {
      let truth = index < rare ? 2 : index % 2
      let scores = (0..<3).map { Float(random.nextUnit() + ($0 == truth ? 0.8 : 0.1)) }
      try tally.add(truth: truth, scores: scores.map { $0 / scores.reduce(0, +) })
    }
    return try ClassificationScores(
      tally, ScoringSettings(intervals: Bootstrap(draws: 40)))
  }

  @Test("Means over classes with too few samples of a class have no interval and say why")
  func rareClasses() throws {
    let scores = try skewed(300, rare: 4)
    let means: [MetricKind] = [
      .macroF1, .macroF1Defined, .macroRecall, .balancedAccuracy, .macroAUROC,
      .meanAveragePrecision,
    ]
    for kind in means {
      #expect(scores[kind].interval == nil, "\(kind)")
      let isRanked = kind == .macroAUROC || kind == .meanAveragePrecision
      let missing = MissingInterval.rareClass(2, positives: 4, of: isRanked ? .either : .positives)
      #expect(scores[kind].missing == missing, "\(kind)")
    }
    #expect(scores[.accuracy].interval != nil)
    #expect(scores[.weightedF1].interval != nil)
    // 3 / (1/6 + 2/147) = 16.6.
    let more = try skewed(300, rare: 6)[.macroF1]
    guard case .harmonicMean(let mean, _)? = more.missing else {
      Issue.record("\(String(describing: more.missing))")
      return
    }
    #expect(Goldens.agree(mean, 3 / (1 / 6.0 + 2 / 147.0)))
    // 3 / (1/20 + 2/140) = 46.7.
    #expect(try means.allSatisfy { try skewed(300, rare: 20)[$0].interval != nil })
  }

  @Test("AUROC and average precision of a class need ten samples of it and ten others")
  func rareClass() throws {
    for (rare, isGiven) in [(9, false), (10, true), (290, true), (291, false)] {
      let scores = try skewed(300, rare: rare)
      for kind in [MetricKind.auroc, .averagePrecision] {
        let score = scores.perClass(kind)[2]
        #expect((score.interval != nil) == isGiven, "\(kind), \(rare)")
        #expect((score.missing == nil) == isGiven, "\(kind), \(rare)")
      }
    }
  }

  @Test("A class that was hardly predicted takes the interval from mean precision")
  func rarePrediction() throws {
    var tally = try ClassificationTally(classCount: 2)
    for index in 0..<200 {
      let predicted = index % 2 == 1 && index < 6 ? 1 : 0
      try tally.add(truth: index % 2, scores: predicted == 1 ? [0.2, 0.8] : [0.8, 0.2])
    }
    let scores = try ClassificationScores(
      tally, ScoringSettings(intervals: Bootstrap(draws: 40)))
    #expect(scores[.macroPrecision].missing == .rareClass(1, positives: 3, of: .predictions))
    #expect(scores[.macroPrecision].interval == nil)
    #expect(scores[.macroRecall].interval != nil)
  }

  @Test("An interval of few samples does not leave the score's range")
  func withinRange() throws {
    var tally = try ClassificationTally(classCount: 2)
    // Brier scores 0, 0 and 0.5: a mean of 1/6 and a half-width of 4.30 · 0.289 / √3 = 0.717.
    try tally.add(truths: [0, 0, 0], scores: [1, 0, 1, 0, 0.5, 0.5] as [Float])
    let scores = try ClassificationScores(tally, ScoringSettings(intervals: Bootstrap()))
    let brier = try #require(scores[.brier].interval)
    #expect(brier.low == 0)
    #expect(abs(brier.high - 0.8838) < 1e-4)
    #expect(scores[.logLoss].interval?.low == 0)
  }

  @Test("Intervals depend on the seed and not on the number of workers")
  func deterministic() throws {
    #expect(try scores(120, workers: 1) == scores(120, workers: 3))
    #expect(try scores(120, seed: 1) != scores(120, seed: 2))
  }

  @Test("A class that is never confused has an F1 interval that says how little that proves")
  func perfectClass() throws {
    var tally = try ClassificationTally(classCount: 2)
    for index in 0..<60 {
      try tally.add(truth: index % 2, scores: index % 2 == 0 ? [1, 0] : [0, 1])
    }
    let scores = try ClassificationScores(tally)
    let interval = try #require(scores.perClass(.f1)[0].interval)
    #expect(interval.method == .wilson)
    #expect(interval.high == 1)
    // Wilson's lower bound for 30 of 30 is 1 / (1 + z²/30) = 0.8865; 2J / (1 + J) = 0.9398.
    #expect(abs(interval.low - 0.9398) < 1e-4)
    #expect(scores[.macroF1].interval == nil)
  }
}
