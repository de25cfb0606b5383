extension BoxOverlay {
  /// The overlay as an SVG group over a picture of `width` × `height` units; lines keep their width at
  /// every size.
  func svg(width: Double, height: Double) -> String {
    let layout = BoxLayout(self, width: width, height: height)
    var text = "<g class=\"overlay\"><g transform=\"scale(.5)\" stroke-linejoin=\"round\">"
    for outline in layout.outlines { text += outline.svg }
    text += "</g>"
    for plate in layout.plates { text += plate.svg }
    return text + "</g>"
  }
}

extension BoxLayout.Outline {
  fileprivate var svg: String {
    var text = "<path"
    if fill > 0 {
      text += " fill=\"\(colour.css)\" fill-opacity=\"\(NumberText.short(fill))\""
      text += " fill-rule=\"evenodd\""
    } else {
      text += " fill=\"none\""
    }
    text += " stroke=\"\(colour.css)\" stroke-width=\"\(NumberText.short(lineWidth))\""
    if opacity < 1 { text += " stroke-opacity=\"\(NumberText.short(opacity))\"" }
    if dash != .solid {
      let lengths = dash.lengths.map { NumberText.short($0) }
      text += " stroke-dasharray=\"\(lengths.joined(separator: " "))\""
    }
    return text + " vector-effect=\"non-scaling-stroke\" d=\"\(shape.pathData)\"/>"
  }
}

extension BoxLayout.Plate {
  fileprivate var svg: String {
    func number(_ value: Double) -> String { NumberText.short((value * 2).rounded() / 2).ascii }
    return "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\""
      + " height=\"\(number(Self.height))\" fill=\"\(paper.css)\"/>"
      + "<text x=\"\(number(x + 4))\" y=\"\(number(y + 11.5))\" font-size=\"\(number(Self.size))\""
      + " fill=\"\(ink.css)\">\(text.markupEscaped)</text>"
  }
}

extension String {
  /// A number for a machine: a plain minus, no commas.
  fileprivate var ascii: String { replacing("−", with: "-").replacing(",", with: "") }
}
