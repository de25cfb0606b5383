import AssayCore

/// The intervals of the differences between two runs on the same samples.
///
/// Every draw uses the same samples for both: scores of counts draw the cells (ground truth, first
/// prediction, second prediction), the others draw the samples. AUROC, average precision and means
/// over classes use the jackknife, under the same conditions as the scores of one run. Below
/// ``Bootstrap/leastSamples`` samples, differences of means use Student's t on the per-sample
/// differences, and the others have no interval.
struct DifferenceIntervals {
  private(set) var numbers: [MetricKind: Interval?] = [:]
  private(set) var classNumbers: [MetricKind: [Interval?]] = [:]
  /// The reasons for missing intervals, by key.
  private(set) var missing: [MetricKind: MissingInterval] = [:]
  private(set) var classMissing: [MetricKind: [MissingInterval?]] = [:]

  init(
    _ first: ClassificationTally, _ second: ClassificationTally, abstention: AbstentionRule?,
    _ bootstrap: Bootstrap, workers: Int
  ) throws {
    let means = Self.meanDifferences(first, second, abstention: abstention)
    guard first.count >= Bootstrap.leastSamples else {
      for (kind, values) in means { numbers[kind] = StudentInterval.of(values) }
      numbers[.weightedRecall] = numbers[.accuracy]
      for kind in ScoreIntervals.pooledKinds where kind != .weightedRecall {
        missing[kind] = .samples(first.count)
      }
      for kind in ScoreIntervals.pooledClassKinds + [.precision, .recall] {
        classMissing[kind] = Array(repeating: .samples(first.count), count: first.classCount)
      }
      return
    }
    let draws = try SampleBootstrap(means: means.map(\.values))
      .run(samples: first.count, bootstrap, workers: workers)
    for (kind, values) in zip(means.map(\.kind), draws.means) {
      numbers[kind] = PercentileInterval.of(values)
    }
    try setRanked(first, second, workers: workers)
    try setCounted(first, second, bootstrap, workers: workers)
    // Equal to accuracy.
    numbers[.weightedRecall] = numbers[.accuracy]
    for kind in missing.keys { numbers[kind] = Interval?.none }
    for (kind, list) in classMissing {
      for (category, reason) in list.enumerated() where reason != nil {
        classNumbers[kind]?[category] = nil
      }
    }
  }

  /// The per-sample difference, second − first, of every score that is a mean over samples.
  private static func meanDifferences(
    _ first: ClassificationTally, _ second: ClassificationTally, abstention: AbstentionRule?
  ) -> [(kind: MetricKind, values: [Double])] {
    func difference(_ values: (ClassificationTally) -> [Double]) -> [Double] {
      zip(values(second), values(first)).map { $0 - $1 }
    }
    var means: [(kind: MetricKind, values: [Double])] = [
      (.logLoss, difference(ProbabilityScores.logLosses)),
      (.brier, difference(ProbabilityScores.brierScores)),
      (
        .accuracy,
        difference { tally in tally.ranks.map { $0 <= 1 ? 1 : 0 } }
      ),
    ]
    for (kind, rank) in ClassificationScores.topKinds where rank < first.classCount {
      means.append((kind, difference { tally in tally.ranks.map { $0 <= rank ? 1 : 0 } }))
    }
    let votes = (VoteScores(first), VoteScores(second))
    for kind in VoteScores.kinds {
      // Paired only if each sample has a value on both sides.
      guard let before = votes.0.values[kind], let after = votes.1.values[kind],
        before.count == first.count, after.count == first.count
      else { continue }
      means.append((kind, zip(after, before).map { $0 - $1 }))
    }
    if let abstention {
      means.append(
        (
          .answered,
          difference { tally in
            zip(tally.confidences, tally.margins).map {
              abstention.answers(confidence: $0, margin: $1) ? 1 : 0
            }
          }
        ))
      means.append(
        (
          .meanAccepted,
          difference { ProbabilityScores.acceptedCounts($0, accept: abstention.accept) }
        ))
    }
    return means
  }

  private mutating func setRanked(
    _ first: ClassificationTally, _ second: ClassificationTally, workers: Int
  ) throws {
    let rankings = try IndexedWork.map(2 * first.classCount, workers: workers) { index in
      ClassRanking(
        index < first.classCount ? first : second, category: index % first.classCount)
    }
    let sides = [
      Array(rankings[..<first.classCount]), Array(rankings[first.classCount...]),
    ]
    let ranked = try RankingJackknife(sides, samples: first.count, workers: workers)
    // Both have the same ground truth.
    let support = RankedSupport(sides[0])
    (missing, classMissing) = (support.missing, support.classMissing)
    classNumbers[.auroc] = ranked.auroc
    classNumbers[.averagePrecision] = ranked.averagePrecision
    numbers[.macroAUROC] = ranked.macroAUROC
    numbers[.meanAveragePrecision] = ranked.meanAveragePrecision
  }

  private mutating func setCounted(
    _ first: ClassificationTally, _ second: ClassificationTally, _ bootstrap: Bootstrap,
    workers: Int
  ) throws {
    let cells = ConfusionBootstrap(pairing: first, second)
    let draws = try cells.run(bootstrap, workers: workers) { ($0[0], $0[1]) }
    for kind in ConfusionScores.kinds {
      numbers[kind] = Self.interval(
        first: draws.map { $0.0.value(kind) }, second: draws.map { $0.1.value(kind) })
    }
    let means = MacroJackknife(cells)
    for kind in MacroJackknife.kinds {
      numbers[kind] = means.intervals[kind]
      missing[kind] = means.missing[kind]
    }
    for ratio in ClassRatio.allCases {
      classNumbers[ratio.kind] = (0..<first.classCount).map { category in
        Self.interval(
          first: draws.map { $0.0.value(ratio, of: category) },
          second: draws.map { $0.1.value(ratio, of: category) })
      }
    }
  }

  private static func interval(first: [Double?], second: [Double?]) -> Interval? {
    PercentileInterval.of(
      zip(first, second).lazy.map { first, second in
        guard let first, let second else { return nil }
        return second - first
      })
  }
}

extension ConfusionBootstrap {
  /// The cells of two runs on the same samples.
  init(pairing first: ClassificationTally, _ second: ClassificationTally) {
    struct Key: Hashable {
      var truth, first, second: Int32
    }
    var counts: [Key: Int] = [:]
    for index in first.truths.indices {
      let key = Key(
        truth: first.truths[index], first: first.predictions[index],
        second: second.predictions[index])
      counts[key, default: 0] += 1
    }
    // A dictionary's order varies from run to run; the draws must not.
    let sorted = counts.sorted {
      ($0.key.truth, $0.key.first, $0.key.second) < ($1.key.truth, $1.key.first, $1.key.second)
    }
    self.init(
      classCount: first.classCount,
      cells: sorted.map {
        Cell(
          truth: Int($0.key.truth), predicted: [Int($0.key.first), Int($0.key.second)],
          count: $0.value)
      })
  }
}
