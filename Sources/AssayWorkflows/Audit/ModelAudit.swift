package import AssayCore
import AssayImaging
import AssayInference
package import AssayMetrics
package import AssayStore
import Foundation

/// Tries other ways to prepare a model's inputs on labeled samples, and ranks them.
///
/// The recipes that differ from the manifest's in one part are tried first; from the best of them on, the
/// other parts again, until nothing is clearly better. All recipes see the same samples; differences
/// are paired, and their intervals hold simultaneously (Bonferroni over the recipes of a round).
///
/// Runs and evaluations are made in a copy of the catalog that is removed at the end.
package struct ModelAudit {
  /// The maximum number of rounds.
  private static let roundLimit = 4

  /// The number of samples; `nil` for ``usualSamples(of:)``.
  package var samples: Int?
  /// The seed by which samples are drawn, and that of the intervals.
  package var seed: UInt64 = 42
  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// The number of samples that shows a difference of about 5 points for labels, and costs some
  /// minutes for masks and boxes.
  package static func usualSamples(of task: ModelTask) -> Int {
    switch task.output {
    case .label, .labels: 2000
    case .masks: 200
    case .objects: 500
    }
  }

  /// Runs the audit.
  ///
  /// - Throws: ``ModelAuditError``, ``PredictError``, ``EvaluationError``, `InferenceError`, `StoreError`,
  ///   ``Interrupted``; the manifest's own recipe must work.
  package func run(model name: String, view: String) throws -> AuditOutcome {
    let record = try catalog.model(named: name)
    let selection = try catalog.resolve(view)
    guard try catalog.hasGroundTruth(for: record.task, in: selection.dataset) else {
      throw ModelAuditError.noGroundTruth(dataset: selection.dataset.name, record.task)
    }
    if try record.readManifest().runner != nil {
      try record.load().requireArrays(or: "other preprocessing cannot be tried")
    }
    let scratch = try ScratchCatalog(of: catalog)
    progress.report(0, "copying the catalog")
    let bench = try AuditBench(
      scratch.catalog, record, view: view,
      samples: samples ?? Self.usualSamples(of: record.task), seed: seed)
    return try audit(bench, record, view, Tasks.type(of: record.task))
  }

  private func audit<Task: ComparedTask>(
    _ bench: AuditBench, _ record: ModelRecord, _ view: String, _ task: Task.Type
  ) throws -> AuditOutcome {
    let manifest = try record.readManifest()
    let own = AuditRecipe(manifest)
    let first = try bench.run(own)
    var outcome = AuditOutcome(
      model: record, view: view, samples: first.done, own: own)
    var tried: [AuditRecipe] = [own]
    var (best, bestRun) = (own, first)
    for round in 0..<Self.roundLimit {
      var trials: [AuditTrial] = []
      let variants = AuditRecipe.Part.allCases.flatMap { part in
        best.variants(of: part, for: record.task.output).map { (part, $0) }
      }.filter { variant in !tried.contains { $0.isSame(as: variant.1) } }
      for (place, (part, recipe)) in variants.enumerated() {
        try Interruption.check("nothing was stored; give fewer --samples for a shorter audit")
        progress.report(
          Double(place) / Double(variants.count),
          "round \(round + 1): \(recipe.difference(from: own))")
        tried.append(recipe)
        guard let trial = try self.trial(recipe, part, bench, first, bestRun, task) else {
          continue
        }
        trials.append(trial)
      }
      let count = trials.count { $0.difference != nil && !$0.hasNoEffect }
      trials = trials.map { $0.widened(over: max(1, count)) }
      outcome.trials += trials
      let ranked = trials.filter { $0.isClearlyBetter == true }
        .sorted { ($0.value ?? 0) > ($1.value ?? 0) }
      guard let better = ranked.first, let run = better.run else { break }
      // Recipes that cannot be told apart from the best one could be the right one as well.
      outcome.rivals = try ranked.dropFirst().filter { rival in
        guard let other = rival.run,
          let over = try bench.difference(other, run, task)?.difference
        else { return false }
        return over.value != 0 && over.isClear != true
      }
      (best, bestRun) = (better.recipe, run)
    }
    outcome.metric = outcome.trials.lazy.compactMap(\.metric).first
    outcome.ownValue = outcome.trials.lazy.compactMap(\.ownValue).first
    outcome.best = outcome.trials.first { $0.recipe == best }
    return outcome
  }

  /// Runs a recipe and compares it with the manifest's and with the best one so far; `nil` for a recipe
  /// that the model's shape does not allow.
  private func trial<Task: ComparedTask>(
    _ recipe: AuditRecipe, _ part: AuditRecipe.Part, _ bench: AuditBench, _ own: RunRecord,
    _ best: RunRecord, _ task: Task.Type
  ) throws -> AuditTrial? {
    var trial = AuditTrial(recipe: recipe, part: part)
    do {
      let run = try bench.run(recipe)
      trial.run = run
      let difference = try bench.difference(own, run, task)
      (trial.metric, trial.difference) = (difference?.metric, difference?.difference)
      trial.overBest =
        own.id == best.id ? trial.difference : try bench.difference(best, run, task)?.difference
    } catch let error as InferenceError {
      if error.isShape { return nil }
      trial.refusal = "\(error)"
    } catch let error as PredictError {
      trial.refusal = "\(error)"
    }
    return trial
  }
}

