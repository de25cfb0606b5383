package import AssayCore

/// Generated color images with soft shapes, which have the low frequencies of photographs.
package enum SeededPhoto {
  /// A random image; the same seed gives the same image at any size.
  ///
  /// - Parameters:
  ///   - crop: the share that is cut off at the left and at the top, 0...0.2.
  ///   - isMirrored: whether left and right are exchanged.
  ///   - gain: the factor of the gray values.
  package static func raster(
    seed: UInt64, width: Int = 240, height: Int = 180, crop: Double = 0, isMirrored: Bool = false,
    gain: Double = 1
  ) -> Raster<UInt8> {
    var random = SplitMix64(seed: seed &* 977 &+ 13)
    struct Blob {
      var x, y, across, down, level: Double
    }
    let blobs = (0..<14).map { _ in
      Blob(
        x: Double.random(in: 0...1, using: &random), y: Double.random(in: 0...1, using: &random),
        across: Double.random(in: 0.05...0.3, using: &random),
        down: Double.random(in: 0.05...0.3, using: &random),
        level: Double.random(in: -90...90, using: &random))
    }
    var raster = Raster<UInt8>(repeating: 0, width: width, height: height, channels: 3)
    for y in 0..<height {
      let v = crop + (1 - crop) * (Double(y) + 0.5) / Double(height)
      for x in 0..<width {
        let place = isMirrored ? width - 1 - x : x
        let u = crop + (1 - crop) * (Double(place) + 0.5) / Double(width)
        var level = 120.0
        for blob in blobs where abs(u - blob.x) < blob.across && abs(v - blob.y) < blob.down {
          level += blob.level
        }
        for channel in 0..<3 {
          raster[x, y, channel] = UInt8(
            clamping: Int((level * gain).rounded()) + (channel - 1) * 6)
        }
      }
    }
    return raster
  }
}
