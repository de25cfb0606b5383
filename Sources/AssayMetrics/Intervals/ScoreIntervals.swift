import AssayCore

/// The intervals of the scores that are no plain rates.
///
/// From ``Bootstrap/leastSamples`` samples on they are bootstrapped: scores of counts over the cells of
/// the confusion matrix, the rest over the samples. Below it, means over samples get Student's t and the
/// others none. ECE and AURC never get one: a calibrated model's bootstrap interval covers 0 %.
struct ScoreIntervals {
  private(set) var numbers: [MetricKind: Interval?] = [:]
  private(set) var classNumbers: [MetricKind: [Interval?]] = [:]

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
        // None of them is ever below 0, nor a Brier score above 2; Student's t does not know.
        numbers[kind] = StudentInterval.of(values).map {
          Interval(
            low: max($0.low, 0), high: kind == .brier ? min($0.high, 2) : $0.high,
            method: $0.method)
        }
      }
      return
    }
    let sampled = SampleBootstrap(
      means: means.map(\.values), rankings: parts.categories.compactMap(\.ranking))
    let draws = try sampled.run(samples: tally.count, bootstrap, workers: workers)
    for (kind, values) in zip(means.map(\.kind), draws.means) {
      numbers[kind] = PercentileInterval.of(values)
    }
    classNumbers[.auroc] = draws.auroc.map { PercentileInterval.of($0) }
    classNumbers[.averagePrecision] = draws.averagePrecision.map { PercentileInterval.of($0) }
    numbers[.macroAUROC] = PercentileInterval.of(
      SampleBootstrap.Draws.classMeans(draws.auroc))
    numbers[.meanAveragePrecision] = PercentileInterval.of(
      SampleBootstrap.Draws.classMeans(draws.averagePrecision))
    try setCounted(tally.confusion, bootstrap, workers: workers)
  }

  private mutating func setCounted(
    _ confusion: ConfusionMatrix, _ bootstrap: Bootstrap, workers: Int
  ) throws {
    let draws = try ConfusionBootstrap(confusion).run(bootstrap, workers: workers) { $0[0] }
    for kind in ConfusionScores.kinds {
      numbers[kind] = PercentileInterval.of(draws.lazy.map { $0.value(kind) })
    }
    let totals = confusion.totals
    classNumbers[.f1] = (0..<confusion.classCount).map { category in
      PercentileInterval.of(draws.lazy.map { $0.f1[category] })
        ?? Self.f1Interval(
          hits: totals.hits[category],
          union: totals.truth[category] + totals.predicted[category] - totals.hits[category])
    }
  }

  /// Where no draw differs (a class that is never confused, or always): F1 = 2J / (1 + J) grows with the
  /// Jaccard index J = tp / (tp + fp + fn), a plain rate, so Wilson's ends of J give those of F1.
  private static func f1Interval(hits: Int, union: Int) -> Interval? {
    guard var interval = WilsonInterval.of(hits, in: union) else { return nil }
    interval.low = 2 * interval.low / (1 + interval.low)
    interval.high = 2 * interval.high / (1 + interval.high)
    return interval
  }
}