/// The samples and runs of an audit, in a copy of the catalog.
private struct AuditBench {
  private let catalog: Catalog
  private let model: ModelRecord
  private let manifest: ModelManifest
  private let view: String
  private let settings: EvaluationSettings

  init(
    _ catalog: Catalog, _ model: ModelRecord, view: String, samples: Int, seed: UInt64
  ) throws {
    self.catalog = catalog
    self.model = model
    manifest = try model.readManifest()
    // A name that no view of a user has.
    self.view = "audit-" + String(UInt64.random(in: 0 ... .max), radix: 16)
    let total = try catalog.samples(in: try catalog.resolve(view), limit: nil).count
    guard total > 0 else { throw PredictError.emptyView(view) }
    var request = SampleRequest(view, .amount(.count(min(samples, total))), name: self.view)
    request.seed = seed
    _ = try ViewSample(catalog: catalog).run(
      request,
      progress: NoProgress())
    var settings = EvaluationSettings()
    // Of objects only the pooled difference is used, which has an interval of its own.
    settings.intervals = model.task.output != .objects
    settings.seed = seed
    settings.ignoresMissing = model.task.output == .label
    settings.normalizes = model.task.output == .label && manifest.classNumbers == nil
    self.settings = settings
  }

  /// Runs the model with a recipe over the samples.
  func run(_ recipe: AuditRecipe) throws -> RunRecord {
    let name = "\(view)-\(try catalog.models().count)"
    guard
      let text = try ManifestText.replacing(
        in: model.manifest, input: recipe.input, activation: recipe.activation, remark: "audit")
    else { throw ModelAuditError.manifestLayout(model: model.name) }
    _ = try catalog.addModel(
      ModelDraft(
        name: name, hash: model.hash, task: model.task, path: model.path, manifest: text))
    var request = PredictRequest(view: view, model: name, programVersion: "")
    request.name = name
    request.ignoreMissing = true
    return try Prediction(request, catalog: catalog).run().run
  }

  /// The difference of the task's main metric, second − first; `nil` if it is undefined.
  func difference<Task: ComparedTask>(
    _ first: RunRecord, _ second: RunRecord, _ task: Task.Type
  ) throws -> (metric: AuditMetric, difference: Difference)? {
    let comparison = try Comparer<Task>(catalog: catalog).compare(
      RunReference(run: first), RunReference(run: second), settings
    ).comparison
    var scoring = settings
    scoring.intervals = true
    if let pooled = try comparison.details.own.pooledDifference(
      scoring.scoring(samples: comparison.samples.count))
    {
      return pooled.value == nil ? nil : (.pooledPrecision, pooled)
    }
    let hasSeveral = manifest.classes.count { $0 != ModelManifest.backgroundName } > 1
    for kind in MetricKind.shown(.headline, in: model.task, hasSeveral: hasSeveral) {
      if let difference = comparison.differences[kind], difference.value != nil {
        return (AuditMetric(kind), difference)
      }
    }
    return nil
  }
}

/// The metric by which recipes are ranked.
package struct AuditMetric: Hashable, Sendable {
  /// Its name in JSON.
  package let name: String
  /// Its name for people.
  package let title: String

  /// A task's main metric.
  init(_ kind: MetricKind) {
    name = kind.rawValue
    title = kind.facts.title
  }

  private init(name: String, title: String) { (self.name, self.title) = (name, title) }

  /// ``PooledPrecision``.
  static let pooledPrecision = AuditMetric(name: "pooled_AP", title: "pooled AP")
}

