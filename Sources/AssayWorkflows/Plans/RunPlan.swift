import AssayCore
package import AssayStore
import Foundation

/// A run that was planned: what its parts need of the catalog.
struct PlannedRun {
  let model: ModelRecord
  let dataset: DatasetRecord
  /// The settings of the run, as JSON.
  let settings: String
  /// The samples in the order of the run.
  let samples: [SampleRecord]
  let match: ClassMatch
}

/// A plan as `assay plan predict` wrote it.
package struct WrittenPlan: Sendable {
  package let path: String
  package let size: Int
  package let view: String
  package let model: ModelRecord
  package let dataset: String
  package let samples: Int
  /// The number of samples whose images are in the plan.
  package let embedded: Int
  /// The files and folders with the other images.
  package let roots: [String]
  /// Categories of the view without a class of the model.
  package let missing: [MissingCategory]
}

/// The facts of a plan, besides its rows.
struct PlanFacts {
  /// The version of assay that made the plan.
  var version: String
  var view: String
  var dataset: String
  var model: String
  /// The command that makes a part with the catalog, without its shard and its folder.
  var command: String
  /// The absolute path of the catalog.
  var catalog: String
  var precision: String
  var isFlipped: Bool
  var keepsMaps: Bool
  var settings: String
  /// The number of samples and the hash of their ids and keys.
  var samples: Int
  var samplesHash: String
  var match: ClassMatch

  /// The largest number of samples.
  private static let limit = 1 << 40

  var json: JSONValue {
    [
      "assay": .string(version), "view": .string(view), "dataset": .string(dataset),
      "model": .string(model), "command": .string(command), "catalog": .string(catalog),
      "precision": .string(precision), "flip": .bool(isFlipped), "maps": .bool(keepsMaps),
      "settings": .string(settings), "samples": JSONValue(samples),
      "samples_sha256": .string(samplesHash), "match": match.json,
    ]
  }

  init(_ run: PlannedRun, _ request: PredictRequest, command: String, catalog: String) {
    version = request.programVersion
    view = request.view
    dataset = run.dataset.name
    model = run.model.name
    self.command = command
    self.catalog = catalog
    precision = request.precision.rawValue
    isFlipped = request.isFlipped
    keepsMaps = request.keepsMaps
    settings = run.settings
    samples = run.samples.count
    samplesHash = Catalog.hash(of: run.samples)
    match = run.match
  }

  /// `nil` for other JSON.
  init?(_ json: JSONValue) {
    func text(_ name: String) -> String? { json[name]?.text }
    guard let version = text("assay"), let view = text("view"), let dataset = text("dataset"),
      let model = text("model"), let command = text("command"), let catalog = text("catalog"),
      let precision = text("precision"), let settings = text("settings"),
      let samples = json["samples"]?.whole, (1...Self.limit).contains(samples),
      let samplesHash = text("samples_sha256")
    else { return nil }
    self.version = version
    self.view = view
    self.dataset = dataset
    self.model = model
    self.command = command
    self.catalog = catalog
    self.precision = precision
    isFlipped = json["flip"] == .bool(true)
    keepsMaps = json["maps"] == .bool(true)
    self.settings = settings
    self.samples = samples
    self.samplesHash = samplesHash
    match = ClassMatch(json["match"])
  }
}

/// A plan that shards can be computed from: its bytes are those that were written, by this version of assay.
package struct CheckedPlan: Sendable {
  /// The absolute path of the file.
  package let path: String
  package let view: String
  package let model: String
  /// The absolute path of the catalog that the parts are merged into.
  package let catalog: String

  /// Compares all bytes of a plan with its hash.
  ///
  /// - Throws: ``PlanError``, `StoreError`.
  package init(_ path: String, programVersion: String) throws {
    do {
      let plan = try PlanFile(path)
      guard let facts = PlanFacts(plan.facts) else {
        throw PartFault.inconsistent("its facts are missing")
      }
      guard facts.version == programVersion, plan.hasCurrentSchema else {
        throw PlanError.otherVersion(
          path: path, found: facts.version, own: programVersion,
          again: PlannedPrediction.planCommand(facts.command, out: path))
      }
      try plan.verify()
      self.path = URL(fileURLWithPath: path).path
      (view, model, catalog) = (facts.view, facts.model, facts.catalog)
    } catch let fault as PartFault {
      throw PlanError.unusable(path: path, fault)
    } catch StoreError.cannotOpen(let place, let reason) where place == path {
      throw PlanError.unreadable(path: path, reason: reason)
    }
  }
}

/// Writes plans: files from which the parts of a run are made without the catalog.
package struct PlanWriter {
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

  /// Plans the run and writes the plan, completely or not at all.
  ///
  /// - Parameter command: the command that makes a part with the catalog, without its shard and its
  ///   folder.
  /// - Throws: ``PlanError``, ``PredictError``, ``Interrupted``, `InferenceError`, `StoreError`.
  package func write(
    to path: String, command: String, overwrite: Bool = false
  ) throws -> WrittenPlan {
    guard let file = SingleFile(path, overwrite: overwrite) else {
      throw PlanError.fileExists(path)
    }
    let run = try Prediction(request, catalog: catalog, progress: progress).plan()
    let facts = PlanFacts(
      run, request, command: command, catalog: URL(fileURLWithPath: catalog.path).path)
    let temporary = try PartDraft()
    try catalog.makePlan(
      at: temporary.path, dataset: run.dataset.id, model: run.model.id, samples: run.samples,
      order: Shard.order(of: run.samples.map(\.key)), facts: facts.json
    ) { fraction in
      progress.report(fraction, "planning \(request.view)")
      try Interruption.check("nothing was written; run the same command again")
    }
    do throws(FileFailure) {
      let draft = try file.draft()
      try temporary.copy(to: draft, PlanFile.seal)
      try file.finish(draft, synchronizing: true)
    } catch  where error.code == EEXIST {
      throw PlanError.fileExists(path)
    } catch {
      throw PlanError.cannotWrite(path: error.path, reason: error.reason, code: error.code)
    }
    let embedded = run.samples.count { $0.location == nil }
    return WrittenPlan(
      path: path, size: try PlanFile(path).size, view: request.view, model: run.model,
      dataset: run.dataset.name, samples: run.samples.count, embedded: embedded,
      roots: embedded == run.samples.count ? [] : DatasetRoot.roots(of: run.dataset),
      missing: run.match.missing)
  }
}
