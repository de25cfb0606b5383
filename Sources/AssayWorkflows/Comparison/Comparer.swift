import AssayCore
package import AssayStore

/// Compares two runs of one task over one dataset, sample by sample.
package struct Comparer<Task: ComparedTask> {
  let catalog: Catalog
  private let progress: any ProgressSink

  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// Pairs two runs on their common samples.
  ///
  /// - Parameter second: the run that the first is subtracted from: differences are second − first.
  /// - Returns: the comparison and its task-specific details.
  /// - Throws: ``EvaluationError``, ``RunMasksError``, ``Interrupted``, `MetricError`, `StoreError`.
  package func compare(
    _ first: RunReference, _ second: RunReference, _ settings: EvaluationSettings
  ) throws -> (comparison: Comparison, pairing: Task.Pairing) {
    try SamplePairs.checkRuns((first.name, first.run), (second.name, second.run))
    let sides = try Task.sides(
      first, second, settings, by: Evaluator<Task>(catalog: catalog, progress: progress))
    let places = try SamplePairs.places(
      (first.name, sides.first.samples), (second.name, sides.second.samples))
    let truths = try ComparedTruths(first, second, in: catalog)
    let scoring = settings.scoring(samples: places.count)
    if scoring.intervals != nil { progress.report(1, "computing intervals") }
    let pairing = try Task.pair(sides, at: places, settings, scoring, truths, in: catalog)
    return (
      Comparison(
        first: sides.first.name, second: sides.second.name,
        samples: places.map { sides.first.samples[$0.0] }, dataset: first.run.dataset,
        details: pairing.wrapped, classes: pairing.classes, differences: pairing.differences,
        notes: truths.notes + sides.notes + Task.notes(on: pairing, of: sides, settings)),
      pairing
    )
  }
}
