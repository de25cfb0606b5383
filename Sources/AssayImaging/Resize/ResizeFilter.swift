package import AssayCore

/// The interpolation of a resize, named for the library that it equals. The raw value is the
/// manifest's spelling.
package enum ResizeFilter: String, CaseIterable, Sendable, Codable {
  /// OpenCV's `INTER_LINEAR` in 8 bits, without antialiasing.
  case bilinear
  /// Pillow's `BILINEAR`, with antialiasing: torchvision's default.
  case pillowBilinear = "pillow-bilinear"
  /// Pillow's `BICUBIC`, with antialiasing: timm's default.
  case pillowBicubic = "pillow-bicubic"
  /// The source pixel under each target pixel's center, computed as Pillow's `NEAREST`.
  case nearest
  /// The same as `bilinear` without rounding to 8 bits: TensorFlow's and Keras' `tf.image.resize`.
  case bilinearFloat = "bilinear-float"

  /// True if the result is not rounded to 8 bits.
  package var isUnrounded: Bool { self == .bilinearFloat }

  /// The resized raster; of ``bilinearFloat`` rounded.
  package func apply(to raster: Raster<UInt8>, size: ImageSize) -> Raster<UInt8> {
    switch self {
    case .bilinear, .bilinearFloat: Resize.bilinear(raster, to: size)
    case .nearest: Self.nearest(raster, size)
    case .pillowBilinear: resampled(raster, size, .bilinear)
    case .pillowBicubic: resampled(raster, size, .bicubic)
    }
  }

  /// Source: Pillow 13, `ImagingScaleAffine` in `src/libImaging/Geometry.c`: positions are sums of
  /// float64 steps, which decide between two pixels that a center lies between.
  private static func nearest(_ raster: Raster<UInt8>, _ size: ImageSize) -> Raster<UInt8> {
    func places(_ source: Int, _ target: Int) -> [Int] {
      let step = Double(source) / Double(target)
      var place = step * 0.5
      return (0..<target).map { _ in
        defer { place += step }
        return min(Int(place), source - 1)
      }
    }
    let columns = places(raster.width, size.width)
    let channels = raster.channels
    var result = Raster<UInt8>(
      repeating: 0, width: size.width, height: size.height, channels: channels)
    var next = 0
    for row in places(raster.height, size.height) {
      for column in columns {
        let start = (row * raster.width + column) * channels
        for channel in 0..<channels {
          result.elements[next] = raster.elements[start + channel]
          next += 1
        }
      }
    }
    return result
  }

  private func resampled(
    _ raster: Raster<UInt8>, _ size: ImageSize, _ filter: PillowResampler.Filter
  ) -> Raster<UInt8> {
    PillowResampler(from: raster.size, to: size, channels: raster.channels, filter: filter)
      .resample(raster)
  }
}
