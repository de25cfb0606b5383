package import AssayCore

/// Two classification runs on the same samples: the paired difference of every score, the
/// regressions and the improvements.
package struct ClassificationComparison: Sendable, Equatable {
  /// The number of samples *n* that both runs have.
  package let count: Int
  /// The indices of samples that are correct only in the first run.
  package let lost: [Int]
  /// The indices of samples that are correct only in the second run.
  package let won: [Int]
  /// The number of samples that are correct in both runs, and in neither.
  package let bothRight: Int
  package let neitherRight: Int
  /// McNemar's test of accuracy.
  package let test: McNemar
  /// McNemar's test of each class's recall, by ordinal; `nil` if no sample has the class in the
  /// ground truth.
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
  package static let kinds: [MetricKind] = MetricKind.kinds(of: .classification).filter {
    ClassificationComparison.isCompared($0) && !$0.isPerCategory
  }
  package static let classKinds: [MetricKind] = MetricKind.kinds(of: .classification).filter {
    ClassificationComparison.isCompared($0) && $0.isPerCategory
  }

  private static func isCompared(_ kind: MetricKind) -> Bool {
    kind != .support && kind != .baselineAccuracy
  }

  /// Compares two tallies with the same samples in the same order.
  ///
  /// - Parameter settings: as for the scores of one run; the abstention rule is applied to both.
  /// - Throws: ``MetricError`` if classes, samples or a ground-truth label differ.
  /// - Complexity: as for the scores of both.
  package init(
    first: ClassificationTally, second: ClassificationTally,
    _ settings: ScoringSettings = ScoringSettings()
  ) throws {
    guard first.classCount == second.classCount else {
      throw MetricError.classMismatch(first.classCount, second.classCount)
    }
    guard first.count == second.count else {
      throw MetricError.sampleMismatch(first.count, second.count)
    }
    if let sample = first.truths.indices.first(where: { first.truths[$0] != second.truths[$0] }) {
      throw MetricError.truthMismatch(sample: sample)
    }
    count = first.count
    var (lost, won, both) = ([Int](), [Int](), 0)
    var classLosses = Array(repeating: 0, count: first.classCount)
    var (classWins, support) = (classLosses, classLosses)
    for index in first.truths.indices {
      let truth = first.truths[index]
      support[Int(truth)] += 1
      switch (truth == first.predictions[index], truth == second.predictions[index]) {
      case (true, true): both += 1
      case (true, false):
        lost.append(index)
        classLosses[Int(truth)] += 1
      case (false, true):
        won.append(index)
        classWins[Int(truth)] += 1
      case (false, false): break
      }
    }
    (self.lost, self.won, bothRight) = (lost, won, both)
    neitherRight = count - both - lost.count - won.count
    test = McNemar(onlyFirst: lost.count, onlySecond: won.count)
    classTests = support.indices.map { category in
      support[category] == 0
        ? nil : McNemar(onlyFirst: classLosses[category], onlySecond: classWins[category])
    }
    classPValues = HolmCorrection.of(classTests.map { $0?.pValue })

    var plain = settings
    plain.intervals = nil
    let (a, b) = (
      try ClassificationScores(first, plain), try ClassificationScores(second, plain)
    )
    let intervals = try settings.intervals.map {
      try DifferenceIntervals(
        first, second, abstention: settings.abstention, $0, workers: settings.workers)
    }
    for kind in Self.kinds {
      numbers[kind] = Difference(
        a[kind], b[kind], intervals?.numbers[kind] ?? nil, missing: intervals?.missing[kind])
    }
    for kind in Self.classKinds {
      let known = intervals?.classNumbers[kind] ?? []
      let missing = intervals?.classMissing[kind] ?? []
      classNumbers[kind] = zip(a.perClass(kind), b.perClass(kind)).enumerated().map {
        Difference(
          $1.0, $1.1, $0 < known.count ? known[$0] : nil,
          missing: $0 < missing.count ? missing[$0] : nil)
      }.simultaneous(pValues: kind == .recall ? classPValues : [])
    }
  }
}
