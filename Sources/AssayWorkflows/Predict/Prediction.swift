import AssayCore
import AssayInference
package import AssayStore
import Foundation

/// Runs a model over a view: finds or creates the run, and computes the pending samples.
package struct Prediction {
  private let request: PredictRequest
  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(
    _ request: PredictRequest, catalog: Catalog, progress: any ProgressSink = NoProgress()
  ) {
    self.request = request
    self.catalog = catalog
    self.progress = progress
  }

  /// Computes the pending samples. Repeating a request resumes an interrupted run, retries failed
  /// samples, and finds a completed run.
  ///
  /// - Throws: ``PredictError``, ``Interrupted``, `InferenceError`, `StoreError`. A run is created
  ///   only after its first samples have passed every check.
  package func run() throws -> PredictSummary {
    let selection = try catalog.resolve(request.view)
    let model = try catalog.model(named: request.model)
    let work = try PredictWork(request, model)
    return try run(work.task, work.settings, model, selection)
  }

  /// A decision to record, with its path and its text.
  private struct Decision {
    let file: DecisionFile
    let path: String
    let text: String

    /// - Throws: ``DecisionError/otherClasses(file:_:run:_:)``.
    func check(_ model: ModelRecord, _ fitted: ValidatedModel) throws(DecisionError) {
      try file.check(classes: fitted.classes, run: "the model \(model.name)", file: path)
    }
  }

  /// - Parameter scored: the settings without a decision.
  private func run(
    _ task: some PredictTask, _ scored: String, _ model: ModelRecord, _ selection: Selection
  ) throws -> PredictSummary {
    let decision = try decision(for: model, scored)
    let settings = try recording(decision, in: scored)
    let samples = try catalog.samples(in: selection, limit: request.limit)
    guard !samples.isEmpty else { throw PredictError.emptyView(request.view) }
    if let part = request.part {
      return try make(part, task, settings, decision, model, selection, samples)
    }
    let ids = samples.map(\.id)
    let earlier = try EarlierRun(catalog: catalog).find(
      named: request.name, model: model, dataset: selection.dataset, settings: settings,
      samples: ids)
    if let earlier, earlier.done == earlier.total {
      let match = try ClassMatch(
        model, classes: earlier.classes, try catalog.taxonomy(of: selection.dataset.id), selection,
        samples: samples,
        hasGroundTruth: try catalog.hasGroundTruth(for: model.task, in: selection.dataset),
        allowsNone: request.ignoreMissing)
      return try finished(PredictSummary(run: earlier, start: .alreadyDone), match)
    }
    let fitted = try model.load()
    try decision?.check(model, fitted)
    let match = try match(model, fitted, selection, samples)
    let pending =
      try earlier.map { try EarlierRun(catalog: catalog).left(of: $0, among: samples) } ?? samples
    let work = try PredictLoop(
      request, task, model: fitted, catalog: catalog, dataset: selection.dataset,
      pending: pending, isResumed: earlier != nil, progress: progress)
    if let earlier {
      try checkScripts(of: earlier, fitted)
      try work.verifyStored(of: earlier)
    }
    let run = try earlier ?? create(model, fitted, settings, selection, ids)
    let summary = try work.finish(run, start: earlier == nil ? .new : .resumed)
    return try finished(summary, match)
  }

  /// Makes a part of the run.
  ///
  /// - Parameter samples: those of the whole run.
  private func make(
    _ part: PartRequest, _ task: some PredictTask, _ settings: String, _ decision: Decision?,
    _ model: ModelRecord, _ selection: Selection, _ samples: [SampleRecord]
  ) throws -> PredictSummary {
    let fitted = try model.load()
    try decision?.check(model, fitted)
    let match = try match(model, fitted, selection, samples)
    var summary = try PartPrediction(
      request: request, place: part, catalog: catalog,
      madeWith: URL(fileURLWithPath: catalog.path).path, model: model, fitted: fitted,
      dataset: selection.dataset, settings: settings, versions: try versions(of: fitted),
      progress: progress
    ).run(task, ShardSamples(part.shard, of: samples))
    summary.add(match)
    return summary
  }

  /// Plans the run: what ``PlannedPrediction`` needs to make its parts without the catalog.
  ///
  /// - Throws: ``PredictError``, `InferenceError`, `StoreError`.
  func plan() throws -> PlannedRun {
    let selection = try catalog.resolve(request.view)
    let model = try catalog.model(named: request.model)
    let work = try PredictWork(request, model)
    let samples = try catalog.samples(in: selection, limit: request.limit)
    guard !samples.isEmpty else { throw PredictError.emptyView(request.view) }
    let fitted = try model.load()
    let decision = try decision(for: model, work.settings)
    try decision?.check(model, fitted)
    return PlannedRun(
      model: model, dataset: selection.dataset,
      settings: try recording(decision, in: work.settings), samples: samples,
      match: try match(model, fitted, selection, samples))
  }

  /// The mapping between the classes of a model and of a view.
  ///
  /// - Throws: ``PredictError/missingClasses(_:model:classes:view:)``,
  ///   ``PredictError/nothingInCommon(model:classes:dataset:categories:)``.
  private func match(
    _ model: ModelRecord, _ fitted: ValidatedModel, _ selection: Selection,
    _ samples: [SampleRecord]
  ) throws -> ClassMatch {
    let match = try ClassMatch(
      model, classes: fitted.classes, try catalog.taxonomy(of: selection.dataset.id), selection,
      samples: samples,
      hasGroundTruth: try catalog.hasGroundTruth(for: model.task, in: selection.dataset),
      allowsNone: request.ignoreMissing)
    guard match.missing.isEmpty || request.ignoreMissing else {
      throw PredictError.missingClasses(
        match.missing, model: model.name, classes: fitted.classes, view: request.view)
    }
    return match
  }

  /// The requested decision, if it was made for this model with these settings.
  ///
  /// - Throws: ``DecisionError``, `InferenceError`, ``PredictionsError``.
  private func decision(
    for model: ModelRecord, _ settings: String
  ) throws -> Decision? {
    guard let path = request.decision else { return nil }
    let (decision, text) = try DecisionFile.read(path)
    try decision.check(for: model, settings: settings, file: path)
    return Decision(file: decision, path: path, text: text)
  }

  /// Settings with a decision.
  private func recording(
    _ decision: Decision?, in settings: String
  ) throws -> String {
    guard let decision else { return settings }
    return try RunRecord.settings(settings, deciding: decision.file, text: decision.text)
  }

  private func create(
    _ model: ModelRecord, _ fitted: ValidatedModel, _ settings: String, _ selection: Selection,
    _ samples: [Int64]
  ) throws -> RunRecord {
    try catalog.createRun(
      RunDraft(
        name: request.name, model: model.id, task: model.task, dataset: selection.dataset.id,
        view: request.view, settings: settings, versions: versions(of: fitted),
        classes: fitted.classes, samples: samples))
  }

  private func versions(of model: ValidatedModel) throws -> String {
    try RunVersions.text(of: model, program: request.programVersion)
  }

  /// Refuses to continue a run whose samples were computed by other scripts of a runner.
  ///
  /// - Throws: ``PredictError/storedDiffers(run:reason:)``.
  private func checkScripts(of run: RunRecord, _ model: ValidatedModel) throws {
    guard let runner = model.runner, run.done > 0 else { return }
    let stored = (try? JSONValue(parsing: run.versions))?.member("runner_scripts")?.members ?? []
    let now = try RunnerTrust.scripts(of: runner.program).map {
      JSONValue.Member($0.path, .string($0.hash))
    }
    guard Set(stored) != Set(now) else { return }
    throw PredictError.storedDiffers(
      run: run.name,
      reason: "its \(run.done) samples were computed by other versions of the runner's scripts.")
  }

  /// The summary with the run's current counts.
  ///
  /// - Throws: ``PredictError/allFailed(run:count:first:)``.
  private func finished(_ summary: PredictSummary, _ match: ClassMatch) throws -> PredictSummary {
    var summary = summary
    summary.add(match)
    summary.hasGroundTruth = try catalog.hasGroundTruth(
      for: summary.run.task, in: summary.run.dataset)
    summary.run = try catalog.run(named: summary.run.name)
    let failures = try catalog.failures(of: summary.run.id).prefix(10)
    if summary.run.done == 0, let first = failures.first {
      throw PredictError.allFailed(
        run: summary.run.name, count: summary.run.failed, first: first.message)
    }
    summary.failures = Array(failures)
    return summary
  }
}

extension PredictSummary {
  /// Adds how the classes of the model and of the view match.
  mutating func add(_ match: ClassMatch) {
    missing = match.missing
    shared = match.shared
    unmatched = match.unmatched
  }
}

extension ModelTask {
  /// The task in the settings of a scores run. Classification runs do not name it, so that runs
  /// made before there were other tasks of this kind are still found.
  var settingsMembers: [JSONValue.Member] {
    switch output {
    case .label: []
    case .labels, .masks, .objects: [.init("task", .string(rawValue))]
    }
  }
}
