import AssayCore
import AssayImaging
import AssayInference
import AssayStore

/// Stores the probability maps of segmentation models, or only the masks.
struct SegmentationTask: PredictTask {
  typealias Reader = MapReader

  let recipe: SegmentationRecipe
  /// The ordinals of the classes for which the model has maps.
  let kept: [Int]
  /// True if the images are flipped horizontally; only for inputs that are stretched, whose maps have
  /// the same place after it.
  var isFlipped = false

  /// The maps in the frame of the image.
  private func upright(_ answer: ClassMaps) -> ClassMaps {
    guard isFlipped else { return answer }
    let mirror = Orientation.upMirrored
    return ClassMaps(
      cells: answer.cells.map { mirror.apply(to: $0) },
      probabilities: answer.probabilities.map { mirror.apply(to: $0) },
      labels: answer.labels.map { mirror.apply(to: $0) })
  }

  /// At most 8 samples, and at most about 1 Mi values.
  func samplesAtOnce(_ reader: MapReader) -> Int {
    max(1, min(8, (1 << 20) / reader.layout.count))
  }

  /// At most 32 samples, and at most about 16 Mi values.
  func storedAtOnce(_ reader: MapReader) -> Int {
    max(1, min(32, (16 << 20) / reader.layout.count))
  }

  /// Masks have the size that the dataset states, which must be the image's.
  func refusal(of sample: SampleRecord, size: ImageSize) -> String? {
    guard sample.size != nil else {
      return RunMasksError.noSize(sample: sample.key).description
    }
    return ImageSizeCheck.refusal(of: sample, size: size)
  }

  func stored(
    _ answer: ClassMaps, of sample: SampleRecord, size: ImageSize
  ) throws -> SampleMasks {
    let answer = upright(answer)
    let maps = zip(kept, answer.cells).map { (class: $0, cells: $1) }
    let fields = try PredictedFields(answer, of: kept, size, recipe: recipe, sample: sample.key)
    let plan = recipe.plan(for: size)
    let predictions = fields.masks().masks.map { ordinal, mask in
      let cells = maps.first { $0.class == ordinal }?.cells
      return MaskPrediction(
        class: ordinal, area: mask.area, meanInside: fields.mean(of: ordinal, inside: mask),
        // The classes of a label map are stated, not probable.
        meanDistance: cells.map { ProbabilityMap($0, plan: plan).meanDistance } ?? 0.5,
        counts: recipe.keepsMaps && !recipe.keepsMasks ? nil : mask.compressed)
    }
    guard recipe.keepsMaps else { return SampleMasks(sample: sample.id, masks: predictions) }
    return SampleMasks(
      sample: sample.id, masks: predictions,
      maps: maps.map { ordinal, cells in
        ProbabilityMapRecord(
          class: ordinal, width: cells.width, height: cells.height, bytes: cells.elements
        ).compressed(level: 1)
      })
  }

  func record(_ samples: [SampleMasks], in run: RunRecord, _ catalog: Catalog) throws {
    try catalog.record(samples, in: run.id)
  }

  func verifyStored(
    of run: RunRecord, _ catalog: Catalog, images: SampleImages, pool: SegmenterPool
  ) throws {
    // A runner's results may differ by rounding, and so may what is read from them.
    guard pool.isExact else { return }
    let masks = try RunMasks(catalog: catalog, run: run)
    let samples = try catalog.maskPredictions(of: run.id).prefix(PoolProbe.limit).map(\.sample)
    let rasters = try images.rasters(of: samples)
    for (index, stored) in try masks.stored(of: samples).enumerated() {
      guard let stored, case .success(let raster) = rasters[index] else { continue }
      let answer = upright(
        try pool.answersAlone(of: [images.named(samples[index], raster)])[0])
      let maps = zip(kept, answer.cells).map { (class: $0, cells: $1) }
      let fields = try PredictedFields(
        answer, of: kept, stored.size, recipe: recipe, sample: stored.sample)
      guard !stored.isMade(of: maps, masks: fields.masks()) else { continue }
      throw PredictError.storedDiffers(
        run: run.name,
        reason:
          "its stored result for sample \(stored.sample) differs from the model's current output.")
    }
  }
}

extension StoredMasks {
  /// Returns whether the stored result equals these maps, or, if no maps are stored, the masks made
  /// from them.
  fileprivate func isMade(
    of maps: [(class: Int, cells: Raster<UInt8>)], masks: PredictedMasks
  ) -> Bool {
    func areEqual(_ stored: [(`class`: Int, mask: Mask)]) -> Bool {
      stored.elementsEqual(masks.masks) { $0.class == $1.class && $0.mask == $1.mask }
    }
    return switch content {
    case .maps(let stored, let chosen):
      stored.elementsEqual(maps) { $0.class == $1.class && $0.cells == $1.cells }
        && chosen.map(areEqual) ?? true
    case .masks(let stored): areEqual(stored)
    }
  }
}
