import AssayCore

/// CMYK to RGB without a colour profile.
enum CMYKConversion {
  /// RGB of inverted CMYK, as Adobe's programs write it into JPEGs and PIL assumes for all of them:
  /// 255 is no ink. Each colour is `K − (255 − C)·K/255` in PIL's rounded 8-bit product.
  ///
  /// - Precondition: 4 channels.
  static func rgb(invertedCMYK raster: Raster<UInt8>) -> Raster<UInt8> {
    precondition(raster.channels == 4)
    var rgb = Raster<UInt8>(
      repeating: 0, width: raster.width, height: raster.height, channels: 3)
    raster.elements.withUnsafeBufferPointer { source in
      rgb.elements.withUnsafeMutableBufferPointer { target in
        for pixel in 0..<raster.width * raster.height {
          let black = Int(source[4 * pixel + 3])
          for channel in 0..<3 {
            let ink = 255 - Int(source[4 * pixel + channel])
            let product = ink * black + 128
            target[3 * pixel + channel] = UInt8(
              clamping: black - (product >> 8 + product) >> 8)
          }
        }
      }
    }
    return rgb
  }
}
