package import AssayCore

/// The colors of heat maps in images: from white to the accent color, one hue, monotone lightness.
package enum HeatColor {
  /// Returns the color of a share in `0...1`; values outside are clamped, non-finite
  /// values count as 0.
  static func color(of share: Double) -> RGB {
    let opacity = share.isFinite ? min(max(share, 0), 1) : 0
    return Ink.accent.light.mixed(over: Ink.surface.light, opacity: opacity)
  }

  /// Returns a one-channel raster of values from 0 on as an RGB image: 0 is white, `largest`
  /// the full accent color.
  package static func picture(of values: Raster<Double>, largest: Double) -> Raster<UInt8> {
    let ramp = (0...255).map { color(of: Double($0) / 255) }
    var picture = Raster<UInt8>(
      repeating: 255, width: values.width, height: values.height, channels: 3)
    let top = largest > 0 ? largest : 1
    for pixel in 0..<values.width * values.height {
      let value = values.elements[pixel * values.channels] / top
      let step = value.isFinite ? Int((min(max(value, 0), 1) * 255).rounded()) : 0
      let color = ramp[step]
      picture.elements[pixel * 3] = color.red
      picture.elements[pixel * 3 + 1] = color.green
      picture.elements[pixel * 3 + 2] = color.blue
    }
    return picture
  }
}
