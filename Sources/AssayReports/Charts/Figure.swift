/// A laid-out chart: positioned marks, which SVG text and cairo draw alike.
///
/// Coordinates are layout pixels, x right and y down from the top left corner.
struct Figure: Sendable {
  let width: Double
  var height: Double
  var marks: [Mark] = []

  /// True if the figure keeps its size when there is not enough room; its container then scrolls.
  var keepsSize = false
}

/// One element to draw.
enum Mark: Sendable {
  case rectangle(
    x: Double, y: Double, width: Double, height: Double, fill: Ink, opacity: Double = 1)
  case outline(x: Double, y: Double, width: Double, height: Double, ink: Ink, lineWidth: Double = 1)
  case line([Point], ink: Ink, lineWidth: Double = 1, dash: Dash = .solid)
  case area([Point], fill: Ink, opacity: Double)
  case dot(x: Double, y: Double, radius: Double, fill: Ink)
  case text(Label)
  /// Marks that form one link on the page, with the text for screen readers and the tooltip.
  indirect case link(to: String, title: String, [Mark])
  /// Marks that belong together, with their tooltip.
  indirect case group(title: String?, [Mark])
}

/// The dash pattern of a line.
enum Dash: Sendable {
  case solid
  case dashed
  case dotted

  /// The lengths of dashes and gaps, in layout pixels.
  var lengths: [Double] {
    switch self {
    case .solid: []
    case .dashed: [6, 4]
    case .dotted: [1.5, 3]
    }
  }
}

/// Text at a position; `y` is the baseline.
struct Label: Sendable {
  var text: String
  var x: Double
  var y: Double
  var size: Double = 12
  var ink: LabelInk = .plain(.text)
  var anchor: TextAnchor = .start
  var isBold = false
  /// True if the text is rotated counterclockwise by 90°, to read upwards.
  var isTurned = false
}

/// A label's color.
enum LabelInk: Sendable {
  case plain(Ink)
  /// The color that is readable over a heat map's cell of this strength in `0...1`.
  case over(strength: Double)
}

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
      // Mixed here: cairo rounds translucent colors, which would tint the palest cells
      // of a heat map.
      let color = fill.light.mixed(over: Ink.surface.light, opacity: min(max(opacity, 0), 1))
      canvas.fillRectangle(x: x + dx, y: y + dy, width: width, height: height, Paint(color))
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

extension Figure {
  /// Returns the figure as an SVG element with CSS classes for its colors; everything is escaped.
  ///
  /// - Parameters:
  ///   - summary: The text for screen readers.
  ///   - style: The CSS class of the element.
  func svg(summary: String, style: String) -> String {
    var text = "<svg class=\"chart \(style)\" viewBox=\"0 0 \(width.svg) \(height.svg)\""
    text += " width=\"\(width.svg)\" height=\"\(height.svg)\""
    text += " role=\"group\" aria-label=\"\(summary.markupEscaped)\">"
    for mark in marks { mark.write(to: &text) }
    return text + "</svg>"
  }
}

extension Mark {
  fileprivate func write(to out: inout String) {
    switch self {
    case .rectangle(let x, let y, let width, let height, let fill, let opacity):
      out += "<rect class=\"f-\(fill.rawValue)\" x=\"\(x.svg)\" y=\"\(y.svg)\""
      out += " width=\"\(width.svg)\" height=\"\(height.svg)\"\(Self.opacity(opacity))/>"
    case .outline(let x, let y, let width, let height, let ink, let lineWidth):
      out += "<rect class=\"s-\(ink.rawValue)\" x=\"\(x.svg)\" y=\"\(y.svg)\""
      out += " width=\"\(width.svg)\" height=\"\(height.svg)\" stroke-width=\"\(lineWidth.svg)\"/>"
    case .line(let points, let ink, let lineWidth, let dash):
      out += "<polyline class=\"s-\(ink.rawValue)\" points=\"\(Self.list(points))\""
      out += " stroke-width=\"\(lineWidth.svg)\""
      if dash != .solid {
        out += " stroke-dasharray=\"\(dash.lengths.map(\.svg).joined(separator: " "))\""
      }
      out += "/>"
    case .area(let points, let fill, let opacity):
      out += "<polygon class=\"f-\(fill.rawValue)\" points=\"\(Self.list(points))\""
      out += "\(Self.opacity(opacity))/>"
    case .dot(let x, let y, let radius, let fill):
      out += "<circle class=\"f-\(fill.rawValue)\" cx=\"\(x.svg)\" cy=\"\(y.svg)\""
      out += " r=\"\(radius.svg)\"/>"
    case .text(let label):
      label.write(to: &out)
    case .link(let target, let title, let marks):
      out += "<a href=\"#\(target.markupEscaped)\"><title>\(title.markupEscaped)</title>"
      for mark in marks { mark.write(to: &out) }
      out += "</a>"
    case .group(let title, let marks):
      if let title { out += "<g><title>\(title.markupEscaped)</title>" }
      for mark in marks { mark.write(to: &out) }
      if title != nil { out += "</g>" }
    }
  }

  private static func opacity(_ value: Double) -> String {
    value == 1 ? "" : " fill-opacity=\"\(NumberText.short(value))\""
  }

  private static func list(_ points: [Point]) -> String {
    points.map { "\($0.x.svg),\($0.y.svg)" }.joined(separator: " ")
  }
}

extension Label {
  fileprivate func write(to out: inout String) {
    let style =
      switch ink {
      case .plain(let ink): "f-\(ink.rawValue)"
      case .over(let strength): HeatInk(strength: strength).rawValue
      }
    out += "<text class=\"\(style)\(isBold ? " b" : "")\" font-size=\"\(size.svg)\""
    if anchor != .start { out += " text-anchor=\"\(anchor.rawValue)\"" }
    if isTurned {
      out += " transform=\"translate(\(x.svg) \(y.svg)) rotate(-90)\">"
    } else {
      out += " x=\"\(x.svg)\" y=\"\(y.svg)\">"
    }
    out += text.markupEscaped + "</text>"
  }
}

extension Double {
  /// A coordinate with at most two decimals and no exponent; 0 if it is not finite.
  fileprivate var svg: String {
    guard magnitude < 1e9 else { return "0" }
    let hundredths = Int((self * 100).rounded())
    let sign = hundredths < 0 ? "-" : ""
    let whole = hundredths.magnitude / 100
    let rest = hundredths.magnitude % 100
    if rest == 0 { return "\(sign)\(whole)" }
    if rest % 10 == 0 { return "\(sign)\(whole).\(rest / 10)" }
    return "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}
