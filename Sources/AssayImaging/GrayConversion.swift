package import AssayCore

/// Color to gray and back.
///
/// Gray is ITU-R BT.601 luma in PIL's integers: `(19595 R + 38470 G + 7471 B + 32768) >> 16`. It is
/// computed from RGB for every file format, as in PIL's `convert("L")`; OpenCV's `IMREAD_GRAYSCALE`
/// uses a JPEG's Y plane instead, which differs by a step or two where colors were clipped.
package enum GrayConversion {
  /// The luma of red, green, blue; one-channel rasters are returned unchanged.
  ///
  /// - Precondition: 1 or 3 channels.
  package static func gray(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    guard raster.channels != 1 else { return raster }
    precondition(raster.channels == 3)
    var gray = Raster<UInt8>(repeating: 0, width: raster.width, height: raster.height)
    raster.elements.withUnsafeBufferPointer { source in
      gray.elements.withUnsafeMutableBufferPointer { target in
        guard let source = source.baseAddress, let target = target.baseAddress else { return }
        for pixel in 0..<raster.width * raster.height {
          let red = UInt32(source[3 * pixel])
          let green = UInt32(source[3 * pixel + 1])
          let blue = UInt32(source[3 * pixel + 2])
          target[pixel] = UInt8(
            truncatingIfNeeded: (red &* 19595 &+ green &* 38470 &+ blue &* 7471 &+ 32768) &>> 16)
        }
      }
    }
    return gray
  }

  /// Gray repeated in three channels; three-channel rasters are returned unchanged.
  ///
  /// - Precondition: 1 or 3 channels.
  package static func rgb(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    guard raster.channels != 3 else { return raster }
    precondition(raster.channels == 1)
    var rgb = Raster<UInt8>(
      repeating: 0, width: raster.width, height: raster.height, channels: 3)
    raster.elements.withUnsafeBufferPointer { source in
      rgb.elements.withUnsafeMutableBufferPointer { target in
        guard let source = source.baseAddress, let target = target.baseAddress else { return }
        for pixel in 0..<raster.width * raster.height {
          let value = source[pixel]
          target[3 * pixel] = value
          target[3 * pixel + 1] = value
          target[3 * pixel + 2] = value
        }
      }
    }
    return rgb
  }
}
