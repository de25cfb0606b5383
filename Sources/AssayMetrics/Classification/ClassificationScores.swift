package import AssayCore

/// All scores of a classification run on one set of samples.
package struct ClassificationScores: Sendable, Equatable {
  /// The number of samples *n* and of classes *k*.
  package let count: Int
  package let classCount: Int
  package let confusion: ConfusionMatrix
  /// The baseline class: the most frequent class in the ground truth; `nil` without samples.
  package let baselineClass: Int?
  package let calibration: Calibration
  package let riskByConfidence: RiskCoverageCurve
  package let riskByMargin: RiskCoverageCurve
  /// The scores of the abstention rule; `nil` if no rule was given.
  package let abstention: AbstentionScores?
  private(set) var numbers: [MetricKind: Score] = [:]
  private(set) var classNumbers: [MetricKind: [Score]] = [:]

  /// The ranks that are reported as top-*k* accuracy.
  package static let topKinds: [(kind: MetricKind, rank: Int)] = [
    (.top1, 1), (.top2, 2), (.top3, 3), (.top5, 5),
  ]

  /// The metrics that are undefined for predicted classes without scores.
  package static let needingProbabilities: [MetricKind] =
    topKinds.map(\.kind).filter { $0 != .top1 } + [
      .macroAUROC, .meanAveragePrecision, .logLoss, .brier, .ece15, .aurc, .aurcMargin, .auroc,
      .averagePrecision, .answered, .answeredAccuracy, .meanAccepted, .coverage, .selectiveRisk,
      .voteCrossEntropy, .voteDivergence,
    ]

  /// The score of a metric with one value per run; undefined for other metrics.
  package subscript(kind: MetricKind) -> Score { numbers[kind] ?? .undefined }

  /// The scores of a metric with one value per class, by ordinal; empty for other metrics.
  package func perClass(_ kind: MetricKind) -> [Score] { classNumbers[kind] ?? [] }

  /// Computes the scores of a tally.
  ///
  /// - Throws: ``MetricError/tooManySamples(_:limit:)`` for 2²⁹ samples and more.
  /// - Complexity: O(*n* · *k*), with intervals times the number of draws.
  package init(_ tally: ClassificationTally, _ settings: ScoringSettings = ScoringSettings()) throws
  {
    guard tally.count < ClassRanking.sampleLimit else {
      throw MetricError.tooManySamples(tally.count, limit: ClassRanking.sampleLimit - 1)
    }
    count = tally.count
    classCount = tally.classCount
    confusion = tally.confusion
    abstention =
      tally.hasProbabilities
      ? settings.abstention.map { AbstentionScores(tally, rule: $0) } : nil
    let totals = confusion.totals
    let counted = ConfusionScores(totals)
    baselineClass = counted.baselineClass
    let draws = settings.intervals != nil && tally.count >= Bootstrap.leastSamples
    let parts = try ScoringParts(tally, keepsRankings: draws, workers: settings.workers)
    let hasProbabilities = tally.hasProbabilities
    calibration =
      hasProbabilities
      ? parts.samples.calibration : Calibration(confidences: [], isCorrect: { _ in false })
    let noCurve = RiskCoverageCurve(scores: [], isCorrect: { _ in false })
    riskByConfidence = hasProbabilities ? parts.samples.riskByConfidence : noCurve
    riskByMargin = hasProbabilities ? parts.samples.riskByMargin : noCurve

    setRates(
      tally, totals, counted, decision: settings.decision,
      withIntervals: settings.intervals != nil)
    for kind in ConfusionScores.kinds {
      numbers[kind] =
        counted.parts(of: kind).map { Self.mean(counted.value(kind), of: $0) }
        ?? Score(counted.value(kind))
    }
    for ratio in ClassRatio.pooled {
      classNumbers[ratio.kind] = counted.values(ratio).map { Score($0) }
    }
    setRankingsAndMeans(parts)
    let votes = VoteScores(tally)
    for kind in VoteScores.kinds { numbers[kind] = votes.score(kind) }
    if let bootstrap = settings.intervals {
      let intervals = try ScoreIntervals(
        tally, parts, abstention: abstention?.rule, bootstrap, workers: settings.workers)
      for (kind, interval) in intervals.numbers { numbers[kind]?.interval = interval }
      for (kind, reason) in intervals.missing where numbers[kind]?.value != nil {
        numbers[kind]?.missing = reason
      }
      for (kind, list) in intervals.classMissing {
        for (category, reason) in list.enumerated()
        where classNumbers[kind]?[category].value != nil {
          classNumbers[kind]?[category].missing = reason
        }
      }
      for (kind, list) in intervals.classNumbers {
        for (category, interval) in list.enumerated() where classNumbers[kind] != nil {
          classNumbers[kind]?[category].interval = interval
        }
      }
      for kind in VoteScores.kinds {
        numbers[kind]?.interval = try votes.interval(
          of: kind, bootstrap, workers: settings.workers)
      }
    }
    if !hasProbabilities { removeProbabilityScores() }
  }

  /// Makes all metrics undefined that need probabilities.
  private mutating func removeProbabilityScores() {
    for kind in Self.needingProbabilities {
      if numbers[kind] != nil { numbers[kind] = .undefined }
      if let count = classNumbers[kind]?.count {
        classNumbers[kind] = Array(repeating: .undefined, count: count)
      }
    }
  }

  /// Sets the simple rates, whose intervals do not need a bootstrap.
  private mutating func setRates(
    _ tally: ClassificationTally, _ totals: ClassTotals, _ counted: ConfusionScores,
    decision: AcceptanceRule?, withIntervals: Bool
  ) {
    func rate(_ hits: Int, _ total: Int) -> Score {
      guard total > 0 else { return .undefined }
      return Score(
        Double(hits) / Double(total),
        interval: withIntervals ? WilsonInterval.of(hits, in: total) : nil)
    }
    numbers[.accuracy] = rate(totals.hits.reduce(0, +), count)
    numbers[.baselineAccuracy] = Score(counted.baselineAccuracy)
    for (kind, rank) in Self.topKinds
    where rank < classCount && (tally.hasProbabilities || rank == 1) {
      numbers[kind] = rate(tally.ranks.count { $0 <= rank }, count)
    }
    classNumbers[.support] = totals.truth.map { Score(Double($0)) }
    classNumbers[.precision] = zip(totals.hits, totals.predicted).map(rate)
    classNumbers[.recall] = zip(totals.hits, totals.truth).map(rate)
    if let abstention {
      numbers[.answered] = rate(abstention.answered, count)
      numbers[.answeredAccuracy] = rate(abstention.right, abstention.answered)
      numbers[.meanAccepted] = Score(abstention.meanAccepted)
    }
    if let decision {
      let accepted = tally.accepted(by: decision)
      numbers[.coverage] = rate(accepted.count, count)
      numbers[.selectiveRisk] = rate(accepted.errors, accepted.count)
    }
  }

  private mutating func setRankingsAndMeans(_ parts: ScoringParts) {
    numbers[.logLoss] = Score(parts.samples.logLosses.mean())
    numbers[.brier] = Score(parts.samples.brierScores.mean())
    numbers[.ece15] = Score(calibration.error)
    numbers[.aurc] = Score(riskByConfidence.area)
    numbers[.aurcMargin] = Score(riskByMargin.area)
    let auroc = parts.categories.map(\.auroc)
    let averagePrecision = parts.categories.map(\.averagePrecision)
    classNumbers[.auroc] = auroc.map { Score($0) }
    classNumbers[.averagePrecision] = averagePrecision.map { Score($0) }
    numbers[.macroAUROC] = Self.mean(auroc.compacted().mean(), of: auroc)
    numbers[.meanAveragePrecision] = Self.mean(
      averagePrecision.compacted().mean(), of: averagePrecision)
  }

  private static func mean(_ value: Double?, of parts: [Double?]) -> Score {
    Score(value, defined: parts.count { $0 != nil }, total: parts.count)
  }
}
