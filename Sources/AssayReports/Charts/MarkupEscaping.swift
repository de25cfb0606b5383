import AssayCore

extension String {
  /// The text with the five special characters of HTML and XML as entities, with control characters,
  /// which XML forbids, as U+FFFD, and with characters that reorder text in visible form, `\u{202e}`.
  var markupEscaped: String {
    // The characters that reorder text start with the byte 0xE2.
    guard utf8.contains(where: { $0 < 0x20 || $0 == 0xE2 || special.contains($0) }) else {
      return self
    }
    var out = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "'": out += "&#39;"
      case "\t", "\n", "\r": out.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}": out += "\u{FFFD}"
      case _ where scalar.reordersText: out += scalar.visible
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}

private let special = Set("&<>\"'".utf8)
