import AssayCore
import AssayInference
import AssayStore

/// Stores one class per image, for classifiers that give no scores.
struct LabelsTask: PredictTask {
  typealias Reader = ClassNumberReader

  func samplesAtOnce(_ reader: ClassNumberReader) -> Int { 32 }

  func storedAtOnce(_ reader: ClassNumberReader) -> Int { 512 }

  func refusal(of sample: SampleRecord, size: ImageSize) -> String? { nil }

  func stored(_ answer: Int, of sample: SampleRecord, size: ImageSize) -> SampleLabel {
    SampleLabel(sample: sample.id, class: answer)
  }

  func record(_ samples: [SampleLabel], in run: RunRecord, _ catalog: Catalog) throws {
    try catalog.record(samples, in: run.id)
  }

  func verifyStored(
    of run: RunRecord, _ catalog: Catalog, images: SampleImages, pool: ClassNumberPool
  ) throws {
    // A runner's results may differ by rounding, and so may the best class.
    guard pool.isExact else { return }
    let stored = try catalog.predictions(of: run.id).prefix(PoolProbe.limit)
    let rasters = try images.rasters(of: stored.map(\.sample))
    for (prediction, raster) in zip(stored, rasters) {
      guard case .success(let raster) = raster else { continue }
      let again = try pool.answersAlone(of: [images.named(prediction.sample, raster)])[0]
      guard again != prediction.predicted else { continue }
      throw PredictError.storedDiffers(
        run: run.name,
        reason:
          "its stored class for sample \(prediction.sample.key) differs from the model's current output."
      )
    }
  }
}
