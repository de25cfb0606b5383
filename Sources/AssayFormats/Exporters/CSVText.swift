/// Writes fields of a CSV file.
package enum CSVText {
  /// A field: quoted where commas, quotes, line ends or blanks at its ends make that needed, and
  /// where a spreadsheet would take it for a formula (`=`, `+`, `-`, `@` at its start). Nothing in
  /// it is altered.
  ///
  /// Source: RFC 4180.
  package static func field(_ text: String, alwaysQuoted: Bool = false) -> String {
    guard alwaysQuoted || needsQuotes(text) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  /// A field that people open in a spreadsheet: as ``field(_:alwaysQuoted:)``, and where it could be taken
  /// for a formula an apostrophe before it, which spreadsheets show as text.
  ///
  /// Quotes alone do not help: a spreadsheet takes them off before it looks. Source: OWASP, "CSV Injection".
  package static func harmless(_ text: String) -> String {
    startsFormula(text) ? field("'" + text, alwaysQuoted: true) : field(text)
  }

  /// The text with U+FFFD for each control character, so that looking at the file in a terminal does nothing
  /// but show it. Not for what is read back.
  package static func printable(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      result.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }

  /// Returns whether a spreadsheet may take a cell for a formula: by `=`, `+`, `-`, `@`, a tab or a
  /// line end at its start, full-width forms too.
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
