import AssayCore

/// The intervals of multi-label scores, or of the differences between two sides on the same
/// samples: two runs with one ground truth, or one run with two.
///
/// From ``Bootstrap/leastSamples`` samples on, means over samples, means over classes, AUROC,
/// average precision and scores of all counts together use the jackknife over the samples, if there
/// are enough positives according to ``ClassSupport``. Below that, means over samples use Student's
/// t and the others have none. Precision and recall of a class are simple rates; F1 and the Jaccard
/// index of a class, and differences of all four, use the bootstrap over the samples.
struct MultiLabelIntervals {
  private(set) var numbers: [MetricKind: Interval] = [:]
  private(set) var classNumbers: [MetricKind: [Interval?]] = [:]
  /// The reasons for missing intervals, by key.
  private(set) var missing: [MetricKind: MissingInterval] = [:]
  private(set) var classMissing: [MetricKind: [MissingInterval?]] = [:]

  /// The metrics whose value for a run is a mean over its samples.
  private static let sampleKinds: [MetricKind] = [
    .subsetAccuracy, .hammingLoss, .sampleF1, .rankingLoss, .labelRankingAveragePrecision,
  ]
  private static let rankedKinds: [MetricKind] = [
    .macroAUROC, .meanAveragePrecision, .microAveragePrecision,
  ]
  private static let ratioKinds = ClassRatio.allCases.map(\.kind)

  /// The metrics that have intervals: with one value per run, and with one value per class.
  static let kinds = sampleKinds + MacroJackknife.kinds(of: .multiLabel) + rankedKinds
  static let classKinds = ratioKinds + [.auroc, .averagePrecision]

  /// One run with one ground truth.
  struct Side {
    var labels: LabelSets
    var parts: MultiLabelParts
  }

  /// - Parameters:
  ///   - sides: one, or two on the same samples and classes; created for intervals.
  ///   - byClass: whether the intervals of classes are computed, too; the ground truth of both
  ///     sides is then the same.
  init(_ sides: [Side], byClass: Bool, _ bootstrap: Bootstrap, workers: Int) throws {
    guard let first = sides.first else { return }
    let count = first.labels.count
    for kind in Self.sampleKinds {
      numbers[kind] = Self.meanInterval(sides.map { Self.values(kind, $0.parts.columns) })
    }
    if sides.count == 1 {
      // A simple rate.
      numbers[.subsetAccuracy] = WilsonInterval.of(first.parts.columns.exact, in: count)
    }
    guard count >= Bootstrap.leastSamples else {
      if sides.count == 2 {
        numbers[.sampleF1] = nil
        missing[.sampleF1] = .samples(count)
      }
      for kind in MacroJackknife.kinds(of: .multiLabel) + Self.rankedKinds {
        missing[kind] = .samples(count)
      }
      let kinds = sides.count == 2 ? Self.ratioKinds : ClassRatio.pooled.map(\.kind)
      for kind in kinds + [.auroc, .averagePrecision] where byClass {
        classMissing[kind] = Array(repeating: .samples(count), count: first.labels.classCount)
      }
      return
    }
    setCounted(sides, count)
    try setRanked(sides, count, workers: workers)
    if byClass { try setRatios(sides, bootstrap, workers: workers) }
    for kind in missing.keys { numbers[kind] = nil }
    for (kind, list) in classMissing {
      for (category, reason) in list.enumerated() where reason != nil {
        classNumbers[kind]?[category] = nil
      }
    }
  }

  /// The values by sample whose mean is the score; NaN for samples without a value.
  private static func values(_ kind: MetricKind, _ columns: LabelColumns) -> [Double] {
    switch kind {
    case .subsetAccuracy: columns.wrong.map { $0 == 0 ? 1 : 0 }
    case .hammingLoss: columns.wrongShares
    case .sampleF1: columns.f1
    case .rankingLoss: columns.rankingLosses
    case .labelRankingAveragePrecision: columns.rankingPrecisions
    default: []
    }
  }

  /// The interval of a mean over the samples that have a value, or of the difference between two
  /// such means.
  ///
  /// - Parameter sides: one value per sample, NaN if it has none.
  private static func meanInterval(_ sides: [[Double]]) -> Interval? {
    guard let first = sides.first else { return nil }
    guard first.count >= Bootstrap.leastSamples else {
      let values = sides.count == 2 ? zip(first, sides[1]).map { $1 - $0 } : first
      let bounds = sides.count == 2 ? -1.0...1.0 : 0.0...1.0
      return StudentInterval.of(values.filter(\.isFinite)).map {
        Interval(
          low: max($0.low, bounds.lowerBound), high: min($0.high, bounds.upperBound),
          method: $0.method)
      }
    }
    let means = sides.map { values -> (value: Double, leftOut: [Double]) in
      let known = values.filter(\.isFinite)
      let (sum, count) = (known.compensatedSum(), Double(known.count))
      return (
        sum / count,
        values.map { $0.isFinite ? (sum - $0) / (count - 1) : sum / count }
      )
    }
    if means.count == 1 {
      return JackknifeInterval.of(
        means[0].value, leavingOut: means[0].leftOut, isDifference: false)
    }
    guard means.allSatisfy(\.value.isFinite) else { return nil }
    return JackknifeInterval.of(
      means[1].value - means[0].value,
      leavingOut: zip(means[0].leftOut, means[1].leftOut).map { $1 - $0 }, isDifference: true)
  }

