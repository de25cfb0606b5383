package import AssayCore

/// The first input tensors of a run next to the images they were made from.
package struct SeenInputs: Sendable {
  /// One sample before and after preprocessing.
  package struct Sample: Sendable {
    /// The sample's key in its dataset.
    package var key: String
    /// The original image.
    package var original: Raster<UInt8>
    /// The values passed to the model, 1 or 3 channels interleaved, in the model's channel order.
    package var tensor: Raster<Float>

    package init(key: String, original: Raster<UInt8>, tensor: Raster<Float>) {
      self.key = key
      self.original = original
      self.tensor = tensor
    }
  }

  /// The recipe in words: `[1, 64, 64, 1] float32, gray, x · 2/255 − 1, stretched`.
  package var recipe: String
  /// The samples, in the run's order.
  package var samples: [Sample]

  package init(recipe: String, samples: [Sample]) {
    self.recipe = recipe
    self.samples = samples
  }
}
