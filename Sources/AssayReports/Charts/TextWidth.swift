/// An estimate of the width of a text, accurate enough to lay out a chart and the
/// same on every machine.
///
/// Based on DejaVu Sans, which is wider than the fonts of most systems, so text on the page
/// has room to spare.
enum TextWidth {
  /// Returns the width in layout pixels at a font size.
  static func of(_ text: String, size: Double) -> Double {
    text.unicodeScalars.reduce(0) { $0 + em($1) } * size
  }

  /// Returns the text, or as much of its beginning as fits, followed by an ellipsis.
  static func fitted(_ text: String, to width: Double, size: Double) -> String {
    guard of(text, size: size) > width else { return text }
    var kept = text
    while !kept.isEmpty {
      kept.removeLast()
      if of(kept + "…", size: size) <= width { return kept + "…" }
    }
    return "…"
  }

  private static func em(_ scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", ".", ",", ":", ";", "'", "|", "!", " ", "I": 0.32
    case "f", "t", "r", "(", ")", "[", "]", "-", "/": 0.4
    case "m", "w", "M", "W", "@", "%": 0.95
    case "<", ">", "+", "=", "~", "#", "→", "−", "_", "&": 0.84
    case "b", "d", "g", "h", "n", "p", "q", "u": 0.64
    case "A"..."Z": 0.75
    case "0"..."9": 0.64
    case "\u{0300}"..."\u{036F}": 0
    case "\u{1100}"..., "\u{2E80}"...: 1
    default: 0.61
    }
  }
}
