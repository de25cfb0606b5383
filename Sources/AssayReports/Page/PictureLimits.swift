package import AssayCore
import AssayImaging

/// The limits on the images of a page, so that the file stays small enough to send.
package enum PictureLimits {
  /// The maximum number of images in one cell of the confusion matrix.
  package static let perCell = 24
  /// The maximum number of images in all cells of the confusion matrix together.
  package static let inCells = 1_500
  /// The maximum number of bytes of all images, as encoded in the page.
  package static let bytes = 10_000_000
  /// The number of the worst confusions that are shown with images.
  package static let confusions = 3
  /// The maximum number of images next to one of the worst confusions.
  package static let perConfusion = 6
  /// The maximum number of most confident mistakes.
  package static let mistakes = 24
  /// The maximum number of input tensors.
  package static let inputs = 8
  /// The number of samples with the lowest IoU, and of random samples.
  package static let worstMasks = 9
  /// The number of samples around the median IoU, and of samples with the highest IoU.
  package static let otherMasks = 6
  /// Up to this many samples, a segmentation report shows all of them.
  package static let allMasks = 24
  /// The number of those that are listed as the worst.
  package static let fewWorst = 3
  /// The maximum number of rows of the sample table.
  package static let tableRows = 500
  /// The longest side of a photo with masks in pixels; longer ones are downscaled.
  package static let photoLongest = 640
  /// The number of images of mistakes for the type of error with the highest cost; the mistakes
  /// with the highest cost are shown.
  package static let perFirstError = 8
  /// The number of images of mistakes for each other type of error.
  package static let perError = 4
  /// The longest side of a crop of a photo with objects in pixels; longer ones are downscaled.
  package static let cutoutLongest = 504
  /// The maximum number of pairs of classes that are missed and added together.
  package static let labelConfusions = 12
  /// The longest side in pixels of an image with several labels, some of which can
  /// be of small objects.
  package static let labeledLongest = 240
  /// The longest side of an image in pixels; longer ones are downscaled.
  package static let longest = 160

  /// Returns the image as the page shows it: the mean over whole blocks if it
  /// is longer than ``longest``.
  package static func reduced(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    Enlargement.reduced(raster, longest: longest)
  }

  /// Returns a photo as a page shows it with masks: downscaled if it
  /// is longer than ``photoLongest``.
  package static func photo(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    guard max(raster.width, raster.height) > photoLongest else { return raster }
    return PhotoSize.resized(
      raster,
      to: PhotoSize.shown(width: raster.width, height: raster.height, longest: photoLongest))
  }

  /// Returns a crop of a photo as a page shows it with objects: downscaled if it
  /// is longer than ``cutoutLongest``.
  package static func cutout(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    guard max(raster.width, raster.height) > cutoutLongest else { return raster }
    return PhotoSize.resized(
      raster,
      to: PhotoSize.shown(width: raster.width, height: raster.height, longest: cutoutLongest))
  }

  /// Returns a label map as a page shows it: if it is longer than ``photoLongest``, reduced to the
  /// label under each pixel's center.
  package static func photoLabels(_ labels: Raster<UInt8>) -> Raster<UInt8> {
    guard max(labels.width, labels.height) > photoLongest else { return labels }
    return Resize.nearest(
      labels,
      to: PhotoSize.shown(width: labels.width, height: labels.height, longest: photoLongest))
  }
}