  /// Sets the intervals of means over classes and pooled scores of the counts.
  private mutating func setCounted(_ sides: [Side], _ count: Int) {
    let jackknife = MacroJackknife(
      .multiLabel, sides.map(\.parts.columns.totals), counts: Array(repeating: 1, count: count)
    ) { sample, run in
      var outcomes: [MacroJackknife.Outcome] = []
      let side = sides[run]
      side.labels.forEach(in: sample, or: sample, of: side.parts.columns.predicted) {
        outcomes.append(MacroJackknife.Outcome(category: $0, isTrue: $1, isPredicted: $2))
      }
      return outcomes
    }
    for (kind, interval) in jackknife.intervals { numbers[kind] = interval }
    for (kind, reason) in jackknife.missing { missing[kind] = reason }
  }

  /// Sets the intervals of AUROC and average precision: by class, their means, and of all pairs
  /// together.
  private mutating func setRanked(_ sides: [Side], _ count: Int, workers: Int) throws {
    let rankings = sides.map { $0.parts.categories.compactMap(\.ranking) }
    let ranked = try RankingJackknife(rankings, samples: count, workers: workers)
    classNumbers[.auroc] = ranked.auroc
    classNumbers[.averagePrecision] = ranked.averagePrecision
    numbers[.macroAUROC] = ranked.macroAUROC
    numbers[.meanAveragePrecision] = ranked.meanAveragePrecision
    for side in rankings.reversed() {
      let support = RankedSupport(side)
      missing.merge(support.missing) { $1 }
      classMissing.merge(support.classMissing) { old, new in
        zip(old, new).map { $1 ?? $0 }
      }
    }
    for side in sides {
      let labeled = (0..<count).count { side.labels.size(of: $0) > 0 }
      if let reason = ClassSupport.missing(ofSamples: labeled) {
        missing[.microAveragePrecision] = reason
      }
    }
    let pooled = sides.map(\.parts.pooled)
    if pooled.count == 2 {
      guard let first = pooled[0].averagePrecision, let second = pooled[1].averagePrecision else {
        return
      }
      numbers[.microAveragePrecision] = JackknifeInterval.of(
        second - first, leavingOut: zip(pooled[0].leftOut, pooled[1].leftOut).map { $1 - $0 },
        isDifference: true)
    } else if let value = pooled[0].averagePrecision {
      numbers[.microAveragePrecision] = JackknifeInterval.of(
        value, leavingOut: pooled[0].leftOut, isDifference: false)
    }
  }

  /// Sets the intervals of scores of the counts of one class.
  private mutating func setRatios(_ sides: [Side], _ bootstrap: Bootstrap, workers: Int) throws {
    let classes = sides[0].labels.classCount
    let ratios = sides.count == 2 ? ClassRatio.allCases : ClassRatio.pooled
    let (labels, predicted) = (sides[0].labels, sides.map(\.parts.columns.predicted))
    let rows = try IndexedWork.map(classes, workers: workers) { category -> [Interval?] in
      let cells = ConfusionBootstrap(category, labels, predicted)
      let draws = (0..<bootstrap.draws).map { cells.scores(bootstrap, draw: $0) }
      return ratios.map { ratio in
        PercentileInterval.of(
          draws.lazy.map { runs -> Double? in
            let values = runs.map { $0.value(ratio, of: 1) }
            guard values.count == 2 else { return values.first ?? nil }
            guard let first = values[0], let second = values[1] else { return nil }
            return second - first
          })
      }
    }
    for (place, ratio) in ratios.enumerated() {
      classNumbers[ratio.kind] = rows.map { $0[place] }
    }
    guard sides.count == 1 else { return }
    let totals = sides[0].parts.columns.totals
    for ratio in ratios {
      classNumbers[ratio.kind] = classNumbers[ratio.kind]?.enumerated().map { category, interval in
        interval
          ?? ratio.interval(
            hits: totals.hits[category], truth: totals.truth[category],
            predicted: totals.predicted[category])
      }
    }
  }
}

extension ConfusionBootstrap {
  /// The cells of one class against the rest: 1 means that a sample has the class, or is predicted
  /// to.
  ///
  /// - Parameter predicted: the predictions of one run or of two.
  init(_ category: Int, _ labels: LabelSets, _ predicted: [LabelSets]) {
    var counts = Array(repeating: 0, count: 2 << predicted.count)
    for sample in 0..<labels.count {
      var place = labels.contains(category, in: sample) ? 1 : 0
      for sets in predicted { place = place * 2 + (sets.contains(category, in: sample) ? 1 : 0) }
      counts[place] += 1
    }
    let runs = predicted.count
    self.init(
      classCount: 2,
      cells: counts.enumerated().compactMap { place, count in
        guard count > 0 else { return nil }
        return Cell(
          truth: place >> runs, predicted: (0..<runs).map { place >> (runs - 1 - $0) & 1 },
          count: count)
      })
  }
}
