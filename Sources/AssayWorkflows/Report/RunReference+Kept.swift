import AssayStore

extension RunReference {
  /// The evaluation that stands for a run where none is named: its `default`, or by the corrected truth its
  /// `corrected`, unless the dataset was imported or corrected again since; else itself.
  ///
  /// - Parameter sequence: the last entry of the ledger that the truth goes by; `nil` for the imported truth.
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
