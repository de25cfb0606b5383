package import AssayCore

/// The texts of a CSV file, row by row.
package enum TableText {
  /// The names in the header; empty for a file that is not a table.
  ///
  /// - Throws: any error that the tree throws.
  package static func header(_ tree: any SourceTree) throws -> [String] {
    var names: [String] = []
    do {
      try forEachRow(tree) { _, fields in
        names = fields
        throw HeaderRead()
      }
    } catch is HeaderRead {
    } catch is FormatError {
      return []
    }
    return names
  }

  private struct HeaderRead: Error {}

  /// Passes the header and all rows to `body`, with their line numbers.
  ///
  /// - Throws: ``FormatError``; any error that `body` or the tree throws.
  package static func forEachRow(
    _ tree: any SourceTree, _ body: (_ line: Int, _ fields: [String]) throws -> Void
  ) throws {
    guard tree.isSingleFile, let file = try tree.files().first,
      let separator = try CSVRecordStream.separator(tree, file)
    else { return }
    try CSVRecordStream.forEach(tree, file, separator: separator) { records, fields in
      try body(records.recordLine, try fields.map { try records.text($0) })
    }
  }
}
