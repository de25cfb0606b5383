extension Figure {
  /// Draws all marks with the figure's top left corner at (x, y).
  ///
  /// - Throws: ``ReportError/noFont``.
  func draw(on canvas: Canvas, x: Double, y: Double) throws(ReportError) {
    for mark in marks { try mark.draw(on: canvas, x, y) }
  }
}

extension Mark {
  fileprivate func draw(on canvas: Canvas, _ dx: Double, _ dy: Double) throws(ReportError) {
    switch self {
    case .rectangle(let x, let y, let width, let height, let fill, let opacity):
      // Mixed here: cairo rounds translucent colours, which tints the palest cells of a heat map.
      let colour = fill.light.mixed(over: Ink.surface.light, opacity: min(max(opacity, 0), 1))
      canvas.fillRectangle(x: x + dx, y: y + dy, width: width, height: height, Paint(colour))
    case .outline(let x, let y, let width, let height, let ink, let lineWidth):
      canvas.strokeRectangle(
        x: x + dx, y: y + dy, width: width, height: height, Paint(ink), lineWidth: lineWidth)
    case .line(let points, let ink, let lineWidth, let dash):
      canvas.strokePath(
        points.map { Point(x: $0.x + dx, y: $0.y + dy) }, Paint(ink), lineWidth: lineWidth,
        dash: dash.lengths)
    case .area(let points, let fill, let opacity):
      canvas.fillPath(
        points.map { Point(x: $0.x + dx, y: $0.y + dy) }, Paint(fill, opacity: opacity))
    case .dot(let x, let y, let radius, let fill):
      canvas.fillCircle(x: x + dx, y: y + dy, radius: radius, Paint(fill))
    case .text(let label):
      let ink: Ink =
        switch label.ink {
        case .plain(let ink): ink
        case .over(let strength): HeatInk(strength: strength).light
        }
      try canvas.drawText(
        label.text, x: label.x + dx, y: label.y + dy, size: label.size, Paint(ink),
        anchor: label.anchor, bold: label.isBold, turned: label.isTurned)
    case .link(_, _, let marks), .group(_, let marks):
      for mark in marks { try mark.draw(on: canvas, dx, dy) }
    }
  }
}
