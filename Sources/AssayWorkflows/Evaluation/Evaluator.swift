import AssayCore
package import AssayStore

/// Evaluates runs of one task, and stores evaluations with their runs.
package struct Evaluator<Task: EvaluatedTask> {
  let catalog: Catalog
  private let progress: any ProgressSink

  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// Evaluates a run and computes its metrics. Nothing is stored.
  ///
  /// - Parameters:
  ///   - reference: a run, or a stored evaluation whose samples, ground truth and counts are used.
  ///   - settings: for a stored evaluation, settings that need no other counts override the stored
  ///     ones.
  /// - Throws: ``EvaluationError``, ``SweepError``, ``RunMasksError``, ``Interrupted``,
  ///   `MetricError`, `StoreError`.
  package func evaluate(
    _ reference: RunReference, _ settings: EvaluationSettings
  ) throws -> (evaluation: Evaluation, run: EvaluatedRun<Task>) {
    let run = try counted(reference, settings)
    return (try evaluation(of: run), run)
  }

  /// A run with the counts of its samples.
  ///
  /// - Throws: the errors of ``evaluate(_:_:)``.
  package func counted(
    _ reference: RunReference, _ settings: EvaluationSettings
  ) throws -> EvaluatedRun<Task> {
    var run = try chosen(reference, settings)
    if run.evaluation == nil || !Task.restoresCounts { try Task.count(&run, in: catalog, progress) }
    return run
  }

  /// A run with the samples to evaluate, which are not counted yet unless their counts are in a
  /// stored evaluation.
  ///
  /// - Throws: the errors of ``evaluate(_:_:)``.
  package func chosen(
    _ reference: RunReference, _ settings: EvaluationSettings
  ) throws -> EvaluatedRun<Task> {
    let run =
      try reference.evaluation.map { try stored($0, settings) } ?? fresh(reference.run, settings)
    try run.checkNotEmpty()
    return run
  }

  private func fresh(
    _ record: RunRecord, _ settings: EvaluationSettings
  ) throws -> EvaluatedRun<Task> {
    try Task.check(settings, of: record)
    guard try catalog.hasGroundTruth(for: Task.task, in: record.dataset) else {
      throw EvaluationError.noGroundTruth(Task.task, dataset: record.dataset.name)
    }
    var settings = settings
    let content = try Task(record, &settings, storedIn: nil, in: catalog)
    var run = EvaluatedRun(run: record, evaluation: nil, settings: settings, content: content)
    run.leftOut.pending = record.total - record.done - record.failed
    run.leftOut.failed = record.failed
    run.leftOut.absent = try catalog.absentSamples(from: record, where: settings.filter)
    try Task.choose(&run, current: catalog.currentSamples(of: record), in: catalog)
    run.leftOut.byPeople = try catalog.keysLeftOut(of: record, where: settings.filter)
    return run
  }

  private func stored(
    _ evaluation: EvaluationRecord, _ asked: EvaluationSettings
  ) throws -> EvaluatedRun<Task> {
    let record = evaluation.run
    let name = RunReference(run: record, evaluation: evaluation).name
    var settings = try Task.settings(
      asked, keeping: EvaluationSettings(storedIn: evaluation), of: name)
    let content = try Task(record, &settings, storedIn: evaluation, in: catalog)
    guard content.countedClasses == evaluation.classes else {
      throw EvaluationError.otherClasses(
        name, Task.task, kept: evaluation.classes, now: content.countedClasses)
    }
    var run = EvaluatedRun(
      run: record, evaluation: evaluation, settings: settings, content: content)
    // The stored counts do not include corrections made since.
    try Task.restore(&run, from: evaluation, in: catalog, imported: catalog.readingImported())
    if Task.restoresCounts { run.accountForAbsent() }
    run.leftOut.absent = try catalog.absentSamples(from: record, where: settings.filter)
    if evaluation.ledgerSequence != nil {
      run.leftOut.byPeople = try catalog.keysLeftOut(of: record, where: settings.filter)
    }
    return run
  }

  /// The metrics of a run whose samples are counted.
  ///
  /// - Throws: ``EvaluationError/unknownSlice(_:known:)``, `MetricError`, `StoreError`.
  package func evaluation(of run: EvaluatedRun<Task>) throws -> Evaluation {
    try reduced(run).evaluation
  }

  /// The metrics of a run whose samples are counted, with the task-specific details.
  ///
  /// - Throws: the errors of ``evaluation(of:)``.
  func reduced(
    _ run: EvaluatedRun<Task>
  ) throws -> (evaluation: Evaluation, details: Task.Details) {
    let settings = run.content.completed(run.settings)
    let scoring = settings.scoring(samples: run.count)
    if scoring.intervals != nil { progress.report(1, "computing intervals") }
    let details = try Task.details(of: run, settings, scoring)
    var evaluation = Evaluation(
      subject: .run(run.run.name, model: run.run.model?.name, view: run.run.view),
      classes: run.content.evaluatedClasses, details: details, settings: settings)
    evaluation.name = run.evaluation?.name
    evaluation.notes = try Task.notes(on: run, settings, details, in: catalog)
    if Task.task.output != .label, let words = run.run.decisionWords {
      evaluation.notes.append(
        "the run has a decision (\(words)): assay decide apply \(run.run.name) gives its coverage and risk"
      )
    }
    guard let by = settings.slicedBy else { return (evaluation, details) }
    let parts = try Slicing(catalog: catalog).parts(of: run, by: by)
    var asked = settings
    if settings.intervals == nil, let most = Task.slicesWithIntervals, parts.count > most {
      asked.intervals = false
      evaluation.notes.append("no CIs for more than \(most) parts; --intervals computes them")
    }
    evaluation.slices = try parts.map { part in
      Evaluation.Slice(
        by: by, value: part.value,
        own: try Task.scores(
          of: run, at: part.indices, settings, asked.scoring(samples: part.indices.count)))
    }
    return (evaluation, details)
  }

  /// Stores an evaluation with its run, replacing one of the same name. The counts of every sample
  /// are included, so that queries and reports need not compute them again.
  ///
  /// - Parameters:
  ///   - name: the name; `nil` for `default` or, if settings, samples or ground truth are not the
  ///     default ones, for a generated name: `corrected_threshold-0.4_where-0f3a5c81`.
  ///   - truth: the corrected ground truth of the evaluation; `nil` for the imported one.
  /// - Returns: the evaluation with its name.
  /// - Throws: ``EvaluationError``, `StoreError`.
  package func save(
    _ evaluation: Evaluation, of run: EvaluatedRun<Task>, as name: String?,
    by truth: KeptTruth? = nil
  ) throws -> Evaluation {
    progress.report(1, "storing the evaluation")
    var draft = EvaluationDraft(
      run: run.run.id, name: name ?? Self.name(of: run, truth),
      settings: evaluation.settings.json(of: Task.task).text(),
      classes: run.content.countedClasses,
      ledgerSequence: truth?.sequence ?? run.evaluation?.ledgerSequence,
      scores: evaluation.records)
    try Task.store(run, evaluation, into: &draft, in: catalog)
    var saved = evaluation
    saved.name = try catalog.saveEvaluation(draft, replace: true).name
    return saved
  }

  private static func name(of run: EvaluatedRun<Task>, _ truth: KeptTruth?) -> String {
    var parts = run.content.nameParts(run.settings)
    if let filter = run.settings.filter {
      parts.append("where-" + ContentHash.of(Array(filter.utf8)).prefix(8))
    }
    return KeptTruth.name(of: parts, truth)
  }
}