/// A recipe that was tried.
package struct AuditTrial: Sendable {
  package let recipe: AuditRecipe
  /// The part that was varied last.
  package let part: AuditRecipe.Part
  /// The reason why the model does not run with it, or its outputs are not accepted.
  package internal(set) var refusal: String?
  package internal(set) var metric: AuditMetric?
  /// The difference to the manifest's recipe; its interval holds simultaneously for the recipes of a round.
  package internal(set) var difference: Difference?
  /// The difference to the best recipe of the round before.
  var overBest: Difference?
  var run: RunRecord?

  init(recipe: AuditRecipe, part: AuditRecipe.Part) {
    self.recipe = recipe
    self.part = part
  }

  /// The metric with this recipe, and with the manifest's.
  package var value: Double? { difference?.second }
  var ownValue: Double? { difference?.first }

  /// True if it changed no result: no sample differs from the best recipe before.
  package var hasNoEffect: Bool { overBest?.value == 0 && overBest?.interval == nil }

  /// True if it is clearly better than the best recipe before it; `nil` if there is no interval.
  package var isClearlyBetter: Bool? {
    guard let value = overBest?.value, let isClear = overBest?.isClear else { return nil }
    return isClear && value > 0
  }

  /// The trial with intervals that hold simultaneously for a number of recipes.
  func widened(over count: Int) -> AuditTrial {
    var trial = self
    func widen(_ difference: inout Difference?) {
      guard let value = difference?.value, let interval = difference?.interval else { return }
      difference?.interval = interval.widened(around: value, classes: count)
    }
    widen(&trial.difference)
    widen(&trial.overBest)
    return trial
  }
}

/// The outcome of an audit.
package struct AuditOutcome: Sendable {
  package let model: ModelRecord
  package let view: String
  /// The number of samples that were compared.
  package let samples: Int
  /// The metric; `nil` if no other recipe could be compared.
  package internal(set) var metric: AuditMetric?
  /// The manifest's recipe.
  package let own: AuditRecipe
  /// The metric with it; `nil` if no other recipe could be compared.
  package internal(set) var ownValue: Double?
  package internal(set) var trials: [AuditTrial] = []
  /// The recipe that is clearly better than the manifest's; `nil` if there is none.
  package internal(set) var best: AuditTrial?

  /// Recipes that are clearly better than the manifest's, too, with other results than ``best``, and that these
  /// samples do not tell apart from it.
  package internal(set) var rivals: [AuditTrial] = []

  /// The trials by value, the best first; those without one last.
  package var ranked: [AuditTrial] {
    trials.enumerated().sorted { first, second in
      switch (first.element.value, second.element.value) {
      case (let one?, let two?) where one != two: one > two
      case (.some, nil): true
      case (nil, .some): false
      default: first.offset < second.offset
      }
    }.map(\.element)
  }

  /// The manifest's text with the best recipe.
  ///
  /// - Throws: ``ModelAuditError``.
  package func improvedManifest() throws -> String? {
    guard let best else { return nil }
    let value = { (number: Double?) in number.map { String(format: "%.4f", $0) } ?? "–" }
    guard
      let text = try ManifestText.replacing(
        in: model.manifest, input: best.recipe.input, activation: best.recipe.activation,
        remark: "assay model audit on \(samples) samples of \(view): \(metric?.title ?? "")"
          + " \(value(best.value)) instead of \(value(ownValue))")
    else { throw ModelAuditError.manifestLayout(model: model.name) }
    return text
  }
}

/// The reasons why a model was not audited.
package enum ModelAuditError: Error, Hashable, CustomStringConvertible {
  case noGroundTruth(dataset: String, ModelTask)
  /// A manifest whose keys are not on lines of their own.
  case manifestLayout(model: String)

  package var description: String {
    switch self {
    case .noGroundTruth(let dataset, let task):
      "an audit needs labeled samples, and \(dataset) has no ground truth for \(task.rawValue)"
    case .manifestLayout(let model):
      "the manifest of “\(model)” cannot be varied, because its top-level keys are not on lines of their own (no"
        + " braces around the whole); write it so, and add the model again"
    }
  }
}

/// A copy of a catalog in a temporary folder, which is removed with this value.
final class ScratchCatalog {
  let catalog: Catalog
  private let folder: URL

  /// - Throws: `StoreError`; an error of the file system.
  init(of original: Catalog) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "assay-audit-\(UInt64.random(in: 0 ... .max))", isDirectory: true)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let path = folder.appendingPathComponent("catalog.db").path
    do {
      try original.copy(into: path)
      catalog = try Catalog.open(path, .readWrite)
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
