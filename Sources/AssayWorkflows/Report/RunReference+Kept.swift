import AssayStore

extension RunReference {
  /// The default evaluation of a run if none is named: its `default`, or for the corrected ground
  /// truth its `corrected`, unless the dataset was imported or corrected again since; otherwise the
  /// run itself.
  ///
  /// - Parameter sequence: the last ledger entry that the ground truth includes; `nil` for the
  ///   imported ground truth.
  /// - Throws: `StoreError`.
  func kept(in catalog: Catalog, by sequence: Int64? = nil) throws -> RunReference {
    let names =
      sequence.map { ["corrected", "corrected-\($0)"] } ?? [EvaluationRecord.defaultName]
    guard evaluation == nil, run.datasetVersion == run.dataset.importVersion,
      let kept = try catalog.evaluations(of: run).first(where: {
        names.contains($0.name) && $0.ledgerSequence == sequence
      })
    else { return self }
    return RunReference(run: run, evaluation: kept)
  }
}
