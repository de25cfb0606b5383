import AssayCore
import AssayInference
import AssayStore
import Foundation

/// The execution of a run: workers that load, preprocess and predict, and one thread that stores.
struct PredictLoop<Task: PredictTask> {
  private let request: PredictRequest
  private let catalog: Catalog
  private let images: SampleImages
  private let task: Task
  private let pool: ModelPool<Task.Reader>
  private let pending: [SampleRecord]
  private let progress: any ProgressSink
  private let workers: Int

  /// The number of samples computed a second time at the end of a run, spread over it.
  private static var watchedCount: Int { 4 }

  /// Compiles the models and checks them on the first samples.
  ///
  /// - Parameters:
  ///   - catalog: receives the results.
  ///   - source: the catalog with the images; `nil` if it is the same one.
  ///   - isResumed: true if all remaining samples may be without a readable image.
  /// - Throws: `InferenceError`, `StoreError`, ``PredictError/nothingReadable(view:tried:first:)``.
  init(
    _ request: PredictRequest, _ task: Task, model: ValidatedModel, catalog: Catalog,
    images source: Catalog? = nil, dataset: DatasetRecord, pending: [SampleRecord], isResumed: Bool,
    progress: any ProgressSink
  ) throws {
    self.request = request
    self.task = task
    self.catalog = catalog
    self.pending = pending
    self.progress = progress
    images = SampleImages(
      catalog: source ?? catalog, dataset: dataset, isFlipped: request.isFlipped)
    progress.report(0, "compiling \(request.model)")
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let batch = request.batch ?? model.defaultBatch
    let useful = (pending.count + batch - 1) / batch
    workers = max(1, min(request.workers ?? cores, useful))
    // The models are compiled in parallel, plus one more to check the others.
    ModelProcess.setThreads(workers + 1)
    let probe = try PredictProbe(images: images).pictures(
      of: pending, view: request.view, mayBeNone: isResumed)
    pool = try ModelPool(
      model, workers: workers, batch: request.batch, precision: request.precision, probe: probe)
    // Outputs that are not probabilities are detected before anything is stored.
    try pool.readProbe()
  }

  /// Checks that the stored results of an interrupted run equal what would be computed now.
  ///
  /// - Throws: ``PredictError/storedDiffers(run:reason:)``.
  func verifyStored(of run: RunRecord) throws {
    try task.verifyStored(of: run, catalog, images: images, pool: pool)
  }

  /// Computes and stores all pending samples.
  ///
  /// - Throws: ``Interrupted``, with a note on what was stored;
  ///   ``PredictError/removed(run:reason:)`` if the run's self-check fails, or if a new run gets
  ///   invalid outputs.
  func finish(_ run: RunRecord, start: PredictSummary.Start) throws -> PredictSummary {
    do {
      return try compute(run, start: start)
    } catch let error as InferenceError {
      // A part that is not complete is not kept.
      guard request.part == nil else { throw error }
      if case .runnerFailed = error {
        let stored = try catalog.run(named: run.name)
        if stored.done + stored.failed > 0 {
          throw PredictError.runnerStopped(
            reason: "\(error)",
            kept: text(ofStored: stored.done + stored.failed - run.total + pending.count, in: run))
        }
      }
      var isUseless = start == .new
      if case .selfCheckFailed = error { isUseless = true }
      guard isUseless else { throw error }
      _ = try catalog.remove(.run, named: run.name)
      throw PredictError.removed(run: run.name, reason: "\(error)")
    }
  }

