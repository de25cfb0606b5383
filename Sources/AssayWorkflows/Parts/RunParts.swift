import AssayCore
package import AssayStore
import Foundation

/// A complete set of parts of one run, verified.
package struct RunParts {
  package let folder: PartFolder
  package let files: [PartFile]
  package let identity: PartIdentity
  let task: ModelTask
  package let failed: Int

  /// Reads and verifies the parts in a folder.
  ///
  /// - Throws: ``PartError``, `StoreError`.
  package init(_ path: String) throws {
    folder = try PartFolder(path, verifies: true)
    files = folder.parts.map(\.file)
    guard !folder.parts.isEmpty || !folder.unusable.isEmpty else {
      throw PartError.noParts(path, .prediction)
    }
    if let found = files.first?.identity, found.work != .prediction {
      throw PartError.otherWork(folder: path, found)
    }
    let problems = folder.problems
    guard problems.isEmpty, let first = files.first else {
      throw PartError.notWhole(folder: path, problems: problems)
    }
    identity = first.identity
    guard let task = identity.fact("task")?.text.flatMap(ModelTask.init(rawValue:)) else {
      throw PartError.unusable(path: first.path, .inconsistent("its task is unknown"))
    }
    self.task = task
    failed = files.reduce(0) { $0 + $1.failed }
    let total = files.reduce(0) { $0 + $1.samples }
    guard total == identity.fact("samples")?.whole else {
      throw PartError.unusable(path: first.path, .inconsistent("samples are missing"))
    }
    guard failed < total else { throw PartError.allFailed(count: total) }
  }

  /// The name of the run's dataset.
  package var dataset: String { identity.fact("dataset")?.text ?? "" }

  /// The hash of the run's samples.
  private var list: String { identity.fact("samples_sha256")?.text ?? "" }

  /// The run in a catalog.
  private func draft(in catalog: Catalog, named name: String?) throws -> RunDraft {
    func text(_ fact: String) -> String { identity.fact(fact)?.text ?? "" }
    let dataset = try catalog.dataset(named: text("dataset"))
    var draft = RunDraft(
      name: name, task: task, dataset: dataset.id, view: text("view"),
      settings: text("settings"), versions: text("versions"),
      classes: (identity.fact("classes")?.elements ?? []).compactMap(\.text), samples: [])
    draft.datasetVersion = identity.fact("dataset_version")?.whole
    draft.createdAt = files.map(\.createdAt).max()
    return draft
  }

  private func translating<Value>(_ catalog: Catalog, _ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch PartMismatch.otherSamples {
      throw PartError.otherSamples(
        dataset: identity.fact("dataset")?.text ?? "", catalog: catalog.path,
        madeWith: identity.catalog)
    } catch let fault as PartFault {
      throw PartError.unusable(path: folder.path, fault)
    }
  }

  /// Adds the run to a catalog, and removes what killed tasks left in the folder.
  ///
  /// - Throws: ``PartError``, ``Interrupted``, `StoreError`.
  package func merge(
    into catalog: Catalog, named name: String, progress: any ProgressSink = NoProgress()
  ) throws -> RunRecord {
    let modelName = identity.fact("model")?.text ?? ""
    guard let model = try catalog.models().first(where: { $0.name == modelName }),
      model.hash == identity.fact("model_sha256")?.text,
      ContentHash.of(Array(model.manifest.utf8)) == identity.fact("manifest_sha256")?.text
    else { throw PartError.otherModel(modelName, catalog: catalog.path) }
    var draft = try draft(in: catalog, named: name)
    draft.model = model.id
    let run = try translating(catalog) {
      try catalog.merge(files, as: draft, list: list) { fraction in
        progress.report(fraction, "merging \(files.count) parts")
        try Interruption.check("nothing was stored; run the same command again")
      }
    }
    (try? OpenFolder(folder.path))?.removeAbandonedDrafts()
    return run
  }

  /// Evaluates a run of single labels from columns of the parts and of the catalog, without reading a record per
  /// sample.
  ///
  /// - Returns: the evaluation of the merged run; `nil` where it needs the records of samples: filters, slices,
  ///   corrected labels, decisions, votes, a dataset or a view that changed since. Also `nil` if something is wrong
  ///   with a sample, whose key the evaluation of the records names.
  /// - Throws: ``Interrupted``.
  package func evaluateColumns(
    in catalog: Catalog, _ settings: EvaluationSettings, progress: any ProgressSink = NoProgress()
  ) throws -> Evaluation? {
    guard task.output == .label, settings.filter == nil, settings.slicedBy == nil,
      settings.decision == nil, catalog.truth.truth == nil
    else { return nil }
    do {
      try settings.check(for: .classification, run: folder.path)
      return try columns(in: catalog, settings, progress)
    } catch let interrupted as Interrupted {
      throw interrupted
    } catch {
      return nil
    }
  }

  private func columns(
    in catalog: Catalog, _ settings: EvaluationSettings, _ progress: any ProgressSink
  ) throws -> Evaluation? {
    let draft = try draft(in: catalog, named: nil)
    guard var record = try files.first?.run() else { return nil }
    record.name = folder.path
    record.dataset = try catalog.dataset(named: record.dataset.name)
    (record.classes, record.settings, record.versions) =
      (draft.classes, draft.settings, draft.versions)
    record.total = files.reduce(0) { $0 + $1.samples }
    (record.done, record.failed) = (record.total - failed, failed)
    let selection = try catalog.resolve(draft.view)
    guard record.datasetVersion == record.dataset.importVersion, !record.hasDecision,
      selection.dataset.id == record.dataset.id
    else { return nil }
    try ImageClassification.check(settings, of: record)
    guard try catalog.hasGroundTruth(for: task, in: record.dataset) else { return nil }
    var asked = settings
    let content = try ImageClassification(record, &asked, storedIn: nil, in: catalog)
    let columns = try catalog.partScores(
      files, of: record, in: selection, list: list,
      workers: ProcessInfo.processInfo.activeProcessorCount
    ) { fraction in
      progress.report(fraction, "reading \(files.count) parts")
      try Interruption.check()
    }
    guard let columns else { return nil }
    var run = EvaluatedRun(run: record, evaluation: nil, settings: asked, content: content)
    run.leftOut.failed = failed
    try ImageClassification.count(&run, columns)
    guard run.count > 0 else { return nil }
    return try Evaluator(catalog: catalog, progress: progress).evaluation(of: run)
  }

  /// A catalog that shows the run in place of its own runs, without being changed.
  ///
  /// - Parameter temporary: keeps the rows; it must live as long as the catalog.
  /// - Throws: ``PartError``, ``Interrupted``, `StoreError`.
  package func shown(
    in catalog: Catalog, _ temporary: TemporaryDatabases, progress: any ProgressSink = NoProgress()
  ) throws -> (catalog: Catalog, run: RunRecord) {
    let (shown, runs) = try Self.shown([self], in: catalog, temporary, progress: progress)
    guard let run = runs.first else { throw PartError.noParts(folder.path, .prediction) }
    return (shown, run)
  }

  /// A catalog that shows several runs; see ``shown(in:_:progress:)``.
  ///
  /// - Returns: the catalog, and the runs in the given order.
  package static func shown(
    _ all: [RunParts], in catalog: Catalog, _ temporary: TemporaryDatabases,
    progress: any ProgressSink = NoProgress()
  ) throws -> (catalog: Catalog, runs: [RunRecord]) {
    // Each run is checked before any is copied.
    let runs = try all.map { parts in
      try parts.translating(catalog) {
        ShownParts(
          parts.files, as: try parts.draft(in: catalog, named: nil), named: parts.folder.path,
          list: parts.list)
      }
    }
    let count = all.reduce(0) { $0 + $1.files.count }
    guard let first = all.first else { return (catalog, []) }
    return try first.translating(catalog) {
      try catalog.showing(runs, staging: temporary.database("parts")) { fraction in
        progress.report(fraction, "reading \(count) parts")
        try Interruption.check()
      }
    }
  }
}
