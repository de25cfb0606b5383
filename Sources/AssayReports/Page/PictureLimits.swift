package import AssayCore
import AssayImaging

/// The limits on the images of a page, so that it stays a file that can be sent.
package enum PictureLimits {
  /// Pictures in one cell of the confusion matrix.
  package static let perCell = 24
  /// Pictures in all cells of the confusion matrix together.
  package static let inCells = 1_500
  /// Bytes of all pictures as they stand in the page.
  package static let bytes = 10_000_000
  /// The number of the worst confusions that are shown with images.
  package static let confusions = 3
  /// Pictures beside one of the worst confusions.
  package static let perConfusion = 6
  /// The most confident mistakes.
  package static let mistakes = 24
  /// Input tensors.
  package static let inputs = 8
  /// Samples with the lowest IoU, and as many drawn by chance.
  package static let worstMasks = 9
  /// Samples about the median IoU, and as many of the highest.
  package static let otherMasks = 6
  /// Up to this many samples a report of masks shows them all.
  package static let allMasks = 24
  /// Of them as many are called the worst.
  package static let fewWorst = 3
  /// Rows of the table of samples.
  package static let tableRows = 500
  /// The longest side of a photo with masks in pixels; longer ones are reduced.
  package static let photoLongest = 640
  /// The costliest mistakes of the costliest type of error, as pictures.
  package static let perFirstError = 8
  /// The costliest mistakes of each other type.
  package static let perError = 4
  /// The longest side of a piece of a photo with objects in pixels; longer ones are reduced.
  package static let cutoutLongest = 504
  /// Pairs of classes that are missed and added together.
  package static let labelConfusions = 12
  /// The longest side in pixels of an image with several labels, which may be of small things in it.
  package static let labeledLongest = 240
  /// The longest side of a picture in pixels; longer ones are reduced.
  package static let longest = 160

  /// The picture as the page shows it: the mean over whole blocks where it is longer than ``longest``.
  package static func reduced(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    Enlargement.reduced(raster, longest: longest)
  }

  /// A photo as a page shows it with masks: reduced where it is longer than ``photoLongest``.
  package static func photo(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    guard max(raster.width, raster.height) > photoLongest else { return raster }
    return PhotoSize.resized(
      raster,
      to: PhotoSize.shown(width: raster.width, height: raster.height, longest: photoLongest))
  }

  /// A piece of a photo as a page shows it with objects: reduced where it is longer than
  /// ``cutoutLongest``.
  package static func cutout(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    guard max(raster.width, raster.height) > cutoutLongest else { return raster }
    return PhotoSize.resized(
      raster,
      to: PhotoSize.shown(width: raster.width, height: raster.height, longest: cutoutLongest))
  }

  /// A label map as a page shows it: the label under each pixel's center where it is longer than
  /// ``photoLongest``.
  package static func photoLabels(_ labels: Raster<UInt8>) -> Raster<UInt8> {
    guard max(labels.width, labels.height) > photoLongest else { return labels }
    return Resize.nearest(
      labels,
      to: PhotoSize.shown(width: labels.width, height: labels.height, longest: photoLongest))
  }
}
