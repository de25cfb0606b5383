import AssayCore
import AssayInference
import AssayStore
import Foundation

/// The computation of one shard of a run: a part, placed into a folder once it is complete.
struct PartPrediction {
  let request: PredictRequest
  let place: PartRequest
  /// The catalog, which is only read.
  let catalog: Catalog
  let model: ModelRecord
  let fitted: ValidatedModel
  let selection: Selection
  /// The settings and the versions of the run, as JSON.
  let settings: String
  let versions: String
  let progress: any ProgressSink

  /// - Parameter samples: those of the whole run.
  /// - Throws: ``PartError``, `InferenceError`, `StoreError`.
  func run(_ task: some PredictTask, samples: [SampleRecord]) throws -> PredictSummary {
    let identity = identity(samples)
    let folder = try open(place.folder)
    let path = folder.path + "/" + place.shard.fileName
    if let present = try present(in: folder, like: identity) {
      return try summary(of: present, .alreadyDone, path, samples.count, nil)
    }
    let temporary = try PartDraft()
    let places = place.shard.places(of: samples.map(\.key))
    let own = places.map { samples[$0] }
    var draft = RunDraft(
      model: model.id, task: model.task, dataset: selection.dataset.id, view: request.view,
      settings: settings, versions: versions, classes: fitted.classes, samples: own.map(\.id))
    draft.positions = places
    let (part, run) = try catalog.makePart(at: temporary.path, draft, samples: own)
    var made: PredictSummary?
    if !own.isEmpty {
      let loop = try PredictLoop(
        request, task, model: fitted, catalog: part, images: catalog,
        dataset: selection.dataset, pending: own, isResumed: true, progress: progress)
      do {
        made = try loop.finish(run, start: .new)
      } catch is Interrupted {
        throw PartError.interrupted(place.shard)
      }
    }
    let failures = try Array(part.failures(of: run.id).prefix(10))
    try part.seal(identity)
    if Interruption.isRequested { throw PartError.interrupted(place.shard) }
    guard try temporary.place(as: place.shard, in: folder) else {
      // Another task made the same part meanwhile.
      guard let present = try present(in: folder, like: identity) else {
        throw PartError.cannotWrite(path: path, reason: "it was removed meanwhile", code: EAGAIN)
      }
      return try summary(of: present, .alreadyDone, path, samples.count, nil)
    }
    var result = try summary(of: PartFile(path), .new, path, samples.count, made)
    result.failures = failures
    return result
  }

  private func open(_ path: String) throws(PartError) -> OpenFolder {
    if mkdir(path, 0o777) != 0, errno != EEXIST {
      throw .cannotWrite(path: path, reason: String(cString: strerror(errno)), code: errno)
    }
    do throws(FileFailure) { return try OpenFolder(path) } catch {
      throw .cannotWrite(path: path, reason: error.reason, code: error.code)
    }
  }

  /// The part of this shard that is there; `nil` if there is none.
  ///
  /// - Throws: ``PartError`` for a damaged part, or that of another run.
  private func present(in folder: OpenFolder, like identity: PartIdentity) throws -> PartFile? {
    guard try folder.has(place.shard.fileName) else { return nil }
    let path = folder.path + "/" + place.shard.fileName
    let part: PartFile
    do {
      part = try PartFile(path)
    } catch let fault as PartFault {
      throw PartError.unusable(path: path, fault)
    }
    var differences = part.identity.differences(from: identity)
    if (part.identity.shard, part.identity.shards) != (identity.shard, identity.shards) {
      differences.append("shard")
    }
    guard differences.isEmpty else {
      throw PartError.otherPart(path: path, differences: differences)
    }
    return part
  }

  private func identity(_ samples: [SampleRecord]) -> PartIdentity {
    let facts: [JSONValue.Member] = [
      .init("model", .string(model.name)), .init("model_sha256", .string(model.hash)),
      .init("manifest_sha256", .string(ContentHash.of(Array(model.manifest.utf8)))),
      .init("task", .string(model.task.rawValue)),
      .init("dataset", .string(selection.dataset.name)),
      .init("dataset_version", JSONValue(selection.dataset.importVersion)),
      .init("view", .string(request.view)), .init("settings", .string(settings)),
      .init("versions", .string(versions)),
      .init("classes", .array(fitted.classes.map { .string($0) })),
      .init("samples", JSONValue(samples.count)),
      .init("samples_sha256", .string(Catalog.hash(of: samples))),
    ]
    return PartIdentity(
      shard: place.shard.number, shards: place.shard.count, facts: facts, command: place.command,
      catalog: URL(fileURLWithPath: catalog.path).path)
  }

  private func summary(
    of part: PartFile, _ start: PredictSummary.Start, _ path: String, _ total: Int,
    _ computed: PredictSummary?
  ) throws -> PredictSummary {
    let record = try part.run()
    var summary = computed ?? PredictSummary(run: record, start: start)
    summary.run = record
    summary.start = start
    summary.part = MadePart(shard: place.shard, path: path, total: total)
    return summary
  }
}
