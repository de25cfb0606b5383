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

  private static func needsQuotes(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last else { return true }
    return "=+-@\t ".utf8.contains(first) || CSVFields.isBlank(last)
      || text.utf8.contains { "\",\r\n".utf8.contains($0) } || first == 0xEF
  }
}
