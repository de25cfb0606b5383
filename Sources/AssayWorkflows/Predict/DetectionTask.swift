import AssayCore
import AssayImaging
import AssayInference
import AssayStore

/// Stores the boxes found by a detector, in pixels of the original images.
struct DetectionTask: PredictTask {
  typealias Reader = DetectionReader

  let input: ModelInput
  /// True if the model gives fractions of its input, which were multiplied by the size of the largest.
  let areRelative: Bool
  /// True if the images are flipped horizontally.
  var isFlipped = false

  /// A small number: detectors are slow, and at the end no worker should have to wait long for
  /// another.
  func samplesAtOnce(_ reader: DetectionReader) -> Int { 2 }

  func storedAtOnce(_ reader: DetectionReader) -> Int { 256 }

  /// The boxes refer to the image; if the dataset states another size, its own boxes do not fit the
  /// image.
  func refusal(of sample: SampleRecord, size: ImageSize) -> String? {
    ImageSizeCheck.refusal(of: sample, size: size)
  }

  func stored(
    _ answer: [DetectedBox], of sample: SampleRecord, size: ImageSize
  ) -> SampleDetections {
    SampleDetections(sample: sample.id, detections: detections(answer, in: size))
  }

  /// The boxes in an image of this size, in its pixels.
  func detections(_ answer: [DetectedBox], in size: ImageSize) -> [Detection] {
    let plan = input.plan(for: size)
    return scaled(answer, to: plan).compactMap { $0.detection(through: plan) }.map { found in
      guard isFlipped else { return found }
      var found = found
      found.box.x = Double(size.width) - found.box.x - found.box.width
      return found
    }
  }

  /// The boxes in pixels of the input of this plan.
  func scaled(_ answer: [DetectedBox], to plan: ResizePlan) -> [DetectedBox] {
    guard areRelative else { return answer }
    let x = Double(plan.target.width) / Double(input.size.width)
    let y = Double(plan.target.height) / Double(input.size.height)
    return answer.map { $0.scaled(x: x, y: y) }
  }

  func objects(in stored: SampleDetections) -> Int? { stored.detections.count }

  func record(_ samples: [SampleDetections], in run: RunRecord, _ catalog: Catalog) throws {
    try catalog.record(samples, in: run.id)
  }

  func verifyStored(
    of run: RunRecord, _ catalog: Catalog, images: SampleImages, pool: DetectorPool
  ) throws {
    // A runner's results may differ by rounding, and so may what is read from them.
    guard pool.isExact else { return }
    let stored = try catalog.detections(of: run.id).prefix(PoolProbe.limit)
    let rasters = try images.rasters(of: stored.map(\.sample))
    for (record, raster) in zip(stored, rasters) {
      guard case .success(let raster) = raster else { continue }
      let sample = record.sample
      let answer = try pool.answersAlone(of: [images.named(sample, raster)])[0]
      let size = ImageSize(width: raster.width, height: raster.height)
      guard self.stored(answer, of: sample, size: size).detections != record.detections else {
        continue
      }
      throw PredictError.storedDiffers(
        run: run.name,
        reason:
          "its stored result for sample \(sample.key) differs from the model's current output.")
    }
  }
}
