package import AssayCore

/// Resizes a raster, which must not be empty.
///
/// Pixel centers are at halves: target x takes its value from source `(x + ½)·source/target − ½`.
package enum Resize {
  /// Bilinear without antialiasing, in 8 bits, equal to OpenCV's `INTER_LINEAR` bit for bit. For
  /// many images of one size, keep a ``BilinearResampler``.
  package static func bilinear(_ raster: Raster<UInt8>, to size: ImageSize) -> Raster<UInt8> {
    return BilinearResampler(from: raster.size, to: size, channels: raster.channels).resample(
      raster)
  }

  /// Bilinear without antialiasing in float32, not rounded: values in 0...255.
  package static func bilinearUnrounded(
    _ raster: Raster<UInt8>, to size: ImageSize
  ) -> Raster<Float> {
    return BilinearResampler(from: raster.size, to: size, channels: raster.channels)
      .resampleUnrounded(raster)
  }

  /// The mean over the source pixels that a target pixel covers, with partial pixels weighted by
  /// their share: for thumbnails. If the target is larger on a side, uses ``bilinear(_:to:)``
  /// instead.
  package static func area(_ raster: Raster<UInt8>, to size: ImageSize) -> Raster<UInt8> {
    guard raster.width >= size.width, raster.height >= size.height else {
      return bilinear(raster, to: size)
    }
    return AreaResampler(from: raster.size, to: size, channels: raster.channels).resample(raster)
  }

  /// The source pixel under each target pixel's center: for masks and indices.
  package static func nearest(_ raster: Raster<UInt8>, to size: ImageSize) -> Raster<UInt8> {
    precondition(raster.width > 0 && raster.height > 0)
    var resized = Raster<UInt8>(
      repeating: 0, width: size.width, height: size.height, channels: raster.channels)
    let columns = (0..<size.width).map { (2 * $0 + 1) * raster.width / (2 * size.width) }
    let step = raster.channels
    raster.elements.withUnsafeBufferPointer { source in
      resized.elements.withUnsafeMutableBufferPointer { target in
        var place = 0
        for y in 0..<size.height {
          let row = (2 * y + 1) * raster.height / (2 * size.height) * raster.width
          for column in columns {
            for channel in 0..<step {
              target[place] = source[(row + column) * step + channel]
              place += 1
            }
          }
        }
      }
    }
    return resized
  }

  /// Each pixel as a square of `factor` × `factor`, used to display small images.
  ///
  /// - Precondition: `factor` is at least 1 and the result within ``ImageSize/pixelLimit``.
  package static func enlarge(_ raster: Raster<UInt8>, by factor: Int) -> Raster<UInt8> {
    precondition(factor >= 1)
    guard factor > 1, raster.width > 0, raster.height > 0 else { return raster }
    return nearest(
      raster, to: ImageSize(width: raster.width * factor, height: raster.height * factor))
  }

  /// The largest size with the same aspect ratio that fits into `box`, both sides at least 1, never
  /// larger than `size` itself.
  package static func fitting(_ size: ImageSize, into box: ImageSize) -> ImageSize {
    guard size.width > box.width || size.height > box.height else { return size }
    // Comparing width·box.height with height·box.width shows which side touches the box.
    if size.width * box.height >= size.height * box.width {
      let height = (2 * size.height * box.width + size.width) / (2 * size.width)
      return ImageSize(width: box.width, height: max(1, height))
    }
    let width = (2 * size.width * box.height + size.height) / (2 * size.height)
    return ImageSize(width: max(1, width), height: box.height)
  }
}

extension Raster {
  /// - Precondition: neither side is 0.
  package var size: ImageSize { ImageSize(width: width, height: height) }
}
