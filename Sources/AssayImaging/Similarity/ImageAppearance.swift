package import AssayCore

/// Measures of how an image looks, computed from its gray values at no more than 160 pixels on the
/// longer side; the sharpness at exactly 160.
package struct ImageAppearance: Hashable, Sendable {
  /// The gray value that 1 % of the pixels are below, 0...255.
  package var low: UInt8
  /// The gray value that 99 % of the pixels are at or below.
  package var high: UInt8
  /// The entropy of the gray values in bits, 0...8; `nil` for an image of fewer than
  /// ``entropyPixels``, which has too few pixels to fill the gray values.
  package var entropy: Float?
  /// The 99th percentile of the absolute Laplacian divided by the gray range, at 160 pixels on the longer
  /// side, so that it does not depend on the size of the image; `nil` for an image below 64 pixels or
  /// without contrast.
  package var sharpness: Float?

  /// The longer side at which images are measured.
  package static let longest = 160
  /// The minimum number of pixels for an entropy: four per gray value.
  private static let entropyPixels = 1_024
  /// The minimum of the longer side for a sharpness.
  private static let sharpnessSide = 64

  /// The number of gray levels between dark and bright pixels.
  package var range: Int { Int(high) - Int(low) }

  /// Measures that were computed before.
  package init(low: UInt8, high: UInt8, entropy: Float?, sharpness: Float?) {
    self.low = low
    self.high = high
    self.entropy = entropy
    self.sharpness = sharpness
  }

  /// - Parameter gray: one channel, not empty.
  package init(_ gray: Raster<UInt8>) {
    let raster = Self.reduced(gray)
    var histogram = [Int](repeating: 0, count: 256)
    for value in raster.elements { histogram[Int(value)] += 1 }
    let count = raster.elements.count
    low = Self.percentile(histogram, count, 0.01)
    high = Self.percentile(histogram, count, 0.99)
    entropy =
      count < Self.entropyPixels
      ? nil
      : histogram.reduce(Float(0)) { sum, bin in
        guard bin > 0 else { return sum }
        let share = Double(bin) / Double(count)
        return sum - Float(share * Self.log2(share))
      }
    sharpness = nil
    let range = Int(high) - Int(low)
    if range > 8, max(raster.width, raster.height) >= Self.sharpnessSide {
      sharpness = Self.edges(Self.enlarged(raster)).map { Float($0) / Float(range) }
    }
  }

  /// The image with its longer side enlarged to ``longest``: blurred edges are as wide then as those of a
  /// larger copy.
  private static func enlarged(_ gray: Raster<UInt8>) -> Raster<UInt8> {
    let side = max(gray.width, gray.height)
    guard side < longest else { return gray }
    let size = ImageSize(
      width: max(1, (gray.width * longest + side / 2) / side),
      height: max(1, (gray.height * longest + side / 2) / side))
    return ResizeFilter.pillowBicubic.apply(to: gray, size: size, window: PixelRect(size))
  }

  /// The image with its longer side reduced to ``longest``.
  package static func reduced(_ gray: Raster<UInt8>) -> Raster<UInt8> {
    Resize.area(
      gray, to: Resize.fitting(gray.size, into: ImageSize(width: longest, height: longest)))
  }

  private static func percentile(_ histogram: [Int], _ count: Int, _ share: Double) -> UInt8 {
    let rank = max(1, Int((Double(count) * share).rounded(.up)))
    var seen = 0
    for (value, bin) in histogram.enumerated() {
      seen += bin
      if seen >= rank { return UInt8(value) }
    }
    return 255
  }

  /// The 99th percentile of the absolute Laplacian over the inner pixels; `nil` without any.
  private static func edges(_ raster: Raster<UInt8>) -> Int? {
    let (width, height) = (raster.width, raster.height)
    guard width > 2, height > 2 else { return nil }
    var histogram = [Int](repeating: 0, count: 1021)
    raster.elements.withUnsafeBufferPointer { pixels in
      for y in 1..<height - 1 {
        for x in 1..<width - 1 {
          let place = y * width + x
          let sum =
            4 * Int(pixels[place]) - Int(pixels[place - 1]) - Int(pixels[place + 1])
            - Int(pixels[place - width]) - Int(pixels[place + width])
          histogram[abs(sum)] += 1
        }
      }
    }
    let rank = Int((Double((width - 2) * (height - 2)) * 0.99).rounded(.up))
    var seen = 0
    for (value, bin) in histogram.enumerated() {
      seen += bin
      if seen >= rank { return value }
    }
    return nil
  }

  /// The binary logarithm of a number in 0...1, by halving and a series, the same on every machine.
  private static func log2(_ value: Double) -> Double {
    var significand = value.significand
    var sum = Double(value.exponent)
    // ln(m) = 2·atanh((m − 1)/(m + 1)), with m in √½...√2.
    if significand > 1.414_213_562_373_095 {
      significand /= 2
      sum += 1
    }
    let ratio = (significand - 1) / (significand + 1)
    var power = ratio
    var series = 0.0
    for term in 0..<10 {
      series += power / Double(2 * term + 1)
      power *= ratio * ratio
    }
    return sum + 2 * series * 1.442_695_040_888_963_4
  }
}
