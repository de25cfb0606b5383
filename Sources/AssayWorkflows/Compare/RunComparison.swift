import AssayMetrics
package import AssayStore

/// Compares two runs of one dataset, sample by sample.
package struct RunComparison {
  private let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  /// Pairs two runs on the samples they share.
  ///
  /// - Parameters:
  ///   - first: RUN or RUN@EVALUATION.
  ///   - second: the same; differences are second − first.
  /// - Throws: ``EvaluationError``, `MetricError`, `StoreError`.
  package func compare(
    _ first: String, _ second: String, _ settings: EvaluationSettings
  ) throws -> RunPairing {
    let evaluator = Evaluator<ImageClassification>(catalog: catalog)
    let (one, other) = (
      try evaluator.chosen(RunReference(first, in: catalog), settings),
      try evaluator.chosen(RunReference(second, in: catalog), settings)
    )
    try SamplePairs.checkDatasets((one.name, one.run), (other.name, other.run))
    let pairs = try SamplePairs.places((one.name, one.samples), (other.name, other.samples))
    let truths = try ComparedTruths(
      RunReference(first, in: catalog), RunReference(second, in: catalog), in: catalog)
    for (a, b) in pairs {
      guard one.join.classes[one.truths[a]] == other.join.classes[other.truths[b]] else {
        throw truths.error(key: one.samples[a].key)
      }
    }
    let known = Set(one.join.classes)
    let classes = one.join.classes + other.join.classes.filter { !known.contains($0) }
    let tallies = (
      try one.tally(of: pairs.map(\.0), classes: classes),
      try other.tally(of: pairs.map(\.1), classes: classes)
    )
    let comparison = try ClassificationComparison(
      first: tallies.0, second: tallies.1, settings.scoring(samples: pairs.count))
    return RunPairing(
      first: one, second: other, samples: pairs.map { one.samples[$0.0] }, classes: classes,
      firstTally: tallies.0, secondTally: tallies.1,
      comparison: comparison,
      notes: truths.notes + Self.notes(one, other, pairs: pairs.count)
        + Evaluation.intervalNotes(samples: pairs.count, settings)
        + Self.intervalNotes(comparison, classes: classes))
  }

  /// Where there is no interval, and what those of classes mean.
  private static func intervalNotes(
    _ comparison: ClassificationComparison, classes: [String]
  ) -> [String] {
    IntervalNotes.missing(
      ClassificationComparison.kinds.map { ($0, [comparison[$0]?.missing]) }
        + ClassificationComparison.classKinds.map { ($0, comparison.perClass($0).map(\.missing)) },
      classes: classes)
      + IntervalNotes.simultaneous(comparison.perClass(.recall)).map {
        $0 + "; those of recall hold 0 wherever p (Holm) is 0.05 or more"
      }
  }

  private static func notes(
    _ first: EvaluatedRun<ImageClassification>, _ second: EvaluatedRun<ImageClassification>,
    pairs: Int
  ) -> [String] {
    [first, second].flatMap { run -> [String] in
      var notes = run.leftOut.reasons.map { "left out of \(run.name): \($0)" }
      notes += run.normalizationNotes(run.settings)
      if run.samples.count > pairs {
        let alone = run.samples.count - pairs
        notes.append(
          "left out: \(alone) \(alone == 1 ? "sample" : "samples") that only \(run.name) has")
      }
      return notes
    }
  }
}
