import AssayCore
package import AssayStore

/// Puts a run's predictions beside the truth of their samples.
package struct RunJudge {
  private let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  /// What RUN or RUN@EVALUATION on a command line means: a run judged by the dataset's labels as they are
  /// now, or by the truth that a stored evaluation kept.
  ///
  /// - Parameter settings: for a plain RUN; a stored evaluation brings its own.
  /// - Throws: ``EvaluationError``, `StoreError`.
  package func judge(
    _ name: String, _ settings: EvaluationSettings = EvaluationSettings()
  ) throws -> JudgedRun {
    let reference = try RunReference(name, in: catalog)
    return try reference.evaluation.map(stored) ?? judge(reference.run, settings)
  }

  private func judge(_ run: RunRecord, _ settings: EvaluationSettings) throws -> JudgedRun {
    let taxonomy = try catalog.taxonomy(of: run.dataset.id)
    guard !taxonomy.categories.isEmpty else {
      throw EvaluationError.noLabels(dataset: run.dataset.name)
    }
    let join = try ClassJoin(truth: taxonomy.names, scores: run.classes)
    var judged = JudgedRun(
      run: run, evaluation: nil, settings: settings, join: join, samples: [], truths: [],
      scores: [], leftOut: .init())
    judged.leftOut.pending = run.total - run.done - run.failed
    judged.leftOut.failed = run.failed
    let scored = Set(join.columns)
    let current = try catalog.currentSamples(of: run)
    var missing: [Int: Int] = [:]
    for prediction in try catalog.predictions(of: run.id, where: settings.filter) {
      if let current, !current.contains(prediction.sample.id) {
        judged.leftOut.retired += 1
      } else if let truth = prediction.sample.category {
        if scored.contains(truth) {
          judged.append(prediction, truth: truth)
        } else {
          missing[truth, default: 0] += 1
        }
      } else {
        judged.leftOut.withoutTruth += 1
      }
    }
    judged.leftOut.ofMissingClasses = missing.values.reduce(0, +)
    if !missing.isEmpty, !settings.ignoresMissing {
      throw EvaluationError.missingClasses(
        missing.sorted { $0.key < $1.key }.map {
          MissingCategory(name: taxonomy.names[$0.key], samples: $0.value)
        }, scores: run.classes)
    }
    return try judged.checked()
  }

  private func stored(_ evaluation: EvaluationRecord) throws -> JudgedRun {
    let run = evaluation.run
    let settings = EvaluationSettings(
      json: (try? JSONValue(parsing: evaluation.settings)) ?? .object([]))
    var judged = JudgedRun(
      run: run, evaluation: evaluation, settings: settings,
      join: try ClassJoin(truth: evaluation.classes, scores: run.classes), samples: [],
      truths: [], scores: [], leftOut: .init())
    var truths: [Int64: Int] = [:]
    for tally in try catalog.tallies(of: evaluation.id) { truths[tally.sample] = tally.truth }
    for prediction in try catalog.predictions(of: run.id) {
      if let truth = truths[prediction.sample.id] { judged.append(prediction, truth: truth) }
    }
    return try judged.checked()
  }
}

extension Catalog {
  /// The samples that a run's dataset still has; `nil` where it was not imported again since the run.
  func currentSamples(of run: RunRecord) throws -> Set<Int64>? {
    guard run.datasetVersion < run.dataset.importVersion else { return nil }
    return Set(try samples(in: resolve(run.dataset.name)).map(\.id))
  }
}

extension JudgedRun {
  fileprivate mutating func append(_ prediction: PredictionRecord, truth: Int) {
    samples.append(prediction.sample)
    truths.append(truth)
    scores.append(prediction.scores)
  }

  /// - Throws: ``EvaluationError/nothingToJudge(_:reasons:)``.
  fileprivate func checked() throws(EvaluationError) -> JudgedRun {
    guard samples.isEmpty else { return self }
    var reasons = leftOut.reasons
    if let filter = settings.filter { reasons.append("--where \(filter)") }
    throw .nothingToJudge(
      name, reasons: reasons.isEmpty ? ["it has no predictions"] : reasons)
  }
}

extension JudgedRun.LeftOut {
  /// One phrase for each kind of sample that is left out.
  package var reasons: [String] {
    [
      (pending, "not predicted yet (run the same predict, or predictions import, again)"),
      (failed, "could not be predicted"), (withoutTruth, "without a label"),
      (ofMissingClasses, "of classes that the run has no scores for"),
      (withoutSize, "whose image's size is not known (import again with --check-images)"),
      (retired, "no longer in the dataset"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? "sample" : "samples") \($0.1)" }
  }
}
