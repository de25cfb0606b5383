import AssayCore
package import AssayStore

/// The predicted masks of a run, made from its stored maps. Safe to use from several threads.
package struct RunMasks: Sendable {
  /// The run's record.
  package let run: RunRecord
  /// The run's settings.
  package let recipe: SegmentationRecipe
  private let catalog: Catalog

  /// - Throws: ``RunMasksError/otherTask(run:task:)``, ``RunMasksError/settings(run:)``, `StoreError`.
  package init(catalog: Catalog, run: RunRecord) throws {
    let recipe = try SegmentationRecipe(of: run)
    self.catalog = catalog
    self.run = run
    self.recipe = recipe
  }

  /// Makes the masks of some samples, one after another in their order.
  ///
  /// - Parameters:
  ///   - threshold: the minimum probability inside a mask, in 0...1; `nil` for the run's own.
  ///   - body: receives the sample's index in `samples` and its masks; is not called for samples
  ///     without a result.
  /// - Throws: ``RunMasksError``, `StoreError`, the errors of `body`.
  package func masks(
    of samples: [SampleRecord], threshold: Double? = nil,
    _ body: (_ index: Int, _ masks: PredictedMasks) throws -> Void
  ) throws {
    try forEachStored(of: samples) { index, stored in
      try body(index, try stored.masks(threshold: threshold))
    }
  }

  /// The stored results of some samples, in their order; `nil` for those without one.
  ///
  /// All their maps are in memory at the same time: request only a few dozen samples at a time.
  ///
  /// - Throws: ``RunMasksError/noSize(sample:)``, ``RunMasksError/damaged(sample:reason:)``,
  ///   `StoreError`.
  package func stored(of samples: [SampleRecord]) throws -> [StoredMasks?] {
    var result = [StoredMasks?](repeating: nil, count: samples.count)
    try forEachStored(of: samples) { result[$0] = $1 }
    return result
  }

  /// Passes the stored results of some samples to `body`, one after another; samples without a
  /// result are skipped.
  ///
  /// - Throws: the errors of ``stored(of:)`` and of `body`.
  func forEachStored(
    of samples: [SampleRecord], _ body: (Int, StoredMasks) throws -> Void
  ) throws {
    let ids = samples.map(\.id)
    guard recipe.keepsMaps else {
      try catalog.masks(of: run, samples: ids) { index, masks in
        guard !masks.isEmpty else { return }
        let sample = samples[index]
        try body(index, try stored(.masks(Self.masks(masks, of: sample)), of: sample))
      }
      return
    }
    try catalog.maps(of: run.id, samples: ids) { index, maps in
      guard !maps.isEmpty else { return }
      let sample = samples[index]
      var masks: [(class: Int, mask: Mask)]?
      if recipe.keepsMasks {
        try catalog.masks(of: run, samples: [sample.id]) { _, predictions in
          masks = try Self.masks(predictions, of: sample)
        }
      }
      try body(index, try stored(.maps(Self.cells(maps, of: sample), masks: masks), of: sample))
    }
  }

  private func stored(
    _ content: StoredMasks.Content, of sample: SampleRecord
  ) throws(RunMasksError) -> StoredMasks {
    guard let size = sample.size else { throw .noSize(sample: sample.key) }
    return StoredMasks(
      sample: sample.key, size: size, run: run.name, recipe: recipe, content: content)
  }

  private static func cells(
    _ maps: [ProbabilityMapRecord], of sample: SampleRecord
  ) throws(RunMasksError) -> [(class: Int, cells: Raster<UInt8>)] {
    var cells: [(class: Int, cells: Raster<UInt8>)] = []
    for map in maps {
      guard let raster = Raster(width: map.width, height: map.height, elements: map.bytes) else {
        throw .damaged(sample: sample.key, reason: "a probability map is not of its size")
      }
      cells.append((map.class, raster))
    }
    return cells
  }

  private static func masks(
    _ predictions: [MaskPrediction], of sample: SampleRecord
  ) throws(RunMasksError) -> [(class: Int, mask: Mask)] {
    guard let size = sample.size else { throw .noSize(sample: sample.key) }
    var masks: [(class: Int, mask: Mask)] = []
    for prediction in predictions {
      guard let counts = prediction.counts else {
        throw .damaged(sample: sample.key, reason: "it has neither a map nor a mask")
      }
      do throws(MaskError) {
        masks.append((prediction.class, try Mask(size: size, compressed: counts)))
      } catch {
        throw .damaged(sample: sample.key, reason: "its mask is damaged: \(error)")
      }
    }
    return masks
  }
}
