extension Canvas {
  /// A name on a white plate, centred at a place and moved sideways to stay within a picture.
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
