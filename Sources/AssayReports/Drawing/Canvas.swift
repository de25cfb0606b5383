import AssayCore
import AssayImaging
import CCairo

/// A cairo drawing surface that is encoded as a PNG.
///
/// Coordinates are layout pixels, x right and y down from the top left corner; every layout pixel
/// is `scale` × `scale` pixels of the PNG. A class because it owns cairo's surface.
final class Canvas {
  let width: Int
  let height: Int
  let scale: Int
  private let surface: OpaquePointer
  private let context: OpaquePointer

  /// Creates white paper of `width` × `height` layout pixels.
  ///
  /// - Throws: ``ReportError/pictureTooLarge(width:height:)``, ``ReportError/drawing(_:)``.
  init(width: Int, height: Int, scale: Int = 1) throws(ReportError) {
    let limit = 32_767 / max(scale, 1)
    guard width >= 1, height >= 1, scale >= 1, width <= limit, height <= limit else {
      throw .pictureTooLarge(width: width, height: height)
    }
    guard
      let surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, Int32(width * scale), Int32(height * scale)),
      let context = cairo_create(surface)
    else { throw .drawing("out of memory") }
    self.width = width
    self.height = height
    self.scale = scale
    self.surface = surface
    self.context = context
    try check(cairo_status(context))
    cairo_set_source_rgb(context, 1, 1, 1)
    cairo_paint(context)
    cairo_scale(context, Double(scale), Double(scale))
    useFont()
  }

  /// A canvas that an image fills, at the size from ``PhotoSize/shown(width:height:longest:)``.
  ///
  /// - Throws: ``ReportError/pictureTooLarge(width:height:)``, ``ReportError/drawing(_:)``.
  convenience init(showing image: Raster<UInt8>, longest: Int) throws(ReportError) {
    let size = PhotoSize.shown(width: image.width, height: image.height, longest: longest)
    try self.init(width: size.width, height: size.height)
    try drawRaster(PhotoSize.resized(image, to: size), x: 0, y: 0, multiple: 1)
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  // MARK: Shapes

  func fillRectangle(x: Double, y: Double, width: Double, height: Double, _ paint: Paint) {
    set(paint)
    cairo_rectangle(context, x, y, width, height)
    cairo_fill(context)
  }

  func strokeRectangle(
    x: Double, y: Double, width: Double, height: Double, _ paint: Paint, lineWidth: Double = 1
  ) {
    set(paint)
    cairo_set_line_width(context, lineWidth)
    cairo_rectangle(context, x, y, width, height)
    cairo_stroke(context)
  }

  func strokePath(
    _ points: [Point], _ paint: Paint, lineWidth: Double = 1, dash: [Double] = []
  ) {
    guard trace(points) else { return }
    set(paint)
    cairo_set_line_width(context, lineWidth)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    cairo_set_dash(context, dash, Int32(dash.count), 0)
    cairo_stroke(context)
    cairo_set_dash(context, nil, 0, 0)
  }

  func fillPath(_ points: [Point], _ paint: Paint) {
    guard trace(points) else { return }
    set(paint)
    cairo_close_path(context)
    cairo_fill(context)
  }

  func fillCircle(x: Double, y: Double, radius: Double, _ paint: Paint) {
    set(paint)
    cairo_new_sub_path(context)
    cairo_arc(context, x, y, radius, 0, 2 * Double.pi)
    cairo_fill(context)
  }

  func strokeCircle(x: Double, y: Double, radius: Double, _ paint: Paint, lineWidth: Double) {
    set(paint)
    cairo_set_line_width(context, lineWidth)
    cairo_new_sub_path(context)
    cairo_arc(context, x, y, radius, 0, 2 * Double.pi)
    cairo_stroke(context)
  }

  /// Fills closed rings by the even–odd rule: areas enclosed by two rings stay empty.
  func fillRings(_ rings: [[Point]], _ paint: Paint) {
    guard trace(rings) else { return }
    set(paint)
    cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD)
    cairo_fill(context)
    cairo_set_fill_rule(context, CAIRO_FILL_RULE_WINDING)
  }

  /// Draws closed rings as lines.
  func strokeRings(_ rings: [[Point]], _ paint: Paint, lineWidth: Double, dash: [Double] = []) {
    guard trace(rings) else { return }
    set(paint)
    cairo_set_line_width(context, lineWidth)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    cairo_set_dash(context, dash, Int32(dash.count), 0)
    cairo_stroke(context)
    cairo_set_dash(context, nil, 0, 0)
  }

  // MARK: Text

  /// Draws text with its baseline at `y`, rotated counterclockwise by 90° if `turned`.
  ///
  /// - Throws: ``ReportError/noFont`` if cairo finds no font.
  func drawText(
    _ text: String, x: Double, y: Double, size: Double, _ paint: Paint, anchor: TextAnchor = .start,
    bold: Bool = false, turned: Bool = false
  ) throws(ReportError) {
    guard !text.isEmpty else { return }
    let advance = try textWidth(text, size: size, bold: bold)
    let shift =
      switch anchor {
      case .start: 0.0
      case .middle: -advance / 2
      case .end: -advance
      }
    set(paint)
    cairo_save(context)
    cairo_translate(context, x, y)
    if turned { cairo_rotate(context, -Double.pi / 2) }
    cairo_move_to(context, shift, 0)
    cairo_show_text(context, text)
    cairo_restore(context)
  }

  /// Returns the width of a text in layout pixels.
  ///
  /// - Throws: ``ReportError/noFont``.
  func textWidth(_ text: String, size: Double, bold: Bool = false) throws(ReportError) -> Double {
    useFont(bold: bold)
    cairo_set_font_size(context, size)
    var extents = cairo_text_extents_t()
    cairo_text_extents(context, text, &extents)
    guard extents.x_advance > 0 || text.isEmpty else { throw .noFont }
    return extents.x_advance
  }

  /// Returns the text, or as much of its beginning as fits `width`, followed by an ellipsis.
  ///
  /// - Throws: ``ReportError/noFont``.
  func fitted(_ text: String, to width: Double, size: Double) throws(ReportError) -> String {
    guard try textWidth(text, size: size) > width else { return text }
    var kept = text
    while !kept.isEmpty {
      kept.removeLast()
      if try textWidth(kept + "…", size: size) <= width { return kept + "…" }
    }
    return "…"
  }

  // MARK: Pixels

  /// Copies a raster onto the paper, each of its pixels as `multiple` × `multiple`
  /// layout pixels, without smoothing.
  ///
  /// - Throws: ``ReportError/channels(_:)``.
  func drawRaster(_ raster: Raster<UInt8>, x: Int, y: Int, multiple: Int) throws(ReportError) {
    guard raster.channels == 1 || raster.channels == 3 else { throw .channels(raster.channels) }
    cairo_surface_flush(surface)
    guard let base = cairo_image_surface_get_data(surface) else {
      throw .drawing("the surface has no memory")
    }
    let stride = Int(cairo_image_surface_get_stride(surface))
    let side = multiple * scale
    let left = max(0, x * scale)
    let right = min(width * scale, x * scale + raster.width * side)
    let top = max(0, y * scale)
    let bottom = min(height * scale, y * scale + raster.height * side)
    let channels = raster.channels
    raster.elements.withUnsafeBufferPointer { source in
      for row in top..<max(top, bottom) {
        let from = (row - y * scale) / side * raster.width
        let line = UnsafeMutableRawPointer(base + row * stride)
        for column in left..<max(left, right) {
          let at = (from + (column - x * scale) / side) * channels
          let red = UInt32(source[at])
          let green = channels == 1 ? red : UInt32(source[at + 1])
          let blue = channels == 1 ? red : UInt32(source[at + 2])
          line.storeBytes(
            of: red << 16 | green << 8 | blue, toByteOffset: column * 4, as: UInt32.self)
        }
      }
    }
    cairo_surface_mark_dirty(surface)
  }

  /// Returns everything drawn so far as an RGB raster of `width * scale` × `height * scale` pixels.
  ///
  /// - Throws: ``ReportError/drawing(_:)``.
  func raster() throws(ReportError) -> Raster<UInt8> {
    cairo_surface_flush(surface)
    try check(cairo_status(context))
    guard let base = cairo_image_surface_get_data(surface) else {
      throw .drawing("the surface has no memory")
    }
    let stride = Int(cairo_image_surface_get_stride(surface))
    var raster = Raster<UInt8>(
      repeating: 0, width: width * scale, height: height * scale, channels: 3)
    let columns = raster.width
    let rows = raster.height
    raster.elements.withUnsafeMutableBufferPointer { target in
      var at = 0
      for row in 0..<rows {
        let line = UnsafeRawPointer(base + row * stride)
        for column in 0..<columns {
          let pixel = line.load(fromByteOffset: column * 4, as: UInt32.self)
          target[at] = UInt8(truncatingIfNeeded: pixel >> 16)
          target[at + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
          target[at + 2] = UInt8(truncatingIfNeeded: pixel)
          at += 3
        }
      }
    }
    return raster
  }

  // MARK: Private helpers

  private func set(_ paint: Paint) {
    cairo_set_source_rgba(
      context, Double(paint.color.red) / 255, Double(paint.color.green) / 255,
      Double(paint.color.blue) / 255, paint.opacity)
  }

  private func trace(_ points: [Point]) -> Bool {
    guard let first = points.first, points.count > 1 else { return false }
    cairo_new_path(context)
    cairo_move_to(context, first.x, first.y)
    for point in points.dropFirst() { cairo_line_to(context, point.x, point.y) }
    return true
  }

  private func trace(_ rings: [[Point]]) -> Bool {
    cairo_new_path(context)
    for ring in rings {
      guard let first = ring.first, ring.count > 2 else { continue }
      cairo_move_to(context, first.x, first.y)
      for point in ring.dropFirst() { cairo_line_to(context, point.x, point.y) }
      cairo_close_path(context)
    }
    return !rings.isEmpty
  }

  private func useFont(bold: Bool = false) {
    cairo_select_font_face(
      context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
      bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
    // The machine's rendering settings must not change a byte of the image.
    let options = cairo_font_options_create()
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_set_font_options(context, options)
    cairo_font_options_destroy(options)
  }

  private func check(_ status: cairo_status_t) throws(ReportError) {
    guard status != CAIRO_STATUS_SUCCESS else { return }
    throw .drawing(cairo_status_to_string(status).map { String(cString: $0) } ?? "\(status)")
  }
}

extension Canvas {
  /// Draws a name on a white plate, centered at a point and moved sideways to stay within an image.
  ///
  /// - Throws: ``ReportError/noFont``.
  func drawNamePlate(
    _ text: String, at place: Point, within span: ClosedRange<Double>
  ) throws(ReportError) {
    let size = 10.0
    let room = span.upperBound - span.lowerBound
    let fitted = try fitted(text, to: max(room - 8, 8), size: size)
    let half = try textWidth(fitted, size: size) / 2 + 3
    let middle = min(max(place.x, span.lowerBound + half), max(span.upperBound - half, half))
    fillRectangle(
      x: middle - half, y: place.y - 7, width: 2 * half, height: 14,
      Paint(RGB(255, 255, 255), opacity: 0.8))
    try drawText(fitted, x: middle, y: place.y + 3.5, size: size, Paint(.text), anchor: .middle)
  }
}

extension Canvas {
  /// Returns everything drawn so far as an 8-bit RGB PNG.
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
