package import AssayCore

/// Bilinear resampling without antialiasing in float32, equal to TensorFlow's `tf.image.resize`
/// (`half_pixel_centers`), with positions in float32. Source: TensorFlow 2.21,
/// `core/kernels/image/resize_bilinear_op.cc`.
enum TensorFlowResampler {
  private struct Tap {
    let lower: Int
    let upper: Int
    let share: Float
  }

  private static func taps(from source: Int, to target: Int, in range: Range<Int>) -> [Tap] {
    let scale = Float(source) / Float(target)
    return range.map { pixel in
      let place = (Float(pixel) + 0.5) * scale - 0.5
      let floor = place.rounded(.down)
      return Tap(
        lower: max(Int(floor), 0), upper: min(Int(place.rounded(.up)), source - 1),
        share: place - floor)
    }
  }

  /// A part of the resized raster, values in 0...255.
  ///
  /// - Precondition: neither size is empty, and the window is in the target.
  static func resample(
    _ raster: Raster<UInt8>, to size: ImageSize, window: PixelRect
  ) -> Raster<Float> {
    let channels = raster.channels
    let columns = taps(from: raster.width, to: size.width, in: window.columns)
    let rows = taps(from: raster.height, to: size.height, in: window.rows)
    var result = Raster<Float>(
      repeating: 0, width: window.width, height: window.height, channels: channels)
    raster.elements.withUnsafeBufferPointer { pixels in
      result.elements.withUnsafeMutableBufferPointer { out in
        var next = 0
        for row in rows {
          let upper = row.lower * raster.width
          let lower = row.upper * raster.width
          for column in columns {
            for channel in 0..<channels {
              func mixed(_ start: Int) -> Float {
                let left = Float(pixels[(start + column.lower) * channels + channel])
                let right = Float(pixels[(start + column.upper) * channels + channel])
                return left + (right - left) * column.share
              }
              let top = mixed(upper)
              out[next] = top + (mixed(lower) - top) * row.share
              next += 1
            }
          }
        }
      }
    }
    return result
  }
}
