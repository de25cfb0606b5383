extension MaskOverlay {
  /// The overlay as an SVG group over a picture of `width` × `height` units; lines keep their width at
  /// every size.
  func svg(width: Double, height: Double) -> String {
    var text = "<g class=\"overlay\" transform=\"scale(.5)\">"
    for layer in layers {
      let shape = RegionShape(layer.mask, width: width, height: height)
      guard !shape.rings.isEmpty else { continue }
      text += "<path"
      if let fill = layer.fill {
        text += " fill=\"\(fill.colour.css)\" fill-opacity=\"\(NumberText.short(fill.opacity))\""
        text += " fill-rule=\"evenodd\""
      } else {
        text += " fill=\"none\""
      }
      if let line = layer.line {
        text += " stroke=\"\(line.colour.css)\" stroke-width=\"\(NumberText.short(line.width))\""
        text += " stroke-linejoin=\"round\" vector-effect=\"non-scaling-stroke\""
        if line.dash != .solid {
          let lengths = line.dash.lengths.map { NumberText.short($0) }
          text += " stroke-dasharray=\"\(lengths.joined(separator: " "))\""
        }
      }
      text += " d=\"\(shape.pathData)\"/>"
    }
    return text + "</g>"
  }
}
