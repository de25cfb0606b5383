import AssayCore
import AssayStore

/// A file of predictions and the samples it is imported for.
struct ImportSource {
  let tree: DirectoryTree
  let selection: Selection
  /// The samples of the view, at least one.
  let samples: [SampleRecord]
  let taxonomy: Taxonomy

  /// The classes of the dataset that predictions can be compared with.
  var known: [String] { taxonomy.categories.filter { !$0.isVoid }.map(\.name) }

  /// - Throws: ``PredictionsError/emptyView(_:)``, ``SourceError``, `StoreError`.
  init(_ path: String, view: String, in catalog: Catalog) throws {
    tree = try DirectoryTree(path)
    selection = try catalog.resolve(view)
    samples = try catalog.samples(in: selection)
    guard !samples.isEmpty else { throw PredictionsError.emptyView(view) }
    taxonomy = try catalog.taxonomy(of: selection.dataset.id)
  }
}

extension Catalog {
  /// Creates a run from a draft and stores its results, completely or not at all. A run with the draft's name
  /// that was made from the same file for the same samples is continued, or found if it is complete.
  ///
  /// - Parameter store: stores the results; not called for a complete run.
  /// - Returns: the run, and false if it was complete before.
  /// - Throws: ``PredictionsError/otherRun(_:)`` for another run with that name; the errors of `store`.
  func storeRun(
    _ draft: RunDraft, of dataset: DatasetRecord, store: (RunRecord) throws -> Void
  ) throws -> (run: RunRecord, isNew: Bool) {
    let earlier = try findRun(matching: draft, dataset)
    if let earlier, earlier.done >= earlier.total { return (earlier, false) }
    let run = try earlier ?? createRun(draft)
    do {
      try store(run)
    } catch {
      _ = try? remove(.run, named: run.name)
      throw error
    }
    return (try self.run(named: run.name), true)
  }

  /// The run with a draft's name, if it was imported from the same file for the same samples.
  ///
  /// - Throws: ``PredictionsError/otherRun(_:)`` for another run with that name.
  func findRun(matching draft: RunDraft, _ dataset: DatasetRecord) throws -> RunRecord? {
    guard let name = draft.name, let run = try findRun(named: name) else { return nil }
    guard run.model == nil, run.task == draft.task, run.settings == draft.settings,
      run.dataset.id == draft.dataset, run.datasetVersion == dataset.importVersion,
      run.total == draft.samples.count, run.classes == draft.classes
    else { throw PredictionsError.otherRun(name) }
    return run
  }
}
