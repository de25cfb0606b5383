import AssayCore
package import AssayStore

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
    guard !folder.parts.isEmpty || !folder.unusable.isEmpty else { throw PartError.noParts(path) }
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

  /// A catalog that shows the run in place of its own runs, without being changed.
  ///
  /// - Parameter temporary: keeps the rows; it must live as long as the catalog.
  /// - Throws: ``PartError``, ``Interrupted``, `StoreError`.
  package func shown(
    in catalog: Catalog, _ temporary: TemporaryDatabases, progress: any ProgressSink = NoProgress()
  ) throws -> (catalog: Catalog, run: RunRecord) {
    let draft = try draft(in: catalog, named: nil)
    return try translating(catalog) {
      try catalog.showing(
        files, as: draft, named: folder.path, list: list, staging: temporary.database("parts")
      ) { fraction in
        progress.report(fraction, "reading \(files.count) parts")
        try Interruption.check()
      }
    }
  }
}
