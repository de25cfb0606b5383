import AssayCore

/// The intervals of the scores that are not simple rates.
///
/// From ``Bootstrap/leastSamples`` samples on, AUROC, average precision and means over classes use
/// the jackknife if there are enough positives according to ``ClassSupport``, other scores of
/// counts use the bootstrap over the cells of the confusion matrix, and means over samples the
/// bootstrap over the samples. Below that, means over samples use Student's t and the others have
/// none. ECE and AURC never have one: a calibrated model's bootstrap interval covers 0 %.
struct ScoreIntervals {
  private(set) var numbers: [MetricKind: Interval?] = [:]
  private(set) var classNumbers: [MetricKind: [Interval?]] = [:]
  /// The reasons for missing intervals, by key.
  private(set) var missing: [MetricKind: MissingInterval] = [:]
  private(set) var classMissing: [MetricKind: [MissingInterval?]] = [:]

  /// The metrics that have no interval below ``Bootstrap/leastSamples`` samples.
  static let pooledKinds = ConfusionScores.kinds + [.macroAUROC, .meanAveragePrecision]
  static let pooledClassKinds = ClassRatio.pooled.map(\.kind) + [.auroc, .averagePrecision]

  init(
    _ tally: ClassificationTally, _ parts: ScoringParts, abstention: AbstentionRule?,
    _ bootstrap: Bootstrap, workers: Int
  ) throws {
    var means: [(kind: MetricKind, values: [Double])] = [
      (.logLoss, parts.samples.logLosses), (.brier, parts.samples.brierScores),
    ]
    if let abstention {
      means.append(
        (.meanAccepted, ProbabilityScores.acceptedCounts(tally, accept: abstention.accept)))
    }
    guard tally.count >= Bootstrap.leastSamples else {
      for (kind, values) in means {
        // Student's t does not know their bounds: none of them is below 0, and no Brier score is
        // above 2.
        numbers[kind] = StudentInterval.of(values).map {
          Interval(
            low: max($0.low, 0), high: kind == .brier ? min($0.high, 2) : $0.high,
            method: $0.method)
        }
      }
      for kind in Self.pooledKinds { missing[kind] = .samples(tally.count) }
      for kind in Self.pooledClassKinds {
        classMissing[kind] = Array(repeating: .samples(tally.count), count: tally.classCount)
      }
      return
    }
    let draws = try SampleBootstrap(means: means.map(\.values))
      .run(samples: tally.count, bootstrap, workers: workers)
    for (kind, values) in zip(means.map(\.kind), draws.means) {
      numbers[kind] = PercentileInterval.of(values)
    }
    let rankings = parts.categories.compactMap(\.ranking)
    let ranked = try RankingJackknife([rankings], samples: tally.count, workers: workers)
    let support = RankedSupport(rankings)
    classNumbers[.auroc] = ranked.auroc
    classNumbers[.averagePrecision] = ranked.averagePrecision
    classMissing = support.classMissing
    numbers[.macroAUROC] = ranked.macroAUROC
    numbers[.meanAveragePrecision] = ranked.meanAveragePrecision
    missing = support.missing
    try setCounted(tally.confusion, bootstrap, workers: workers)
    withhold()
  }

  /// Removes the intervals that have a reason to be missing.
  private mutating func withhold() {
    for kind in missing.keys { numbers[kind] = Interval?.none }
    for (kind, list) in classMissing {
      for (category, reason) in list.enumerated() where reason != nil {
        classNumbers[kind]?[category] = nil
      }
    }
  }

  private mutating func setCounted(
    _ confusion: ConfusionMatrix, _ bootstrap: Bootstrap, workers: Int
  ) throws {
    let cells = ConfusionBootstrap(confusion)
    let draws = try cells.run(bootstrap, workers: workers) { $0[0] }
    let totals = confusion.totals
    for kind in ConfusionScores.kinds {
      numbers[kind] = PercentileInterval.of(draws.lazy.map { $0.value(kind) })
    }
    let means = MacroJackknife(cells)
    for kind in MacroJackknife.kinds {
      numbers[kind] = means.intervals[kind]
      missing[kind] = means.missing[kind]
    }
    // Equal to accuracy.
    numbers[.weightedRecall] = WilsonInterval.of(
      totals.hits.reduce(0, +), in: totals.truth.reduce(0, +))
    for ratio in ClassRatio.pooled {
      classNumbers[ratio.kind] = (0..<confusion.classCount).map { category in
        PercentileInterval.of(draws.lazy.map { $0.value(ratio, of: category) })
          ?? ratio.interval(
            hits: totals.hits[category], truth: totals.truth[category],
            predicted: totals.predicted[category])
      }
    }
  }
}

/// The ranked scores whose intervals are missing because a class has too few positives or negatives.
struct RankedSupport {
  private(set) var missing: [MetricKind: MissingInterval] = [:]
  private(set) var classMissing: [MetricKind: [MissingInterval?]] = [:]

  /// - Parameter rankings: by class.
  init(_ rankings: [ClassRanking]) {
    let fewer = rankings.map { min($0.positives, $0.negatives) }
    missing[.macroAUROC] = ClassSupport.missing(
      ofMean: fewer.map { $0 > 0 ? $0 : nil }, unit: .either)
    missing[.meanAveragePrecision] = ClassSupport.missing(
      ofMean: zip(rankings, fewer).map { $0.positives > 0 ? $1 : nil }, unit: .either)
    for kind in [MetricKind.auroc, .averagePrecision] {
      classMissing[kind] = rankings.map {
        $0.positives <= $0.negatives
          ? ClassSupport.missing(ofClass: $0.positives)
          : ClassSupport.missing(ofClass: $0.negatives, unit: .negatives)
      }
    }
  }
}
