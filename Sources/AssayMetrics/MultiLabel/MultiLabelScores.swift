package import AssayCore

/// All scores of a multi-label run on one set of samples.
package struct MultiLabelScores: Sendable, Equatable {
  /// The number of samples *n* and of classes *k*.
  package let count: Int
  package let classCount: Int
  /// The minimum score at which each class is predicted.
  package let thresholds: LabelThresholds
  /// The numbers of samples per class that have it, that are predicted to have it, and both.
  package let totals: ClassTotals
  /// The number of samples with no class or all of them: they count as 0 in ranking loss and as 1
  /// in label ranking average precision, as in scikit-learn.
  package let unranked: Int
  private var numbers: [MetricKind: Score] = [:]
  private var classNumbers: [MetricKind: [Score]] = [:]

  /// The score of a metric with one value per run; undefined for other metrics.
  package subscript(kind: MetricKind) -> Score { numbers[kind] ?? .undefined }

  /// The scores of a metric with one value per class, by ordinal; empty for other metrics.
  package func perClass(_ kind: MetricKind) -> [Score] { classNumbers[kind] ?? [] }

  /// The samples of one class by ground truth and prediction.
  package struct Counts: Sendable, Equatable {
    package var truePositives: Int
    package var falsePositives: Int
    package var falseNegatives: Int
    package var trueNegatives: Int
  }

  /// The sample counts for one class, with an ordinal in `0..<classCount`.
  package func counts(of category: Int) -> Counts {
    let hits = totals.hits[category]
    return Counts(
      truePositives: hits, falsePositives: totals.predicted[category] - hits,
      falseNegatives: totals.truth[category] - hits,
      trueNegatives: count - totals.truth[category] - totals.predicted[category] + hits)
  }

  /// Computes the scores of a tally.
  ///
  /// - Parameters:
  ///   - thresholds: one per class of the tally.
  ///   - settings: the abstention rule is ignored.
  /// - Throws: ``MetricError/classMismatch(_:_:)`` if the thresholds are for other classes.
  /// - Complexity: O(*n* · *k* · log of the classes per sample), with intervals also *k* times the number of draws.
  package init(
    _ tally: MultiLabelTally, _ thresholds: LabelThresholds,
    _ settings: ScoringSettings = ScoringSettings()
  ) throws {
    try thresholds.check(classCount: tally.classCount)
    let jackknife = settings.intervals != nil && tally.count >= Bootstrap.leastSamples
    let parts = try MultiLabelParts(
      tally, thresholds, forIntervals: jackknife, workers: settings.workers)
    self.init(tally, thresholds, parts)
    if let decision = settings.decision {
      let accepted = tally.accepted(by: decision)
      numbers[.coverage] = accepted.coverage(withInterval: settings.intervals != nil)
      numbers[.selectiveRisk] = accepted.risk(withInterval: settings.intervals != nil)
    }
    guard let bootstrap = settings.intervals else { return }
    let intervals = try MultiLabelIntervals(
      [MultiLabelIntervals.Side(labels: tally.labels, parts: parts)], byClass: true, bootstrap,
      workers: settings.workers)
    for kind in [MetricKind.precision, .recall] {
      let wholes = kind == .precision ? totals.predicted : totals.truth
      for (category, whole) in wholes.enumerated() where whole > 0 {
        classNumbers[kind]?[category].interval = WilsonInterval.of(
          totals.hits[category], in: whole)
      }
    }
    for (kind, interval) in intervals.numbers where numbers[kind]?.value != nil {
      numbers[kind]?.interval = interval
    }
    for (kind, reason) in intervals.missing where numbers[kind]?.value != nil {
      numbers[kind]?.missing = reason
    }
    for (kind, list) in intervals.classNumbers {
      for (category, interval) in list.enumerated()
      where classNumbers[kind]?[category].value != nil {
        classNumbers[kind]?[category].interval = interval
      }
    }
    for (kind, list) in intervals.classMissing {
      for (category, reason) in list.enumerated()
      where classNumbers[kind]?[category].value != nil {
        classNumbers[kind]?[category].missing = reason
      }
    }
    nameReasons()
  }

  /// Sets the value as the reason for each score that has neither an interval nor a reason.
  private mutating func nameReasons() {
    func reason(_ score: Score) -> MissingInterval? {
      score.missing ?? score.value.map { count < 2 ? .samples(count) : .value($0) }
    }
    for kind in MultiLabelIntervals.kinds where numbers[kind]?.interval == nil {
      let missing = numbers[kind].flatMap(reason)
      numbers[kind]?.missing = missing
    }
    for kind in MultiLabelIntervals.classKinds {
      classNumbers[kind] = classNumbers[kind]?.map { score in
        var score = score
        if score.interval == nil { score.missing = reason(score) }
        return score
      }
    }
  }

  /// The scores without intervals.
  init(_ tally: MultiLabelTally, _ thresholds: LabelThresholds, _ parts: MultiLabelParts) {
    let columns = parts.columns
    count = tally.count
    classCount = tally.classCount
    self.thresholds = thresholds
    totals = columns.totals
    unranked = columns.unranked
    let counted = ConfusionScores(columns.totals, samples: tally.count)
    for kind in ConfusionScores.kinds(of: .multiLabel) {
      numbers[kind] =
        counted.parts(of: kind).map { Self.mean(counted.value(kind), of: $0) }
        ?? Score(counted.value(kind))
    }
    for ratio in ClassRatio.allCases {
      classNumbers[ratio.kind] = counted.values(ratio).map { Score($0) }
    }
    classNumbers[.support] = columns.totals.truth.map { Score(Double($0)) }

    let (auroc, precision) = (
      parts.categories.map(\.auroc), parts.categories.map(\.averagePrecision)
    )
    classNumbers[.auroc] = auroc.map { Score($0) }
    classNumbers[.averagePrecision] = precision.map { Score($0) }
    classNumbers[.bestF1] = parts.categories.map { Score($0.bestF1) }
    classNumbers[.bestThreshold] = parts.categories.map { Score($0.bestThreshold) }
    numbers[.macroAUROC] = Self.mean(auroc.compacted().mean(), of: auroc)
    numbers[.meanAveragePrecision] = Self.mean(precision.compacted().mean(), of: precision)
    numbers[.microAveragePrecision] = Score(parts.pooled.averagePrecision)

    guard count > 0 else { return }
    numbers[.subsetAccuracy] = Score(Double(columns.exact) / Double(count))
    let wrong = columns.wrong.reduce(0) { $0 + Int($1) }
    numbers[.hammingLoss] = Score(Double(wrong) / (Double(count) * Double(classCount)))
    let f1 = columns.f1.filter(\.isFinite)
    numbers[.sampleF1] = Score(f1.mean(), defined: f1.count, total: count)
    if unranked < count {
      numbers[.rankingLoss] = Score(columns.rankingLosses.mean())
      numbers[.labelRankingAveragePrecision] = Score(columns.rankingPrecisions.mean())
    }
  }

  private static func mean(_ value: Double?, of parts: [Double?]) -> Score {
    Score(value, defined: parts.count { $0 != nil }, total: parts.count)
  }
}

