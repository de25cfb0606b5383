extension Figure {
  /// The figure as an SVG element with CSS classes for its colours; everything is escaped.
  ///
  /// - Parameters:
  ///   - summary: What a screen reader says.
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
  /// A coordinate with at most two decimals and no exponent; 0 where it is not finite.
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
