package import AssayCore

/// The effect of a different ground truth on the scores of one run: the same predictions on the
/// same samples, evaluated against two ground truths.
///
/// Differences are the scores with the second ground truth − those with the first. Intervals draw
/// the same samples for both.
package struct TruthEffect: Sendable, Equatable {
  /// The number of samples *n* that are evaluated with both ground truths.
  package let count: Int
  private var numbers: [MetricKind: Difference] = [:]

  /// The difference of a metric with one value per run; `nil` if the metric is not compared.
  package subscript(kind: MetricKind) -> Difference? { numbers[kind] }

  /// The effect on a classification: accuracy.
  ///
  /// - Throws: ``MetricError`` if classes or the number of samples differ.
  package init(
    first: ClassificationTally, second: ClassificationTally, _ settings: ScoringSettings
  ) throws {
    guard first.classCount == second.classCount else {
      throw MetricError.classMismatch(first.classCount, second.classCount)
    }
    try self.init(count: first.count, second.count)
    let sides = [first, second].map { tally in
      tally.truths.indices.map { tally.truths[$0] == tally.predictions[$0] ? 1.0 : 0.0 }
    }
    guard count > 0 else { return }
    let differences = zip(sides[0], sides[1]).map { $1 - $0 }
    let interval = try settings.intervals.flatMap { bootstrap -> Interval? in
      guard count >= Bootstrap.leastSamples else { return StudentInterval.of(differences) }
      let draws = try SampleBootstrap(means: [differences])
        .run(samples: count, bootstrap, workers: settings.workers)
      return PercentileInterval.of(draws.means[0])
    }
    let values = sides.map { $0.reduce(0, +) / Double(count) }
    numbers[.accuracy] = Difference(first: values[0], second: values[1], interval: interval)
  }

  /// The effect on a multi-label classification: every score with one value per run.
  ///
  /// - Parameter thresholds: one per class.
  /// - Throws: ``MetricError`` if classes, precision or the number of samples differ.
  package init(
    first: MultiLabelTally, second: MultiLabelTally, _ thresholds: LabelThresholds,
    _ settings: ScoringSettings
  ) throws {
    try first.checkKind(of: second)
    try thresholds.check(classCount: first.classCount)
    try self.init(count: first.count, second.count)
    let pair = try MultiLabelPair(
      (first, thresholds), (second, thresholds), settings, byClass: false)
    for kind in MultiLabelComparison.kinds { numbers[kind] = pair.difference(kind) }
  }

  /// The effect on masks: every score with one value per run.
  ///
  /// - Throws: ``MetricError`` if labels or the number of samples differ.
  package init(
    first: SegmentationTally, second: SegmentationTally, empty: EmptyRule,
    _ settings: ScoringSettings
  ) throws {
    guard first.labels == second.labels else { throw MetricError.labelMismatch }
    try self.init(count: first.count, second.count)
    let plain = ScoringSettings(intervals: nil, workers: settings.workers)
    let scores = try [first, second].map { try SegmentationScores($0, empty: empty, plain) }
    let intervals = try settings.intervals.map {
      try SegmentationIntervals(
        [first, second].map { SegmentationColumns($0, empty: empty) }, $0,
        workers: settings.workers)
    }
    for kind in SegmentationScores.kinds(for: first.labels) {
      numbers[kind] = Difference(scores[0][kind], scores[1][kind], intervals?.numbers[kind])
    }
  }

  /// The effect on detections: every score with one value per run.
  ///
  /// - Throws: ``MetricError`` if classes, settings or the number of images differ.
  package init(
    first: DetectionTally, second: DetectionTally, _ settings: ScoringSettings
  ) throws {
    guard first.classCount == second.classCount else {
      throw MetricError.classMismatch(first.classCount, second.classCount)
    }
    guard first.settings == second.settings else { throw MetricError.settingsMismatch }
    try self.init(count: first.count, second.count)
    let plain = ScoringSettings(intervals: nil, workers: settings.workers)
    let scores = try [first, second].map { try DetectionScores($0, plain) }
    let intervals = try settings.intervals.map {
      try DetectionIntervals([first, second], scores: scores, $0, workers: settings.workers)
    }
    for kind in DetectionScores.kinds(first.settings.overlap) {
      // Either ground truth can have too few objects.
      let missing =
        settings.intervals == nil ? nil : scores[0][kind].missing ?? scores[1][kind].missing
      numbers[kind] = Difference(
        scores[0][kind], scores[1][kind], missing == nil ? intervals?.numbers[kind] : nil,
        missing: missing)
    }
  }

  private init(count: Int, _ other: Int) throws {
    guard count == other else { throw MetricError.sampleMismatch(count, other) }
    self.count = count
  }
}
