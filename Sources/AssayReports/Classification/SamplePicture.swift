package import AssayCore

/// A sample with its prediction, to be shown as an image.
package struct SamplePicture: Sendable {
  /// The sample's key in its dataset.
  package var key: String
  /// Its pixels, 1 or 3 channels; the page downscales images longer than 160 pixels.
  package var raster: Raster<UInt8>
  /// The ordinal of the true class.
  package var truth: Int
  /// The ordinal of the predicted class.
  package var predicted: Int
  /// The probability of the predicted class, in `0...1`.
  package var confidence: Double?

  package init(
    key: String, raster: Raster<UInt8>, truth: Int, predicted: Int, confidence: Double?
  ) {
    self.key = key
    self.raster = raster
    self.truth = truth
    self.predicted = predicted
    self.confidence = confidence
  }
}
