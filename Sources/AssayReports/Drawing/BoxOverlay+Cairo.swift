package import AssayCore
import AssayImaging

extension BoxOverlay {
  /// The picture, or the shown piece of it, resized to `longest` pixels on its longer side with the overlay
  /// drawn over it, RGB.
  ///
  /// - Parameter raster: 1 or 3 channels, the pixels of ``window`` and nothing else, at any size.
  /// - Throws: ``ReportError``.
  package func drawn(
    over raster: Raster<UInt8>, longest: Int
  ) throws(ReportError) -> Raster<UInt8> {
    let size = PhotoSize.shown(width: raster.width, height: raster.height, longest: longest)
    let canvas = try Canvas(width: size.width, height: size.height)
    try canvas.drawRaster(PhotoSize.resized(raster, to: size), x: 0, y: 0, multiple: 1)
    let layout = BoxLayout(self, width: Double(size.width), height: Double(size.height))
    for outline in layout.outlines {
      if outline.fill > 0 {
        canvas.fillRings(outline.shape.rings, Paint(outline.colour, opacity: outline.fill))
      }
      canvas.strokeRings(
        outline.shape.rings, Paint(outline.colour, opacity: outline.opacity),
        lineWidth: outline.lineWidth, dash: outline.dash.lengths)
    }
    for plate in layout.plates {
      canvas.fillRectangle(
        x: plate.x, y: plate.y, width: plate.width, height: BoxLayout.Plate.height,
        Paint(plate.paper))
      try canvas.drawText(
        plate.text, x: plate.x + 4, y: plate.y + 11.5, size: BoxLayout.Plate.size,
        Paint(plate.ink))
    }
    return try canvas.raster()
  }
}
