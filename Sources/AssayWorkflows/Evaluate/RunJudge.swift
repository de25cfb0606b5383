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
    guard let evaluation = reference.evaluation else { return try judge(reference.run, settings) }
    var judged = try stored(evaluation)
    if settings.normalizes { judged.settings.normalizes = true }
    return judged
  }

  private func judge(_ run: RunRecord, _ settings: EvaluationSettings) throws -> JudgedRun {
    let taxonomy = try catalog.taxonomy(of: run.dataset.id)
    guard try catalog.hasGroundTruth(for: .classification, in: run.dataset) else {
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
    judged.leftOut.byPeople = try catalog.keysLeftOut(of: run, where: settings.filter)
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
    let settings = try EvaluationSettings(storedIn: evaluation)
    var judged = JudgedRun(
      run: run, evaluation: evaluation, settings: settings,
      join: try ClassJoin(truth: evaluation.classes, scores: run.classes), samples: [],
      truths: [], scores: [], leftOut: .init())
    var truths: [Int64: Int] = [:]
    for tally in try catalog.tallies(of: evaluation.id) { truths[tally.sample] = tally.truth }
    // What it kept is not what people may have changed since.
    for prediction in try catalog.readingImported().predictions(of: run.id) {
      if let truth = truths[prediction.sample.id] { judged.append(prediction, truth: truth) }
    }
    if evaluation.ledgerSequence != nil {
      judged.leftOut.byPeople = try catalog.keysLeftOut(of: run, where: settings.filter)
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

  /// The keys of a run's samples that people left out; none where the imported truth is read.
  func keysLeftOut(of run: RunRecord, where filter: String?) throws -> [String] {
    guard truth.truth != nil else { return [] }
    let condition = filter.map { "left_out = true and (\($0))" } ?? "left_out = true"
    return try readingImported().doneSamples(of: run.id, where: condition).map(\.key)
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
  /// Whether another model's run over the same view may leave out other samples.
  var dependsOnModel: Bool { pending > 0 || failed > 0 || ofMissingClasses > 0 }

  /// One phrase for each kind of sample that is left out.
  package var reasons: [String] {
    [
      (pending, "not predicted yet (run the same predict, or predictions import, again)"),
      (failed, "could not be predicted"), (withoutTruth, "without a label"),
      (ofMissingClasses, "of classes that the run has no scores for"),
      (withoutSize, "whose image's size is not known (import again with --check-images)"),
      (retired, "no longer in the dataset"),
      (byPeople.count, "that people left out (\(Self.list(byPeople)))"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? "sample" : "samples") \($0.1)" }
  }
  /// The first names of a list.
  private static func list(_ names: [String]) -> String {
    names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
  }
}
