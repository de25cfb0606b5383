package import AssayCore

/// The drawing of one picture over another through a matte.
package enum Compositing {
  /// Draws a picture over another one of the same size: each pixel becomes
  /// `below + (above − below) · matte/255 · opacity`, rounded.
  ///
  /// - Parameters:
  ///   - above: three channels.
  ///   - matte: one channel; 0 keeps the pixel below.
  ///   - opacity: in 0...1.
  ///   - below: three channels.
  /// - Precondition: all have the same width and height.
  package static func draw(
    _ above: Raster<UInt8>, through matte: Raster<UInt8>, opacity: Double,
    over below: inout Raster<UInt8>
  ) {
    precondition(above.channels == 3 && below.channels == 3 && matte.channels == 1)
    precondition(above.width == below.width && above.height == below.height)
    precondition(matte.width == below.width && matte.height == below.height)
    let factor = Float(opacity / 255)
    above.elements.withUnsafeBufferPointer { above in
      matte.elements.withUnsafeBufferPointer { matte in
        below.elements.withUnsafeMutableBufferPointer { below in
          for pixel in matte.indices where matte[pixel] > 0 {
            let weight = Float(matte[pixel]) * factor
            for place in 3 * pixel..<3 * pixel + 3 {
              let value = Float(below[place])
              below[place] = UInt8(value + (Float(above[place]) - value) * weight + 0.5)
            }
          }
        }
      }
    }
  }
}
