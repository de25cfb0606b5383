import AssayCore

/// One linear scale from values to gray: `low` is black, `high` is white.
struct GrayScale: Sendable, Equatable {
  let low: Double
  let high: Double

  /// The scale that holds every value of all rasters, widened to round numbers; 0…1 without any.
  init(of rasters: [Raster<Double>]) {
    var low = Double.infinity
    var high = -Double.infinity
    for raster in rasters {
      for value in raster.elements where value.isFinite {
        low = min(low, value)
        high = max(high, value)
      }
    }
    guard low <= high else {
      self.init(low: 0, high: 1)
      return
    }
    let step = TickStep.round(for: max(high - low, 1e-9) / 8)
    let roundLow = (low / step).rounded(.down) * step
    var roundHigh = (high / step).rounded(.up) * step
    // No 8-bit image gets brighter.
    if high <= 255, low >= 0 { roundHigh = min(roundHigh, 255) }
    self.init(low: roundLow, high: roundHigh > roundLow ? roundHigh : roundLow + step)
  }

  init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }

  /// Gray levels 0…255; what is not finite is black.
  func applied<Value: BinaryFloatingPoint>(to raster: Raster<Value>) -> Raster<UInt8> {
    let extent = high - low
    let levels = raster.elements.map { element -> UInt8 in
      let value = Double(element)
      guard value.isFinite else { return 0 }
      return UInt8(min(255, max(0, ((value - low) / extent * 255).rounded())))
    }
    return Raster(
      width: raster.width, height: raster.height, channels: raster.channels, elements: levels)
      ?? Raster(repeating: 0, width: raster.width, height: raster.height, channels: raster.channels)
  }
}
