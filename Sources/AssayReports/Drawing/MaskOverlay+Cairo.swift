package import AssayCore
import AssayImaging

extension MaskOverlay {
  /// The picture resized to `longest` pixels on its longer side with the overlay drawn over it, RGB.
  ///
  /// - Parameter raster: 1 or 3 channels, of any size: masks are scaled with it.
  /// - Throws: ``ReportError``.
  package func drawn(
    over raster: Raster<UInt8>, longest: Int
  ) throws(ReportError) -> Raster<UInt8> {
    let size = PhotoSize.shown(width: raster.width, height: raster.height, longest: longest)
    let canvas = try Canvas(width: size.width, height: size.height)
    try canvas.drawRaster(PhotoSize.resized(raster, to: size), x: 0, y: 0, multiple: 1)
    try draw(on: canvas, x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    return try canvas.raster()
  }

  /// Draws the overlay over a picture whose top left corner lies at (x, y).
  ///
  /// - Throws: ``ReportError/noFont``.
  func draw(
    on canvas: Canvas, x: Double, y: Double, width: Double, height: Double
  ) throws(ReportError) {
    for layer in layers {
      let rings = RegionShape(layer.mask, width: width, height: height).rings.map { ring in
        ring.map { Point(x: $0.x + x, y: $0.y + y) }
      }
      if let fill = layer.fill {
        canvas.fillRings(rings, Paint(fill.colour, opacity: fill.opacity))
      }
      if let line = layer.line {
        canvas.strokeRings(
          rings, Paint(line.colour), lineWidth: line.width, dash: line.dash.lengths)
      }
    }
    guard let size = layers.first?.mask.size else { return }
    for name in names {
      let at = Point(
        x: x + name.x * width / Double(size.width), y: y + name.y * height / Double(size.height))
      try canvas.drawNamePlate(name.text, at: at, within: x...max(x, x + width))
    }
  }
}
