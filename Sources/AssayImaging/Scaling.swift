package import AssayCore

/// A linear scale from numbers to 8-bit gray: `low` is black, `high` white.
package struct Scaling: Hashable, Sendable {
  package let low: Double
  package let high: Double

  /// - Precondition: both are finite.
  package init(low: Double, high: Double) {
    precondition(low.isFinite && high.isFinite)
    self.low = low
    self.high = high
  }

  /// The common scale that spans several rasters, so that their grays can be compared; `nil` if
  /// they contain no finite value.
  package static func common(_ rasters: some Sequence<Raster<Double>>) -> Scaling? {
    var (low, high) = (Double.infinity, -Double.infinity)
    for raster in rasters {
      for value in raster.elements where value.isFinite {
        low = min(low, value)
        high = max(high, value)
      }
    }
    return low <= high ? Scaling(low: low, high: high) : nil
  }

  /// The gray of every value, rounded to nearest, clipped at the ends; all black if `low` is not
  /// below `high`, and for values that are not finite.
  package func apply(to raster: Raster<Double>) -> Raster<UInt8> {
    var gray = Raster<UInt8>(
      repeating: 0, width: raster.width, height: raster.height, channels: raster.channels)
    guard low < high else { return gray }
    let step = 255 / (high - low)
    for (i, value) in raster.elements.enumerated() where value.isFinite {
      gray.elements[i] = UInt8(min(max((value - low) * step, 0), 255) + 0.5)
    }
    return gray
  }
}
