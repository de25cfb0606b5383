/// Writes fields of a CSV file.
package enum CSVText {
  /// A field: quoted if commas, quotes, line ends or surrounding blanks require it, and if a
  /// spreadsheet would treat it as a formula (`=`, `+`, `-`, `@` at its start). The content is
  /// unchanged.
  ///
  /// Source: RFC 4180.
  package static func field(_ text: String, alwaysQuoted: Bool = false) -> String {
    guard alwaysQuoted || needsQuotes(text) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  /// A field for files that are opened in a spreadsheet: like ``field(_:alwaysQuoted:)``, but with
  /// a leading apostrophe if it could be treated as a formula, which makes spreadsheets show it as
  /// text.
  ///
  /// Quotes alone do not help: a spreadsheet removes them first. Source: OWASP, "CSV Injection".
  package static func harmless(_ text: String) -> String {
    startsFormula(text) ? field("'" + text, alwaysQuoted: true) : field(text)
  }

  /// The text with U+FFFD for each control character, so that it is safe to print in a terminal.
  /// Not for text that is read back.
  package static func printable(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      result.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }

  /// Returns whether a spreadsheet may treat a cell as a formula: if it starts with `=`, `+`, `-`,
  /// `@`, a tab or a line end, including full-width forms.
  package static func startsFormula(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first else { return false }
    return "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first)
  }

  private static func needsQuotes(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last else { return true }
    return "=+-@\t ".utf8.contains(first) || CSVFields.isBlank(last)
      || text.utf8.contains { "\",\r\n".utf8.contains($0) } || first == 0xEF
  }
}