  private func compute(
    _ run: RunRecord, start: PredictSummary.Start
  ) throws -> PredictSummary {
    let began = ContinuousClock.now
    var summary = PredictSummary(run: run, start: start)
    var waiting: [Task.Stored] = []
    var vectors: [SampleEmbedding] = []
    var kept: [ComputedSample] = []
    var next = 0
    let size = chunkSize
    let watched = watchedSamples
    var storedAt = began
    keep(0, in: run)
    // A runner can stop at any time: what was computed before is kept.
    defer { try? record(waiting, vectors, in: run) }
    try OrderedWorkers(workers: workers, window: 4 * workers).run(
      next: { () -> PredictChunk? in
        guard next < pending.count, !Interruption.isRequested else { return nil }
        defer { next = min(next + size, pending.count) }
        return PredictChunk(
          samples: Array(pending[next..<min(next + size, pending.count)]), watched: watched)
      },
      transform: { [task, images, pool] worker, chunk in
        try chunk.predict(task, images, pool, worker: worker)
      },
      deliver: { (chunk: PredictedChunk<Task.Stored>) in
        waiting += chunk.stored
        vectors += chunk.embeddings
        for stored in chunk.stored {
          if let count = task.objects(in: stored) { summary.found.add(count) }
        }
        kept += chunk.kept
        for failure in chunk.failures {
          try catalog.recordFailure(
            of: failure.sample.id, in: run.id, message: failure.message)
        }
        summary.computed += chunk.count
        // A model can be stopped at any time: at most a second's work is lost.
        if waiting.count >= task.storedAtOnce(pool.reader)
          || ContinuousClock.now - storedAt > .seconds(1)
        {
          try record(waiting, vectors, in: run)
          waiting.removeAll(keepingCapacity: true)
          vectors.removeAll(keepingCapacity: true)
          storedAt = ContinuousClock.now
          keep(summary.computed, in: run)
        }
        report(summary.computed, since: began)
      })
    try record(waiting, vectors, in: run)
    waiting.removeAll()
    vectors.removeAll()
    if summary.computed < pending.count {
      throw Interrupted(kept: text(ofStored: summary.computed, in: run))
    }
    keep(summary.computed, in: run)
    try pool.verify(kept)
    let elapsed = (ContinuousClock.now - began).components
    summary.seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
    summary.verified = min(PoolProbe.limit, pending.count) + kept.count
    summary.isExact = pool.isExact
    summary.batch = pool.batch
    summary.workers = workers
    summary.batchNote = pool.batchNote
    summary.remark = pool.remark
    return summary
  }

  /// Stores results. The vectors come first: a sample is done once its prediction is stored.
  private func record(
    _ samples: [Task.Stored], _ vectors: [SampleEmbedding], in run: RunRecord
  ) throws {
    if !vectors.isEmpty { try catalog.record(vectors, in: run.id) }
    try task.record(samples, in: run, catalog)
  }

  /// The message about a run that stopped after this many of the pending samples were stored.
  private func text(ofStored stored: Int, in run: RunRecord) -> String {
    if let part = request.part {
      return "nothing of the shard \(part.shard.text) is kept; run the same command again"
    }
    let done = run.total - pending.count + stored
    return "\(done) of \(run.total) samples are kept in the run “\(run.name)”;"
      + " run the same command to continue"
  }

  private func keep(_ stored: Int, in run: RunRecord) {
    ModelProcess.keep(text(ofStored: stored, in: run))
  }

  /// The number of samples per chunk: whole batches, about as many samples as the task requests,
  /// fewer if there is little to distribute.
  private var chunkSize: Int {
    let batches = min(
      task.samplesAtOnce(pool.reader) / pool.batch, pending.count / (2 * workers * pool.batch))
    return pool.batch * max(1, batches)
  }

  private var watchedSamples: Set<Int64> {
    let count = Self.watchedCount
    return Set((0..<count).map { pending[(2 * $0 + 1) * pending.count / (2 * count)].id })
  }

  private func report(_ done: Int, since start: ContinuousClock.Instant) {
    let elapsed = (ContinuousClock.now - start).components
    let seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
    let rate = seconds > 0 ? ", \(Int(Double(done) / seconds)) per second" : ""
    progress.report(
      Double(done) / Double(pending.count), "predicting \(request.view)" + rate)
  }
}

/// Selects the samples that a run's models are checked with.
struct PredictProbe {
  let images: SampleImages

  /// The number of samples that are tried at the beginning, and again spread over the rest.
  private static let tries = 64

  /// The images of the first samples that can be read; if there are none, those of samples spread
  /// over the rest.
  ///
  /// - Throws: ``PredictError/nothingReadable(view:tried:first:)`` unless `mayBeNone` is true.
  func pictures(
    of samples: [SampleRecord], view: String, mayBeNone: Bool
  ) throws -> [NamedRaster] {
    let first = samples.prefix(Self.tries)
    let rest = samples.dropFirst(Self.tries)
    let step = max(1, rest.count / Self.tries)
    let spread = stride(from: first.endIndex, to: rest.endIndex, by: step).map { samples[$0] }
    var failure: SampleImageError?
    for part in [Array(first), spread] {
      var pictures: [NamedRaster] = []
      for sample in part where pictures.count < PoolProbe.limit {
        switch try images.rasters(of: [sample]).first {
        case .success(let raster): pictures.append(images.named(sample, raster))
        case .failure(let error): failure = failure ?? error
        case nil: break
        }
      }
      if !pictures.isEmpty { return pictures }
    }
    if let failure, !mayBeNone {
      throw PredictError.nothingReadable(
        view: view, tried: first.count + spread.count, first: failure.description)
    }
    return []
  }
}
