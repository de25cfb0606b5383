import AssayCore
import AssayInference
import AssayStore
import Foundation

/// The computation of one shard of a run: a part, placed into a folder once it is complete.
struct PartPrediction {
  let request: PredictRequest
  let place: PartRequest
  /// The catalog or the plan, which is only read.
  let catalog: Catalog
  /// The path of the catalog that the parts are merged into.
  let madeWith: String
  let model: ModelRecord
  let fitted: ValidatedModel
  /// The dataset with the images.
  let dataset: DatasetRecord
  /// The settings and the versions of the run, as JSON.
  let settings: String
  let versions: String
  let progress: any ProgressSink

  /// - Throws: ``PartError``, `InferenceError`, `StoreError`.
  func run(_ task: some PredictTask, _ samples: ShardSamples) throws -> PredictSummary {
    let identity = identity(samples)
    let placement = try PartPlacement(place)
    let path = placement.path
    if let present = try placement.present(like: identity) {
      return try summary(of: present.run(), .alreadyDone, path, samples.total, nil)
    }
    let temporary = try PartDraft()
    let own = samples.own
    var draft = RunDraft(
      model: model.id, task: model.task, dataset: dataset.id, view: request.view,
      settings: settings, versions: versions, classes: fitted.classes, samples: own.map(\.id))
    draft.positions = samples.positions
    let (part, run) = try catalog.makePart(at: temporary.path, draft, samples: own)
    var made: PredictSummary?
    if !own.isEmpty {
      let loop = try PredictLoop(
        request, task, model: fitted, catalog: part, images: catalog,
        dataset: dataset, pending: own, isResumed: true, progress: progress)
      do {
        made = try loop.finish(run, start: .new)
      } catch is Interrupted {
        throw PartError.interrupted(place.shard)
      }
    }
    let counts = try part.openCounts(of: run.id)
    guard counts.pending == 0 else {
      throw PartError.unusable(path: path, .inconsistent("samples are pending"))
    }
    let failures = counts.failed == 0 ? [] : try Array(part.failures(of: run.id).prefix(10))
    var record = run
    (record.done, record.failed) = (own.count - counts.failed, counts.failed)
    try part.seal(identity)
    if let present = try placement.place(temporary, like: identity) {
      return try summary(of: present.run(), .alreadyDone, path, samples.total, nil)
    }
    var result = summary(of: record, .new, path, samples.total, made)
    result.failures = failures
    return result
  }

  private func identity(_ samples: ShardSamples) -> PartIdentity {
    let facts: [JSONValue.Member] = [
      .init("model", .string(model.name)), .init("model_sha256", .string(model.hash)),
      .init("manifest_sha256", .string(ContentHash.of(Array(model.manifest.utf8)))),
      .init("task", .string(model.task.rawValue)),
      .init("dataset", .string(dataset.name)),
      .init("dataset_version", JSONValue(dataset.importVersion)),
      .init("view", .string(request.view)), .init("settings", .string(settings)),
      .init("versions", .string(versions)),
      .init("classes", .array(fitted.classes.map { .string($0) })),
      .init("samples", JSONValue(samples.total)),
      .init("samples_sha256", .string(samples.hash)),
    ]
    return PartIdentity(
      shard: place.shard.number, shards: place.shard.count, facts: facts, command: place.command,
      catalog: madeWith)
  }

  private func summary(
    of record: RunRecord, _ start: PredictSummary.Start, _ path: String, _ total: Int,
    _ computed: PredictSummary?
  ) -> PredictSummary {
    var summary = computed ?? PredictSummary(run: record, start: start)
    summary.run = record
    summary.start = start
    summary.part = MadePart(shard: place.shard, path: path, total: total)
    return summary
  }
}

/// The samples of a shard.
struct ShardSamples {
  /// The samples, by their positions in the run.
  let own: [SampleRecord]
  let positions: [Int]
  /// The number of samples of the run.
  let total: Int
  /// The hash of the samples of the run.
  let hash: String

  init(own: [SampleRecord], positions: [Int], total: Int, hash: String) {
    self.own = own
    self.positions = positions
    self.total = total
    self.hash = hash
  }

  /// - Parameter samples: those of the run.
  init(_ shard: Shard, of samples: [SampleRecord]) {
    let positions = shard.places(of: samples.map(\.key))
    self.init(
      own: positions.map { samples[$0] }, positions: positions, total: samples.count,
      hash: Catalog.hash(of: samples))
  }
}
