import AssayCore
import AssayInference
import AssayStore

/// Stores one score per class and image, for classifiers and multi-label models.
struct ScoresTask: PredictTask {
  typealias Reader = ProbabilityReader

  func samplesAtOnce(_ reader: ProbabilityReader) -> Int { 32 }

  func storedAtOnce(_ reader: ProbabilityReader) -> Int { 512 }

  func refusal(of sample: SampleRecord, size: ImageSize) -> String? { nil }

  func stored(_ answer: [Float], of sample: SampleRecord, size: ImageSize) -> SampleScores {
    SampleScores(sample: sample.id, scores: answer)
  }

  func record(_ samples: [SampleScores], in run: RunRecord, _ catalog: Catalog) throws {
    try catalog.record(samples, in: run.id)
  }

  func verifyStored(
    of run: RunRecord, _ catalog: Catalog, images: SampleImages, pool: ClassifierPool
  ) throws {
    let stored = try catalog.predictions(of: run.id).prefix(PoolProbe.limit)
    let rasters = try images.rasters(of: stored.map(\.sample))
    for (prediction, raster) in zip(stored, rasters) {
      guard case .success(let raster) = raster else { continue }
      let again = try pool.answersAlone(of: [images.named(prediction.sample, raster)])[0]
      guard !pool.agree(prediction.scores, again) else { continue }
      let failure = SelfCheckFailure(
        sample: prediction.sample.key, inRun: prediction.scores, alone: again, batch: pool.batch)
      throw PredictError.storedDiffers(run: run.name, reason: "\(failure).")
    }
  }
}