extension MultiLabelTally {
  /// A sample at given thresholds.
  package struct Evaluated: Sendable, Equatable {
    /// The ordinals of the classes of ground truth and prediction, ascending.
    package var labels: [Int]
    package var predicted: [Int]
    /// The predicted classes that the sample does not have, and its classes that are not predicted;
    /// ascending.
    package var added: [Int]
    package var missed: [Int]
    /// Among the pairs of a class that it has and one that it does not have, the share in which the
    /// first does not have the higher score, in 0...1; 0 if it has no class or all of them.
    package var rankingLoss: Double

    /// The number of wrong classes.
    package var wrong: Int { added.count + missed.count }
  }

  /// Evaluates the sample with an index in `0..<count` at given thresholds.
  ///
  /// - Precondition: there is one threshold per class.
  package func evaluated(_ index: Int, _ thresholds: LabelThresholds) -> Evaluated {
    let scores = row(index)
    let limits = thresholds.compared(in: precision)
    let predicted = scores.indices.filter { scores[$0] >= limits[$0] }
    let own = labels[index]
    var ranking = LabelRanking()
    let isRanked = ranking.rank(
      classCount, score: { scores[$0] }, isTrue: { labels.contains($0, in: index) })
    return Evaluated(
      labels: own, predicted: predicted,
      added: predicted.filter { !labels.contains($0, in: index) },
      missed: own.filter { scores[$0] < limits[$0] },
      rankingLoss: isRanked ? ranking.loss : 0)
  }
}
