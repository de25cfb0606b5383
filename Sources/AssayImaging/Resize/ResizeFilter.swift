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
  /// OpenCV's `INTER_AREA`: the mean of the source pixels that a target pixel covers.
  case area
  /// The source pixel under each target pixel's center, computed as Pillow's `NEAREST`.
  case nearest
  /// The same as `bilinear` without rounding to 8 bits: TensorFlow's and Keras' `tf.image.resize`.
  case bilinearFloat = "bilinear-float"
  /// OpenCV's `warpPerspective` from corner to corner, as MediaPipe resizes: only with
  /// ``ResizeRule/stretch`` and a letterbox of the rounding ``LetterboxRounding/none``.
  case warp

  /// True if the result is not rounded to 8 bits.
  package var isUnrounded: Bool { self == .bilinearFloat }

  /// A part of the resized raster; of ``bilinearFloat`` rounded. Only that part is computed.
  ///
  /// - Parameters:
  ///   - size: the size of the whole resized raster.
  ///   - window: the part, within that size.
  package func apply(
    to raster: Raster<UInt8>, size: ImageSize, window: PixelRect
  ) -> Raster<UInt8> {
    switch self {
    case .bilinear, .bilinearFloat:
      BilinearResampler(from: raster.size, to: size, channels: raster.channels, window: window)
        .resample(raster)
    case .warp:
      WarpResampler(from: raster.size, to: size, keepsProportions: false, fill: 0)
        .resample(raster, window: window)
    case .nearest: Self.nearest(raster, size, window)
    case .area:
      OpenCVAreaResampler(
        from: raster.size, to: size, channels: raster.channels, window: window
      ).resample(raster)
    case .pillowBilinear: resampled(raster, size, .bilinear, window)
    case .pillowBicubic: resampled(raster, size, .bicubic, window)
    }
  }

  /// Source: Pillow 13, `ImagingScaleAffine` in `src/libImaging/Geometry.c`: positions are sums of
  /// float64 steps, which decide between two pixels that a center lies between.
  private static func nearest(
    _ raster: Raster<UInt8>, _ size: ImageSize, _ window: PixelRect
  ) -> Raster<UInt8> {
    func places(_ source: Int, _ target: Int, _ range: Range<Int>) -> [Int] {
      let step = Double(source) / Double(target)
      var place = step * 0.5
      var places: [Int] = []
      for pixel in 0..<range.upperBound {
        if range.contains(pixel) { places.append(min(Int(place), source - 1)) }
        place += step
      }
      return places
    }
    let columns = places(raster.width, size.width, window.columns)
    let channels = raster.channels
    var result = Raster<UInt8>(
      repeating: 0, width: window.width, height: window.height, channels: channels)
    var next = 0
    for row in places(raster.height, size.height, window.rows) {
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
    _ raster: Raster<UInt8>, _ size: ImageSize, _ filter: PillowResampler.Filter,
    _ window: PixelRect
  ) -> Raster<UInt8> {
    PillowResampler(
      from: raster.size, to: size, channels: raster.channels, filter: filter, window: window
    ).resample(raster)
  }
}
