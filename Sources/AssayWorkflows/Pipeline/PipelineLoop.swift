import AssayCore
import AssayInference
import AssayStore
import Foundation

/// The execution of a pipeline: workers that read images and pass their objects through the steps, and one thread
/// that stores.
struct PipelineLoop {
  private let catalog: Catalog
  private let images: SampleImages
  private let steps: [any CompiledStep]
  private let pending: [SampleRecord]
  private let view: String
  private let workers: Int
  private let progress: any ProgressSink
  /// True if each object has a mask, an empty one if it did not get so far.
  private let hasMasks: Bool

  /// The maximum number of samples that are stored in one transaction.
  private static let storedAtOnce = 64

  /// Compiles the models and checks them on the first samples.
  ///
  /// - Throws: `InferenceError`, `StoreError`, ``PipelineError``, ``PredictError/nothingReadable(view:tried:first:)``.
  init(
    _ compiler: PipelineCompiler, _ models: [ModelRecord?], catalog: Catalog,
    dataset: DatasetRecord, view: String, pending: [SampleRecord], isResumed: Bool, workers: Int?,
    progress: any ProgressSink
  ) throws {
    self.catalog = catalog
    self.pending = pending
    self.view = view
    self.progress = progress
    images = SampleImages(catalog: catalog, dataset: dataset)
    progress.report(0, "compiling \(compiler.pipeline.name)")
    let cores = ProcessInfo.processInfo.activeProcessorCount
    self.workers = max(1, min(workers ?? cores, pending.count))
    ModelProcess.setThreads(self.workers + 1)
    let probe = try PredictProbe(images: images).pictures(
      of: pending, view: view, mayBeNone: isResumed)
    steps = try compiler.steps(models, workers: self.workers, probe: probe)
    let last = compiler.lastDetector ?? 0
    hasMasks = compiler.pipeline.steps[last...].contains { $0.action == .segment }
  }

  /// The objects of one sample, or the reason why there are none.
  private enum Found: Sendable {
    case objects([Detection])
    case failure(String)
  }

  private static func found(
    in sample: SampleRecord, _ images: SampleImages, _ steps: [any CompiledStep], hasMasks: Bool,
    worker: Int
  ) throws -> Found {
    switch try images.rasters(of: [sample])[0] {
    case .failure(let error): return .failure(error.description)
    case .success(let image):
      if let refusal = ImageSizeCheck.refusal(of: sample, size: image.size) {
        return .failure(refusal)
      }
      var objects: [PipelineObject] = []
      for step in steps {
        objects = try step.apply(to: objects, in: image, sample: sample.key, worker: worker)
      }
      return .objects(
        objects.map { object in
          var stored = object.stored
          if hasMasks, stored.counts == nil {
            let empty = Mask(emptyOf: image.size)
            (stored.counts, stored.area) = (empty.compressed, 0)
          }
          return stored
        })
    }
  }

  /// Computes and stores all pending samples.
  ///
  /// - Throws: ``Interrupted`` with a note on what was stored; ``PredictError/removed(run:reason:)`` if a new run gets
  ///   invalid outputs; `InferenceError`, `StoreError`.
  func compute(_ run: RunRecord, start: PredictSummary.Start) throws -> PipelineSummary {
    do {
      return try computed(run, start: start)
    } catch let error as InferenceError {
      guard start == .new else { throw error }
      _ = try catalog.remove(.run, named: run.name)
      throw PredictError.removed(run: run.name, reason: "\(error)")
    }
  }

  private func computed(
    _ run: RunRecord, start: PredictSummary.Start
  ) throws -> PipelineSummary {
    let began = ContinuousClock.now
    var summary = PipelineSummary(run: run, start: start)
    var waiting: [SampleDetections] = []
    var next = 0
    var storedAt = began
    ModelProcess.keep(kept(0, in: run))
    try OrderedWorkers(workers: workers, window: 4 * workers).run(
      next: { () -> SampleRecord? in
        guard next < pending.count, !Interruption.isRequested else { return nil }
        defer { next += 1 }
        return pending[next]
      },
      transform: { [images, steps, hasMasks] worker, sample in
        (sample, try Self.found(in: sample, images, steps, hasMasks: hasMasks, worker: worker))
      },
      deliver: { sample, found in
        switch found {
        case .objects(let objects):
          waiting.append(SampleDetections(sample: sample.id, detections: objects))
        case .failure(let message):
          try catalog.recordFailure(of: sample.id, in: run.id, message: message)
        }
        summary.computed += 1
        if waiting.count >= Self.storedAtOnce || ContinuousClock.now - storedAt > .seconds(1) {
          try catalog.record(waiting, in: run.id)
          waiting.removeAll(keepingCapacity: true)
          storedAt = ContinuousClock.now
          ModelProcess.keep(kept(summary.computed, in: run))
        }
        progress.report(
          Double(summary.computed) / Double(pending.count), "looking at \(view)")
      })
    try catalog.record(waiting, in: run.id)
    guard summary.computed == pending.count else {
      throw Interrupted(kept: kept(summary.computed, in: run))
    }
    let elapsed = (ContinuousClock.now - began).components
    summary.seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
    summary.workers = workers
    return summary
  }

  /// The message about a run that stopped after this many of the pending samples were stored.
  private func kept(_ stored: Int, in run: RunRecord) -> String {
    "\(run.total - pending.count + stored) of \(run.total) samples are kept in the run “\(run.name)”;"
      + " run the same command to continue"
  }
}
