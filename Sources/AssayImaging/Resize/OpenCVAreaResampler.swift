import AssayCore

/// OpenCV's `INTER_AREA` in 8 bits: the mean over the source pixels that a target pixel covers, with partial
/// pixels weighted by their share; bilinear with its own weights if a side grows.
///
/// Equal to `cv2.resize` bit for bit. Source: OpenCV 4.12, `modules/imgproc/src/resize.cpp`, `ResizeArea_`,
/// `ResizeAreaFast_`, `computeResizeAreaTab`.
struct OpenCVAreaResampler {
  /// A source pixel's share of a target pixel.
  private struct Share {
    let source: Int
    let weight: Float
  }

  private let source: ImageSize
  private let size: ImageSize
  private let channels: Int
  private let window: PixelRect

  /// - Parameters:
  ///   - size: the size of the whole resized raster.
  ///   - window: the part that is computed.
  init(from source: ImageSize, to size: ImageSize, channels: Int, window: PixelRect) {
    self.source = source
    self.size = size
    self.channels = channels
    self.window = window
  }

  func resample(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    guard source.width >= size.width, source.height >= size.height else {
      return BilinearResampler(
        growing: source, to: size, channels: channels, window: window
      ).resample(raster)
    }
    return source.width.isMultiple(of: size.width) && source.height.isMultiple(of: size.height)
      ? means(raster) : weighted(raster)
  }

  /// Blocks of whole pixels: their sum, in float32 times the inverse of their number; blocks of 2 × 2 in whole
  /// numbers.
  private func means(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    let (across, down) = (source.width / size.width, source.height / size.height)
    let scale = 1 / Float(across * down)
    let isFour = across == 2 && down == 2
    return filled { x, y, channel in
      var sum: Int32 = 0
      for row in (y * down)..<((y + 1) * down) {
        for column in (x * across)..<((x + 1) * across) {
          sum += Int32(raster.elements[(row * source.width + column) * channels + channel])
        }
      }
      return isFour ? UInt8(truncatingIfNeeded: (sum + 2) >> 2) : Self.rounded(Float(sum) * scale)
    }
  }

  private func weighted(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    let columns = Self.shares(source.width, size.width, window.columns)
    let rows = Self.shares(source.height, size.height, window.rows)
    let length = window.width * channels
    var result = Raster<UInt8>(
      repeating: 0, width: window.width, height: window.height, channels: channels)
    var row = [Float](repeating: 0, count: length)
    var sums = row
    raster.elements.withUnsafeBufferPointer { pixels in
      for (y, shares) in rows.enumerated() {
        for place in 0..<length { sums[place] = 0 }
        for (index, share) in shares.enumerated() {
          let start = share.source * source.width * channels
          for (x, parts) in columns.enumerated() {
            for channel in 0..<channels {
              var sum: Float = 0
              for part in parts {
                sum += Float(pixels[start + part.source * channels + channel]) * part.weight
              }
              row[x * channels + channel] = sum
            }
          }
          for place in 0..<length {
            sums[place] =
              index == 0 ? share.weight * row[place] : sums[place] + share.weight * row[place]
          }
        }
        for place in 0..<length {
          result.elements[y * length + place] = Self.rounded(sums[place])
        }
      }
    }
    return result
  }

  private func filled(_ value: (Int, Int, Int) -> UInt8) -> Raster<UInt8> {
    var result = Raster<UInt8>(
      repeating: 0, width: window.width, height: window.height, channels: channels)
    var next = 0
    for y in window.rows {
      for x in window.columns {
        for channel in 0..<channels {
          result.elements[next] = value(x, y, channel)
          next += 1
        }
      }
    }
    return result
  }

  /// To the nearest, halves to the even number.
  private static func rounded(_ value: Float) -> UInt8 {
    UInt8(min(max(value.rounded(.toNearestOrEven), 0), 255))
  }

  /// The source pixels of each target pixel in a range.
  private static func shares(_ source: Int, _ target: Int, _ range: Range<Int>) -> [[Share]] {
    let scale = Double(source) / Double(target)
    return range.map { place in
      let start = Double(place) * scale
      let end = start + scale
      let width = min(scale, Double(source) - start)
      let last = min(Int(end.rounded(.down)), source - 1)
      let first = min(Int(start.rounded(.up)), last)
      var shares: [Share] = []
      if Double(first) - start > 1e-3 {
        shares.append(Share(source: first - 1, weight: Float((Double(first) - start) / width)))
      }
      for pixel in first..<max(first, last) {
        shares.append(Share(source: pixel, weight: Float(1 / width)))
      }
      if end - Double(last) > 1e-3 {
        shares.append(
          Share(source: last, weight: Float(min(min(end - Double(last), 1), width) / width)))
      }
      return shares
    }
  }
}
