package import AssayCore

/// A judged sample to be shown: its picture with what is true and what was predicted.
package struct JudgedPicture: Sendable {
  /// The masks or label maps that are drawn.
  package enum Content: Sendable {
    /// One class: outlines over the picture. All masks have one size; `void` is left out of the judgment.
    case masks(truth: Mask, prediction: Mask, void: Mask?)
    /// Several classes: label maps beside the picture, their values the labels' values in the scores,
    /// 255 where void. Any size of the picture's proportions.
    case labels(truth: Raster<UInt8>, prediction: Raster<UInt8>)
  }

  /// The sample's numbers.
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
