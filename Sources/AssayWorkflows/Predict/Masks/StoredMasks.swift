package import AssayCore
import AssayImaging

/// The stored result of one sample: its maps, or its masks if there are no maps.
package struct StoredMasks: Sendable {
  enum Content: Sendable {
    /// The masks are those that were chosen from unrounded probabilities; `nil` if the run has none.
    case maps([(`class`: Int, cells: Raster<UInt8>)], masks: [(`class`: Int, mask: Mask)]?)
    case masks([(`class`: Int, mask: Mask)])
  }

  /// The sample's key.
  package let sample: String
  /// The image's size.
  package let size: ImageSize
  let run: String
  let recipe: SegmentationRecipe
  let content: Content

  /// The maps resized to the image, from which masks at several thresholds are made.
  ///
  /// - Throws: ``RunMasksError/noMaps(run:own:)``, ``RunMasksError/noProbabilities(run:)``,
  ///   ``RunMasksError/damaged(sample:reason:)``.
  package func fields() throws(RunMasksError) -> PredictedFields {
    switch content {
    case .maps(let maps, let masks):
      try PredictedFields(maps, masks: masks, of: size, recipe: recipe, sample: sample)
    case .masks: throw refusal
    }
  }

  /// The reason why there are no masks at another threshold.
  private var refusal: RunMasksError {
    recipe.isLabelMap ? .noProbabilities(run: run) : .noMaps(run: run, own: recipe.threshold)
  }

  /// The masks of the image.
  ///
  /// - Parameter threshold: the minimum probability inside a mask, in 0...1; `nil` for the run's
  ///   own.
  /// - Throws: ``RunMasksError/noMaps(run:own:)``, ``RunMasksError/noProbabilities(run:)``,
  ///   ``RunMasksError/damaged(sample:reason:)``.
  package func masks(threshold: Double? = nil) throws(RunMasksError) -> PredictedMasks {
    switch content {
    case .maps(_, nil): return try fields().masks(threshold: threshold)
    case .maps(_, let masks?): return whole(masks)
    case .masks(let masks):
      guard threshold == nil || threshold == recipe.threshold else {
        throw refusal
      }
      return whole(masks)
    }
  }

  /// Stored masks with the pixels that the model has not seen.
  private func whole(_ masks: [(class: Int, mask: Mask)]) -> PredictedMasks {
    let cell = ImageSize(width: 1, height: 1)
    let void = MapProjection(recipe.plan(for: size), map: cell).void
    return PredictedMasks(size: size, masks: masks, void: void)
  }
}
