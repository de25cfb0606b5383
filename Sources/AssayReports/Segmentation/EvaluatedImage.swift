package import AssayCore

/// An evaluated sample to be shown: its image with the ground truth and the prediction.
package struct EvaluatedImage: Sendable {
  /// The masks or label maps that are drawn.
  package enum Content: Sendable {
    /// One class: outlines over the image. All masks have the same size; `void` pixels are
    /// excluded from the evaluation.
    case masks(truth: Mask, prediction: Mask, void: Mask?)
    /// Several classes: label maps next to the image. Their values are the label values of the
    /// scores, 255 for void. Any size with the image's aspect ratio.
    case labels(truth: Raster<UInt8>, prediction: Raster<UInt8>)
  }

  /// The sample's scores.
  package var row: SegmentedRow
  /// Its pixels, 1 or 3 channels; see ``PictureLimits/photo(_:)``.
  package var raster: Raster<UInt8>
  package var content: Content

  package init(row: SegmentedRow, raster: Raster<UInt8>, content: Content) {
    self.row = row
    self.raster = raster
    self.content = content
  }
}
