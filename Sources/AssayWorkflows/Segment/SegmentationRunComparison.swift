import AssayMetrics
package import AssayStore

/// Compares two runs that find regions, sample by sample.
package struct SegmentationRunComparison {
  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// Pairs two runs on the samples that both have, by the classes that both judge.
  ///
  /// - Parameter second: differences are second − first.
  /// - Throws: ``EvaluationError``, ``RunMasksError``, ``Interrupted``,
  ///   `MetricError`, `StoreError`.
  package func compare(
    _ first: RunReference, _ second: RunReference, _ settings: EvaluationSettings
  ) throws -> SegmentationPairing {
    try SamplePairs.checkDatasets((first.name, first.run), (second.name, second.run))
    let evaluator = Evaluator<SemanticSegmentation>(catalog: catalog, progress: progress)
    let whole = (
      try evaluator.counted(first, settings), try evaluator.counted(second, settings)
    )
    let pairs = try SamplePairs.places(
      (first.name, whole.0.samples), (second.name, whole.1.samples))
    let known = Set(whole.1.classes.judged)
    let shared = whole.0.classes.judged.filter { known.contains($0) }
    guard !shared.isEmpty else {
      throw EvaluationError.noSharedClass(
        first.name, whole.0.classes.judged, second.name, whole.1.classes.judged)
    }
    var (one, other) = (
      whole.0.selecting(pairs.map(\.0)), whole.1.selecting(pairs.map(\.1))
    )
    one.content.tally = try one.tally.judging(only: shared)
    other.content.tally = try other.tally.judging(only: shared)
    let empty = settings.masks.empty
    let truths = try ComparedTruths(first, second, in: catalog)
    let comparison: SegmentationComparison
    do {
      comparison = try SegmentationComparison(
        first: one.tally, second: other.tally, empty: empty,
        settings.scoring(samples: pairs.count))
    } catch MetricError.truthMismatch(let sample) {
      throw truths.error(key: one.samples[sample].key)
    }
    let plain = ScoringSettings(intervals: nil)
    return SegmentationPairing(
      first: one, second: other,
      firstScores: try SegmentationScores(one.tally, empty: empty, plain).samples,
      secondScores: try SegmentationScores(other.tally, empty: empty, plain).samples,
      labels: one.tally.labels, comparison: comparison,
      notes: truths.notes + Self.notes(whole.0, whole.1, shared: shared, comparison)
        + Evaluation.intervalNotes(samples: pairs.count, settings)
        + IntervalNotes.simultaneous(comparison.perClass(.classIoU)))
  }

  private static func notes(
    _ first: EvaluatedRun<SemanticSegmentation>, _ second: EvaluatedRun<SemanticSegmentation>,
    shared: [String],
    _ comparison: SegmentationComparison
  ) -> [String] {
    var notes = [first, second].flatMap { run -> [String] in
      var notes = run.leftOut.reasons.map { "left out of \(run.name): \($0)" }
      let alone = run.samples.count - comparison.count
      if alone > 0 {
        notes.append(
          "left out: \(alone) \(alone == 1 ? "sample" : "samples") that only \(run.name) has")
      }
      let others = run.classes.judged.filter { !shared.contains($0) }
      if !others.isEmpty {
        notes.append(
          "classes of \(run.name) alone, counted as background: "
            + others.joined(separator: ", "))
      }
      return notes
    }
    let different = comparison.differentPixels.count
    if different > 0 {
      notes.append(
        "in \(different) of \(comparison.count) samples the two runs are judged on different pixels "
          + "(one crops, say), so part of the difference is theirs")
    }
    return notes
  }
}
