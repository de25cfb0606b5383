package import AssayCore
import Foundation

/// Resampling with antialiasing between two fixed sizes, in 8 bits, equal to Pillow's
/// `Image.resize` bit for bit. Source: Pillow 12, `src/libImaging/Resample.c`; the order of the two passes is
/// that of Pillow 13.0.0, as found by resizing 898 random images in both orders.
///
/// A target pixel is a weighted mean of the source pixels around its center, within the filter's
/// support times the reduction. Weights are rounded to 2^−22, and the result of the first pass is rounded
/// to 8 bits. Rows come first if the height shrinks by more than twice as many pixels as the width; else,
/// and always up to Pillow 12, columns.
package struct PillowResampler: Sendable {
  /// The weight of a source pixel by its distance from the center.
  package enum Filter: Sendable {
    /// A triangle of radius 1: `Image.Resampling.BILINEAR`.
    case bilinear
    /// Cubic convolution with a = −½ and radius 2: `Image.Resampling.BICUBIC`.
    case bicubic

    fileprivate var support: Double {
      switch self {
      case .bilinear: 1
      case .bicubic: 2
      }
    }

    fileprivate func weight(_ distance: Double) -> Double {
      let x = abs(distance)
      switch self {
      case .bilinear: return x < 1 ? 1 - x : 0
      case .bicubic:
        let a = -0.5
        if x < 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
        return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0
      }
    }
  }

  /// The weights of one target pixel.
  private struct Taps: Sendable {
    let first: Int
    let weights: [Int32]
  }

  package let source: ImageSize
  package let target: ImageSize
  package let channels: Int
  private let columns: [Taps]
  private let rows: [Taps]
  private let startsWithRows: Bool

  private static let precision: Int32 = 22

  /// - Parameter window: the part of the target that is computed, which is then the target.
  /// - Precondition: `channels` is at least 1; the window is in the target.
  package init(
    from source: ImageSize, to size: ImageSize, channels: Int, filter: Filter, window: PixelRect
  ) {
    precondition(channels >= 1)
    self.source = source
    self.target = ImageSize(width: window.width, height: window.height)
    self.channels = channels
    let (narrowing, lowering) = (source.width - size.width, source.height - size.height)
    startsWithRows = lowering > 0 && lowering > 2 * narrowing
    columns = Self.taps(from: source.width, to: size.width, filter, in: window.columns)
    rows = Self.taps(from: source.height, to: size.height, filter, in: window.rows)
  }

  private static func taps(
    from source: Int, to target: Int, _ filter: Filter, in range: Range<Int>
  ) -> [Taps] {
    let scale = Double(source) / Double(target)
    let reduction = max(scale, 1)
    let support = filter.support * reduction
    return range.map { pixel in
      let center = (Double(pixel) + 0.5) * scale
      let first = max(0, Int(center - support + 0.5))
      let end = min(source, Int(center + support + 0.5))
      var weights = (first..<max(first, end)).map {
        filter.weight((Double($0) - center + 0.5) * (1 / reduction))
      }
      let sum = weights.reduce(0, +)
      if sum != 0 { weights = weights.map { $0 / sum } }
      let unit = Double(Int32(1) << precision)
      return Taps(
        first: first,
        weights: weights.map { Int32($0 < 0 ? $0 * unit - 0.5 : $0 * unit + 0.5) })
    }
  }

  /// The resized raster.
  ///
  /// - Precondition: `raster` has the source's size and channels.
  package func resample(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    precondition(
      raster.channels == channels && raster.width == source.width
        && raster.height == source.height)
    // Between equal sides every weight is 1 of one pixel.
    return startsWithRows
      ? horizontally(vertically(raster)) : vertically(horizontally(raster))
  }

  private func horizontally(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    var result = Raster<UInt8>(
      repeating: 0, width: target.width, height: raster.height, channels: channels)
    let (stride, length) = (raster.width * channels, target.width * channels)
    raster.elements.withUnsafeBufferPointer { pixels in
      result.elements.withUnsafeMutableBufferPointer { out in
        for (column, taps) in columns.enumerated() {
          taps.weights.withUnsafeBufferPointer { weights in
            for row in 0..<raster.height {
              let start = row * stride + taps.first * channels
              for channel in 0..<channels {
                var sum = Int32(1) << (Self.precision - 1)
                var place = start + channel
                for weight in weights {
                  sum &+= Int32(pixels[place]) &* weight
                  place &+= channels
                }
                out[row * length + column * channels + channel] = Self.rounded(sum)
              }
            }
          }
        }
      }
    }
    return result
  }

  private func vertically(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    var result = Raster<UInt8>(
      repeating: 0, width: raster.width, height: target.height, channels: channels)
    let length = raster.width * channels
    var sums = [Int32](repeating: 0, count: length)
    raster.elements.withUnsafeBufferPointer { pixels in
      result.elements.withUnsafeMutableBufferPointer { out in
        sums.withUnsafeMutableBufferPointer { sums in
          for (row, taps) in rows.enumerated() {
            sums.update(repeating: Int32(1) << (Self.precision - 1))
            for (offset, weight) in taps.weights.enumerated() {
              let start = (taps.first + offset) * length
              for place in 0..<length {
                sums[place] &+= Int32(pixels[start &+ place]) &* weight
              }
            }
            for place in 0..<length { out[row * length + place] = Self.rounded(sums[place]) }
          }
        }
      }
    }
    return result
  }

  @inline(__always)
  private static func rounded(_ sum: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(sum &>> precision, 0), 255))
  }
}
