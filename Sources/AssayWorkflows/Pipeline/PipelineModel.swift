import AssayCore
import AssayImaging
import AssayInference
import AssayStore

/// A model of a pipeline's step, compiled once per worker.
struct PipelineModel<Reader: OutputReader>: Sendable {
  let record: ModelRecord
  let manifest: ModelManifest
  private let pool: ModelPool<Reader>

  /// Compiles and checks the model; the first inputs are those that the step will see, or like them.
  ///
  /// - Throws: `InferenceError`, `PredictError`, ``RunnerTrustError``.
  init(_ record: ModelRecord, workers: Int, probe: [NamedRaster]) throws {
    self.record = record
    let model = try record.load()
    try model.requireArrays(or: "a pipeline passes crops, which are in no file")
    manifest = model.manifest
    // Most images have one object or none, and a batch takes as long with one image as with all. A runner computes what
    // it gets.
    pool = try ModelPool(
      model, workers: workers, batch: model.runner == nil ? 1 : nil, probe: probe)
    try pool.readProbe()
  }

  /// The model's answers for images, one after another.
  ///
  /// - Throws: `InferenceError`.
  func answers(
    _ rasters: [Raster<UInt8>], sample: String, worker: Int
  ) throws -> [Reader.SampleOutput] {
    let pictures = rasters.map { NamedRaster(sample, pool.picture(worker: worker, of: $0)) }
    return try pool.answers(worker: worker, of: pictures)
  }
}

extension PipelineModel<DetectionReader> {
  /// The objects in an image, in its pixels, by descending score.
  ///
  /// - Throws: `InferenceError`.
  func objects(in raster: Raster<UInt8>, sample: String, worker: Int) throws -> [PipelineObject] {
    let task = DetectionTask(
      input: manifest.input, areRelative: manifest.detector?.givesRelativeBoxes == true)
    let plan = manifest.input.plan(for: raster.size)
    return try answers([raster], sample: sample, worker: worker).joined().compactMap { box in
      let box = task.scaled([box], to: plan)[0]
      return box.detection(through: plan).map { detection in
        let whole = box.unclipped(through: plan)
        return PipelineObject(detection, box: whole.box, keypoints: whole.keypoints)
      }
    }
  }
}
