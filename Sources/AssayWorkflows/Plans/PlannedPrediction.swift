import AssayCore
import AssayInference
import AssayStore
import Foundation
import Synchronization

/// The request of `assay predict --plan`.
package struct PlannedRequest: Sendable {
  /// The path of the plan.
  package var plan: String
  package var shard: Shard
  /// The folder for the parts.
  package var folder: String
  /// The places of the images: a path, or SOURCE=PATH for a merged dataset; empty for those of the plan.
  package var images: [String] = []
  /// The path of the model's file; `nil` for that of the plan.
  package var modelFile: String?
  package var batch: Int?
  package var workers: Int?
  /// The version of this program.
  package var programVersion: String

  package init(plan: String, shard: Shard, folder: String, programVersion: String) {
    self.plan = plan
    self.shard = shard
    self.folder = folder
    self.programVersion = programVersion
  }
}

/// The computation of one shard of a planned run, without a catalog.
package struct PlannedPrediction {
  private let request: PlannedRequest
  private let progress: any ProgressSink

  package init(_ request: PlannedRequest, progress: any ProgressSink = NoProgress()) {
    self.request = request
    self.progress = progress
  }

  /// Makes the part, which has the rows of the one that is made with the catalog.
  ///
  /// - Throws: ``PlanError``, ``PartError``, ``PredictError``, `InferenceError`, `StoreError`.
  package func run() throws -> PredictSummary {
    do {
      return try make()
    } catch let fault as PartFault {
      throw PlanError.unusable(path: request.plan, fault)
    } catch StoreError.cannotOpen(let path, let reason) where path == request.plan {
      throw PlanError.unreadable(path: path, reason: reason)
    }
  }

  private func make() throws -> PredictSummary {
    let plan = try PlanFile(request.plan)
    guard let facts = PlanFacts(plan.facts) else {
      throw PartFault.inconsistent("its facts are missing")
    }
    guard facts.version == request.programVersion, plan.hasCurrentSchema else {
      throw PlanError.otherVersion(
        path: request.plan, found: facts.version, own: request.programVersion,
        again: Self.planCommand(facts.command, out: request.plan))
    }
    progress.report(0, "checking \(request.plan)")
    let check = try PlanCheck(plan)
    do {
      let prepared = try prepared(plan, facts)
      // Nothing is written before every byte is known to be right.
      try check.wait()
      return try prepared.run()
    } catch {
      // What is read from a damaged plan can fail for any reason.
      try check.wait()
      throw error
    }
  }

  private func prepared(
    _ plan: PlanFile, _ facts: PlanFacts
  ) throws -> PreparedPart {
    let catalog = try plan.catalog()
    let predict = try predictRequest(facts)
    let model = try catalog.model(named: facts.model)
    let work = try PredictWork(predict, model)
    try check(facts.settings, work.settings, model)
    let dataset = try placed(try catalog.dataset(named: facts.dataset))
    let samples = try plan.samples(request.shard.ranks(of: facts.samples))
    let own = ShardSamples(
      own: samples.map(\.sample), positions: samples.map(\.position), total: facts.samples,
      hash: facts.samplesHash)
    let fitted = try load(model)
    let place = PartRequest(
      shard: request.shard, folder: request.folder, command: facts.command)
    try checkImages(of: own.own, dataset, catalog)
    let part = PartPrediction(
      request: predict, place: place, catalog: catalog, madeWith: facts.catalog, model: model,
      fitted: fitted, dataset: dataset, settings: facts.settings,
      versions: try RunVersions.text(of: fitted, program: request.programVersion),
      progress: progress)
    return PreparedPart(part: part, task: work.task, samples: own, match: facts.match)
  }

  /// Checks that settings are those of a model, with a decision for it or without one.
  ///
  /// - Throws: `PartFault`, ``DecisionError``, `InferenceError`.
  private func check(_ settings: String, _ own: String, _ model: ModelRecord) throws {
    var expected = own
    if let text = RunRecord.decisionText(settings) {
      let decision = try DecisionFile(yaml: text, path: "the decision of \(request.plan)")
      try decision.check(for: model, settings: own, file: "the decision of \(request.plan)")
      expected = try RunRecord.settings(own, deciding: decision, text: text)
    }
    guard settings == expected else {
      throw PartFault.inconsistent("its settings are not those of its model")
    }
  }

  /// The command that makes a plan again, from the command that makes a part.
  static func planCommand(_ command: String, out: String) -> String {
    let words = command.hasPrefix("assay ") ? command.dropFirst("assay ".count) : command[...]
    return "assay plan \(words) --out \(ShellWord.quoted(out)) --force"
  }

  private func predictRequest(_ facts: PlanFacts) throws -> PredictRequest {
    var predict = PredictRequest(
      view: facts.view, model: facts.model, programVersion: request.programVersion)
    guard predict.choose(precision: facts.precision) else {
      throw PartFault.inconsistent("its precision is unknown")
    }
    predict.isFlipped = facts.isFlipped
    predict.keepsMaps = facts.keepsMaps
    predict.batch = request.batch
    predict.workers = request.workers
    predict.part = PartRequest(
      shard: request.shard, folder: request.folder, command: facts.command)
    return predict
  }

  /// The model, read from its file.
  private func load(_ model: ModelRecord) throws -> ValidatedModel {
    var model = model
    if let file = request.modelFile { model.path = URL(fileURLWithPath: file).path }
    do {
      return try model.load()
    } catch PredictError.modelGone(let name, let path, let reason) {
      throw PlanError.noModel(model: name, path: path, reason: reason)
    } catch PredictError.modelChanged(let name, let path, let expected, let found) {
      throw PlanError.otherModel(model: name, path: path, expected: expected, found: found)
    }
  }

  /// The dataset with its images at the requested places.
  private func placed(_ dataset: DatasetRecord) throws -> DatasetRecord {
    var placed = dataset
    let sources = dataset.mergedSources.map(\.name)
    for value in request.images {
      let pieces = value.split(separator: "=", maxSplits: 1).map(String.init)
      let path = URL(fileURLWithPath: sources.isEmpty ? value : pieces.last ?? value).path
      if sources.isEmpty {
        guard request.images.count == 1 else {
          throw PlanError.images(value, dataset: dataset.name, sources: sources)
        }
        placed.root = path
      } else {
        guard pieces.count == 2,
          let options = placed.options(movingSource: pieces[0], to: path)
        else { throw PlanError.images(value, dataset: dataset.name, sources: sources) }
        placed.options = options
      }
      // The path of an archive can be followed by that of a folder in it.
      let (file, inner) = DiskSource.parts(of: path)
      guard access(file, R_OK) == 0, inner.isEmpty || !PartFolder.isFolder(file) else {
        throw PlanError.noFolder(path)
      }
    }
    return placed
  }

  /// Refuses a shard none of whose images is where the plan says: the images are in another place on this
  /// machine, and a part of failures would be complete.
  private func checkImages(
    of samples: [SampleRecord], _ dataset: DatasetRecord, _ catalog: Catalog
  ) throws {
    let missing = try ShardImages.missing(samples, of: dataset, in: catalog)
    guard let missing else { return }
    throw PlanError.noImages(
      dataset: dataset.name, example: missing.example, tried: missing.tried,
      sources: dataset.mergedSources.map(\.name))
  }
}

/// A part whose computation can begin.
private struct PreparedPart {
  let part: PartPrediction
  let task: any PredictTask
  let samples: ShardSamples
  let match: ClassMatch

  func run() throws -> PredictSummary {
    var summary = try part.run(task, samples)
    summary.add(match)
    return summary
  }
}

/// The comparison of a plan's bytes with their hash, on a thread of its own while the model is read.
private final class PlanCheck: Sendable {
  private let thread: WorkerThreads
  private let outcome: Outcome

  private final class Outcome: Sendable {
    let fault = Mutex<(any Error)?>(nil)
  }

  /// - Throws: `ThreadShortage`.
  init(_ plan: PlanFile) throws {
    let outcome = Outcome()
    self.outcome = outcome
    thread = try WorkerThreads(1) { _ in
      do { try plan.verify() } catch { outcome.fault.withLock { $0 = error } }
    }
  }

  /// Waits for the end of the comparison.
  ///
  /// - Throws: `PartFault`, `StoreError`.
  func wait() throws {
    thread.join()
    if let fault = outcome.fault.withLock({ $0 }) { throw fault }
  }

  deinit { thread.join() }
}
