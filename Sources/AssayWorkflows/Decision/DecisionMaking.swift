import AssayCore
import AssayInference
import AssayMetrics
package import AssayStore

/// The request of `assay decide`.
package struct DecisionRequest: Sendable {
  /// RUN.
  package var run: String
  /// The promised risk and the confidence of the promise, above 0 and below 1.
  package var risk = 0.1
  package var confidence = 0.95
  /// True for a threshold per class, false for one for all.
  package var isPerClass = false
  /// True for prediction sets.
  package var isConformal = false
  /// The expression that selects the samples.
  package var filter: String
  /// The ground truth: `imported` or `corrected-N`.
  package var groundTruth = "imported"

  package init(run: String, filter: String) {
    self.run = run
    self.filter = filter
  }
}

/// A decision that was made on a run.
package struct MadeDecision: Sendable {
  let file: DecisionFile
  /// Notes for the reader, one sentence each.
  package var notes: [String]

  /// The text of the file.
  package var yaml: String { file.yaml }
}

/// Chooses the thresholds of a decision on the labeled samples of a run.
package struct DecisionMaking {
  private let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  /// - Throws: ``DecisionError``, ``EvaluationError``, `StoreError`.
  package func make(_ request: DecisionRequest) throws -> MadeDecision {
    let run = try RunReference(request.run, in: catalog).run
    try check(request, run)
    let samples = try DecisionSamples(of: run, where: request.filter, in: catalog)
    guard samples.labeled > 0 else {
      throw DecisionError.noSamples(
        run: run.name, filter: request.filter, predicted: samples.count,
        splits: try splits(of: run), parts: try parts(of: run, named: request.filter))
    }
    var notes = samples.notes
    let trained = try catalog.doneSamples(of: run.id, where: request.filter).count {
      SplitName.match($0.split ?? "", "train")
    }
    if trained > 0 {
      notes.append(
        "\(Counted.text(trained, "sample is", "samples are")) of the split train: a model is surer and errs less on samples that it was trained on, so the promise does "
          + "not hold for others")
    }
    if run.model == nil {
      notes.append(
        "the run has no model: that later predictions are of the same model cannot be checked")
    }
    let rules = request.isConformal ? sets(request, run, samples) : bounds(request, run, samples)
    let file = DecisionFile(
      task: run.task, method: request.isConformal ? .conformal : .clopperPearson,
      scope: request.isPerClass ? .category : .all, risk: request.risk,
      confidence: request.isConformal ? nil : request.confidence,
      promise: promise(request, run), run: run.name, model: run.model?.name,
      modelHash: run.model?.hash, settings: run.plainSettings, dataset: run.dataset.name,
      datasetImport: run.dataset.importVersion, datasetHash: run.dataset.inputHash, view: run.view,
      filter: request.filter, groundTruth: request.groundTruth, samples: samples.labeled,
      samplesHash: samples.contentHash, classes: run.classes, rules: rules)
    return MadeDecision(file: file, notes: notes)
  }

  private func check(_ request: DecisionRequest, _ run: RunRecord) throws {
    guard run.task.output != .masks else {
      throw DecisionError.noPredictions(run: run.name, run.task)
    }
    guard run.task.output != .label else { return }
    if request.isConformal {
      throw DecisionError.otherMethod("conformal", run: run.name, run.task)
    }
    if !request.isPerClass { throw DecisionError.onlyPerClass(run: run.name, run.task) }
  }

  private func splits(of run: RunRecord) throws -> [String] {
    let names = Set(try catalog.doneSamples(of: run.id).compactMap(\.split))
    return names.sorted { SplitName.precedes($0, $1) }
  }

  /// The parts of the dataset's partitions, one that the filter names first.
  private func parts(of run: RunRecord, named filter: String) throws -> [String] {
    let names = try catalog.partitions(of: run.dataset.id).flatMap { $0.parts.map(\.part) }
    var seen: Set<String> = []
    let parts = names.filter { seen.insert($0).inserted }
    return parts.filter(filter.contains) + parts.filter { !filter.contains($0) }
  }

  /// The thresholds with a bound of the risk.
  private func bounds(
    _ request: DecisionRequest, _ run: RunRecord, _ samples: DecisionSamples
  ) -> [DecisionFile.Rule] {
    let known = samples.predictions.filter { $0.isCorrect != nil }
    let parts = request.isPerClass ? run.classes.count : 1
    let search = ThresholdSearch(
      risk: request.risk, level: (1 - request.confidence) / Double(parts))
    guard request.isPerClass else { return [rule(nil, known, search)] }
    var byClass = run.classes.map { _ in [DecisionSamples.Prediction]() }
    for prediction in known { byClass[prediction.category].append(prediction) }
    return run.classes.indices.map { place in
      if samples.unknown.contains(place) {
        var rule = DecisionFile.Rule(category: run.classes[place], threshold: nil, samples: 0)
        rule.reason = "the dataset does not have this class"
        return rule
      }
      return rule(run.classes[place], byClass[place], search)
    }
  }

  private func rule(
    _ name: String?, _ predictions: [DecisionSamples.Prediction], _ search: ThresholdSearch
  ) -> DecisionFile.Rule {
    let choice = search.choose(predictions.map(\.score)) { predictions[$0].isCorrect == false }
    var rule = DecisionFile.Rule(
      category: name, threshold: choice.chosen?.threshold, samples: choice.count)
    if let point = choice.chosen {
      (rule.accepted, rule.errors) = (point.accepted, point.errors)
      (rule.upper, rule.confidence) = (point.upper, 1 - point.level)
    } else if choice.count < search.leastCount {
      rule.reason =
        "\(Counted.text(choice.count, "prediction", "predictions")); at least \(search.leastCount) without error "
        + "are needed"
    } else if let point = choice.closest {
      rule.reason =
        "no threshold keeps the promise; closest \(point.threshold): \(point.errors) of \(point.accepted) are "
        + "errors, upper bound \(Self.rounded(point.upper))"
    } else {
      rule.reason =
        "no threshold was tested: no score reaches \(ThresholdSearch.starts.min() ?? 0), the lowest one at which the "
        + "tests start"
    }
    return rule
  }

  private static func rounded(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }

  /// The thresholds of prediction sets.
  private func sets(
    _ request: DecisionRequest, _ run: RunRecord, _ samples: DecisionSamples
  ) -> [DecisionFile.Rule] {
    func rule(_ name: String?, _ own: [Float]) -> DecisionFile.Rule {
      var rule = DecisionFile.Rule(
        category: name, threshold: ConformalThreshold.of(own, risk: request.risk),
        samples: own.count)
      let least = ConformalThreshold.leastCount(risk: request.risk)
      if own.count < least {
        rule.reason =
          "\(Counted.text(own.count, "sample", "samples")); below \(least) every set has "
          + (name == nil ? "all classes" : "this class")
      }
      return rule
    }
    // The set of a sample of a class that the model does not have cannot contain it.
    let labeled = samples.rows.compactMap { row in
      row.truth.map { (truth: $0, own: $0 < 0 ? 0 : min(1, row.scores[$0])) }
    }
    guard request.isPerClass else { return [rule(nil, labeled.map(\.own))] }
    var byClass = run.classes.map { _ in [Float]() }
    for row in labeled where row.truth >= 0 { byClass[row.truth].append(row.own) }
    return zip(run.classes, byClass).map { rule($0, $1) }
  }

  private func promise(_ request: DecisionRequest, _ run: RunRecord) -> String {
    let risk = request.risk
    guard !request.isConformal else {
      return
        "the set of a new sample contains its true class with a probability of at least "
        + "\(Self.rounded(1 - risk))\(request.isPerClass ? ", for each true class" : ""), on average over the draws of "
        + "it and of these samples (marginal coverage)"
    }
    let confidence = "with a confidence of \(request.confidence)"
    let what =
      switch run.task.output {
      case .labels: "accepted labels"
      case .objects: "accepted detections"
      case .label, .masks: "accepted predictions"
      }
    let least = ThresholdSearch(
      risk: risk,
      level: (1 - request.confidence) / Double(request.isPerClass ? run.classes.count : 1)
    ).leastCount
    return confidence
      + (request.isPerClass && run.classes.count > 1
        ? " for all \(run.classes.count) classes together (Bonferroni)" : "")
      + ", at most a share of \(risk) of the \(what)"
      + (request.isPerClass ? " of each class" : "")
      + " are errors, on samples drawn as these"
      + (run.task.output == .objects ? " (detections of an image are taken as independent)" : "")
      + (request.isPerClass ? "; a class needs" : "; this needs") + " at least \(least) predictions"
  }
}
