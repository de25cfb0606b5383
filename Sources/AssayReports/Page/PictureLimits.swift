package import AssayCore

/// How many pictures a page may hold, so that it stays a file one can send.
package enum PictureLimits {
  /// Pictures in one cell of the confusion matrix.
  package static let perCell = 24
  /// Pictures in all cells of the confusion matrix together.
  package static let inCells = 1_500
  /// Bytes of all pictures as they stand in the page.
  package static let bytes = 10_000_000
  /// How many of the worst confusions are shown with pictures.
  package static let confusions = 3
  /// Pictures beside one of the worst confusions.
  package static let perConfusion = 6
  /// The most confident mistakes.
  package static let mistakes = 24
  /// Input tensors.
  package static let inputs = 8
  /// The longest side of a picture in pixels; longer ones are reduced.
  package static let longest = 160

  /// The picture as the page shows it: the mean over whole blocks where it is longer than ``longest``.
  package static func reduced(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    Enlargement.reduced(raster, longest: longest)
  }
}
