import AssayStore

/// Searches for a run of the same model over the same samples with the same settings.
struct EarlierRun {
  let catalog: Catalog

  /// The run to resume, or the completed run; `nil` to create a new one.
  ///
  /// If an unused name is given, a new run is created even if an identical run exists.
  ///
  /// - Throws: ``PredictError/otherRun(_:difference:)`` if the name belongs to a different run.
  func find(
    named name: String?, model: ModelRecord, dataset: DatasetRecord, settings: String,
    samples: [Int64]
  ) throws -> RunRecord? {
    let same = try catalog.findRun(
      model: model.id, dataset: dataset.id, settings: settings, samples: samples)
    guard let name else { return same }
    guard let run = try catalog.findRun(named: name) else { return nil }
    if run.id == same?.id { return run }
    if run.model?.id != model.id {
      throw PredictError.otherRun(
        name, difference: "with the model \(run.model?.name ?? "imported predictions")")
    }
    if run.dataset.id != dataset.id || run.datasetVersion != dataset.importVersion {
      throw PredictError.otherRun(name, difference: "over an earlier import of \(run.view)")
    }
    if run.settings != settings {
      throw PredictError.otherRun(name, difference: "with the settings \(run.settings)")
    }
    guard try self.samples(of: run) == samples else {
      throw PredictError.otherRun(name, difference: "over \(run.view) with other samples")
    }
    return run
  }

  /// The samples of an interrupted run that are to be computed: those that are pending, and those that failed, whose
  /// cause may have been fixed since.
  func left(of run: RunRecord, among samples: [SampleRecord]) throws -> [SampleRecord] {
    let left = Set(
      try catalog.pending(of: run.id).map(\.sample) + catalog.failures(of: run.id).map(\.sample))
    return samples.filter { left.contains($0.id) }
  }

  /// The run's frozen list of samples.
  private func samples(of run: RunRecord) throws -> [Int64] {
    let pending = try catalog.pending(of: run.id).map { ($0.position, $0.sample) }
    let failed = try catalog.failures(of: run.id).map { ($0.position, $0.sample) }
    var open = Dictionary(pending + failed, uniquingKeysWith: { first, _ in first })
    var done = try catalog.doneSamples(of: run.id).map(\.id).makeIterator()
    return (0..<run.total).compactMap { open.removeValue(forKey: $0) ?? done.next() }
  }
}
