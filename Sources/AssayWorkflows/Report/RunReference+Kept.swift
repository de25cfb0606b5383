import AssayStore

extension RunReference {
  /// The evaluation that stands for a run where none is named: its `default`, unless the dataset was imported
  /// again since; else itself.
  ///
  /// - Throws: `StoreError`.
  func kept(in catalog: Catalog) throws -> RunReference {
    guard evaluation == nil, run.datasetVersion == run.dataset.importVersion,
      let kept = try catalog.evaluations(of: run).first(where: {
        $0.name == EvaluationRecord.defaultName
      })
    else { return self }
    return RunReference(run: run, evaluation: kept)
  }
}
