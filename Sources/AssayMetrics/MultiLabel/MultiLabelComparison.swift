package import AssayCore

/// Two multi-label runs on the same samples: the paired difference of every score, and the samples
/// whose predicted classes became worse or better.
package struct MultiLabelComparison: Sendable, Equatable {
  /// The number of samples *n* in both runs.
  package let count: Int
  /// The indices of samples with more wrong classes in the second run than in the first.
  package let lost: [Int]
  /// The indices of samples with fewer wrong classes in the second run than in the first.
  package let won: [Int]
  /// The number of samples whose predicted set equals that of the ground truth in both runs, and in
  /// neither.
  package let bothExact: Int
  package let neitherExact: Int
  /// McNemar's test of subset accuracy.
  package let test: McNemar
  /// McNemar's test of each class's recall, by ordinal; `nil` if no sample has the class.
  package let classTests: [McNemar?]
  /// The p-values of `classTests`, with Holm correction over the classes.
  package let classPValues: [Double?]
  private var numbers: [MetricKind: Difference] = [:]
  private var classNumbers: [MetricKind: [Difference]] = [:]

  /// The difference of a metric with one value per run; `nil` if the metric is not compared.
  package subscript(kind: MetricKind) -> Difference? { numbers[kind] }

  /// The differences of a metric with one value per class, by ordinal; empty if not compared. Their
  /// intervals are simultaneous; those of recall are also consistent with ``classPValues``.
  package func perClass(_ kind: MetricKind) -> [Difference] { classNumbers[kind] ?? [] }

  /// The compared metrics, with one value per run and with one value per class.
  package static let kinds = compared.filter { !$0.isPerCategory }
  package static let classKinds = compared.filter { $0.isPerCategory }

  private static let compared = MetricKind.kinds(of: .multiLabel).filter {
    // A comparison has no decision.
    $0.isBetterHigher != nil && ![.coverage, .selectiveRisk].contains($0)
  }

  /// Compares two tallies with the same samples in the same order.
  ///
  /// - Parameters:
  ///   - thresholds: the thresholds of the first run, one per class.
  ///   - others: the thresholds of the second run; `nil` for the same.
  /// - Throws: ``MetricError`` if classes, precision, samples or the classes of a sample differ.
  /// - Complexity: as for the scores of both.
  package init(
    first: MultiLabelTally, second: MultiLabelTally, _ thresholds: LabelThresholds,
    _ settings: ScoringSettings = ScoringSettings(), others: LabelThresholds? = nil
  ) throws {
    try first.checkKind(of: second)
    for thresholds in [thresholds, others ?? thresholds] {
      try thresholds.check(classCount: first.classCount)
    }
    guard first.count == second.count else {
      throw MetricError.sampleMismatch(first.count, second.count)
    }
    let labels = first.labels
    if let sample = (0..<first.count).first(where: { !labels.isEqual(at: $0, second.labels) }) {
      throw MetricError.truthMismatch(sample: sample)
    }
    let pair = try MultiLabelPair(
      (first, thresholds), (second, others ?? thresholds), settings, byClass: true)
    let (a, b) = (pair.sides[0].parts.columns, pair.sides[1].parts.columns)

    count = first.count
    let changes = (0..<count).map { b.wrong[$0] - a.wrong[$0] }
    lost = changes.indices.filter { changes[$0] > 0 }
    won = changes.indices.filter { changes[$0] < 0 }
    var exact = (both: 0, first: 0, second: 0)
    for sample in 0..<count {
      switch (a.wrong[sample] == 0, b.wrong[sample] == 0) {
      case (true, true): exact.both += 1
      case (true, false): exact.first += 1
      case (false, true): exact.second += 1
      case (false, false): break
      }
    }
    bothExact = exact.both
    neitherExact = count - exact.both - exact.first - exact.second
    test = McNemar(onlyFirst: exact.first, onlySecond: exact.second)

    var onlyFirst = Array(repeating: 0, count: first.classCount)
    var onlySecond = onlyFirst
    for sample in 0..<count {
      labels.forEach(in: sample) { category in
        let hits = (
          a.predicted.contains(category, in: sample), b.predicted.contains(category, in: sample)
        )
        onlyFirst[category] += hits.0 && !hits.1 ? 1 : 0
        onlySecond[category] += hits.1 && !hits.0 ? 1 : 0
      }
    }
    classTests = a.totals.truth.indices.map { category in
      a.totals.truth[category] == 0
        ? nil : McNemar(onlyFirst: onlyFirst[category], onlySecond: onlySecond[category])
    }
    classPValues = HolmCorrection.of(classTests.map { $0?.pValue })

    for kind in Self.kinds { numbers[kind] = pair.difference(kind) }
    for kind in Self.classKinds {
      classNumbers[kind] = pair.differences(kind).simultaneous(
        pValues: kind == .recall ? classPValues : [])
    }
  }
}

/// The scores of two sides on the same samples, and the intervals of their differences.
struct MultiLabelPair {
  let sides: [MultiLabelIntervals.Side]
  private let scores: [MultiLabelScores]
  private let intervals: MultiLabelIntervals?

  /// - Parameters:
  ///   - first: a tally with its thresholds, one per class; `second` likewise.
  ///   - byClass: whether the differences of classes have intervals; the ground truth is then the
  ///     same.
  init(
    _ first: (tally: MultiLabelTally, thresholds: LabelThresholds),
    _ second: (tally: MultiLabelTally, thresholds: LabelThresholds),
    _ settings: ScoringSettings, byClass: Bool
  ) throws {
    let jackknife = settings.intervals != nil && first.tally.count >= Bootstrap.leastSamples
    let sides = try [first, second].map { tally, thresholds in
      MultiLabelIntervals.Side(
        labels: tally.labels,
        parts: try MultiLabelParts(
          tally, thresholds, forIntervals: jackknife, workers: settings.workers))
    }
    self.sides = sides
    scores = zip([first, second], sides).map { side, made in
      MultiLabelScores(side.tally, side.thresholds, made.parts)
    }
    intervals = try settings.intervals.map {
      try MultiLabelIntervals(sides, byClass: byClass, $0, workers: settings.workers)
    }
  }

  /// The difference of a metric with one value per run.
  func difference(_ kind: MetricKind) -> Difference {
    Difference(
      scores[0][kind], scores[1][kind], intervals?.numbers[kind],
      missing: intervals.flatMap {
        $0.missing[kind] ?? (MultiLabelIntervals.kinds.contains(kind) ? .difference : nil)
      })
  }

  /// The differences of a metric with one value per class, by ordinal.
  func differences(_ kind: MetricKind) -> [Difference] {
    let known = intervals?.classNumbers[kind] ?? []
    let missing = intervals?.classMissing[kind] ?? []
    return zip(scores[0].perClass(kind), scores[1].perClass(kind)).enumerated().map {
      Difference(
        $1.0, $1.1, $0 < known.count ? known[$0] : nil,
        missing: ($0 < missing.count ? missing[$0] : nil)
          ?? (intervals != nil && MultiLabelIntervals.classKinds.contains(kind)
            ? .difference : nil))
    }
  }
}
