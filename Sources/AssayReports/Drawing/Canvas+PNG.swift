import AssayImaging

extension Canvas {
  /// Everything drawn so far as an 8-bit RGB PNG.
  ///
  /// - Throws: ``ReportError/drawing(_:)``.
  func png() throws(ReportError) -> [UInt8] {
    let raster = try raster()
    do {
      return try ImageCodec.encodePNG(raster, compression: .balanced)
    } catch {
      throw .drawing("\(error)")
    }
  }
}
