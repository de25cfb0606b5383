import AssayCore
import AssayImaging

/// Sums of images of one size, with gray and color separate, because it is unknown which of them a
/// dataset contains until all of it has been read.
struct PixelSums: Sendable {
  /// An image that was not included: its place in the list of samples, and the reason.
  struct LeftOut: Hashable, Sendable {
    var position: Int
    var reason: String
  }

  var gray: MomentsAccumulator
  var color: MomentsAccumulator
  var hasColor = false
  /// The images that were not included, in the order of the samples.
  var leftOut: [LeftOut] = []

  /// - Parameter classes: the number of classes, with the one for samples without a label.
  init(size: ImageSize, classes: Int) {
    gray = MomentsAccumulator(size: size, channels: 1, classes: classes)
    color = MomentsAccumulator(size: size, channels: 3, classes: classes)
  }

  /// Adds the images of other sums of the same size.
  mutating func merge(_ other: PixelSums) {
    gray.merge(other.gray)
    color.merge(other.color)
    hasColor = hasColor || other.hasColor
  }

  /// All images: gray if there is no color, otherwise with gray images converted to color.
  var combined: MomentsAccumulator {
    guard hasColor else { return gray }
    var total = color
    total.merge(gray.colored())
    return total
  }

  /// Adds pixels of an image with the size of the sums.
  mutating func add(_ pixels: UnsafeRawBufferPointer, channels: Int, to category: Int) {
    if channels == 1 {
      gray.add(pixels, to: category)
    } else {
      color.add(pixels, to: category)
      hasColor = true
    }
  }

  /// Adds an image; returns the reason if it was not added.
  mutating func add(_ raster: Raster<UInt8>, to category: Int, resizing: Bool) -> String? {
    var raster = raster
    if raster.width != gray.size.width || raster.height != gray.size.height {
      guard resizing else {
        return "its size is now \(raster.width)×\(raster.height), it was \(gray.size)"
      }
      raster = Resize.area(raster, to: gray.size)
    }
    raster.elements.withUnsafeBytes { add($0, channels: raster.channels, to: category) }
    return nil
  }
}
