package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay sql`: runs a read-only SQL query.
package struct SQLCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: "Run a read-only SQL query over the catalog.",
    discussion: """
      The main tables have the imported data. Corrections are in separate tables, in the state of truthState whose \
      isHead is 1: correctedSample has the samples with entries, with label (if isChanged), \
      status, leftOut, and the number of corrections; correctedAnnotation and correctedSampleCategory have \
      the regions and counts of changed samples, replacing annotation and sampleCategory; \
      correctedBy has the authors, correctionIssue the corrections that no longer apply. Example: the current \
      labels:

      SELECT s.key, c.name FROM sample s \
      LEFT JOIN annotation a ON a.sample = s.id AND a.shape = 'label' \
      LEFT JOIN correctedSample z ON z.sample = s.id AND z.isChanged \
      AND z.state = (SELECT id FROM truthState WHERE isHead) \
      LEFT JOIN category c ON c.id = iif(z.sample IS NULL, a.category, z.label)
      """)

  @Argument(help: "The query: SELECT …")
  package var query: String

  @Option(help: "The maximum number of rows; 0 for all.")
  package var limit = 1000

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit must be 0 or more") }
  }

  package func run() throws {
    try options.perform { progress in
      let catalog = try CorrectedCatalog.open(
        options.catalogPath, .readOnly, reportingTo: progress
      ).catalog
      do {
        return QueriedRows(
          result: try catalog.sql(
            query, limit: limit == 0 ? nil : limit, isCancelled: { Interruption.isRequested }))
      } catch StoreError.query(let message) {
        try Interruption.check()
        throw StoreError.query(try message + advice(on: message, in: catalog))
      }
    }
  }

  /// The existing tables or columns if a name is unknown; empty for other errors.
  private func advice(on message: String, in catalog: Catalog) throws -> String {
    guard message.hasPrefix("no such ") else { return "" }
    let schema =
      "; `assay sql \"SELECT sql FROM sqlite_schema WHERE type = 'table'\"` prints every table with its "
      + "columns"
    guard message.hasPrefix("no such table: ") else { return schema }
    let tables = try catalog.sql(
      """
      SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' \
      AND name NOT LIKE 'grdb_%' ORDER BY name
      """, limit: nil
    ).rows.compactMap { $0.first?.text }
    let word = String(message.dropFirst("no such table: ".count))
    let suggestion = NearMiss.suggestion(for: word, among: tables)
    return (suggestion.map { "; did you mean “\($0)”? Tables: " } ?? "; tables: ")
      + tables.joined(separator: ", ") + schema
  }
}

/// The rows of a query.
struct QueriedRows: CommandResult {
  var result: SQLResult

  var json: JSONValue {
    [
      "columns": .array(result.columns.map { .string($0) }),
      "rows": .array(
        result.rows.map { row in
          .object(zip(result.columns, row).map { .init($0, $1.json) })
        }),
      "truncated": .bool(result.isTruncated),
    ]
  }

  func text(in terminal: Terminal) -> String {
    // Multi-line texts, such as the schema, are printed unchanged.
    if result.columns.count == 1, result.rows.contains(where: { $0[0].text.contains("\n") }) {
      return result.rows.map { row in
        row[0].text.split(separator: "\n", omittingEmptySubsequences: false)
          .map { Terminal.safe(String($0)) }.joined(separator: "\n")
      }.joined(separator: "\n\n")
    }
    var table = TextTable(
      result.columns.indices.map { column in
        (result.columns[column], result.rows.allSatisfy { $0[column].isNumber } ? .right : .left)
      })
    for row in result.rows { table.add(row.map(\.text)) }
    return table.text(in: terminal)
      + (result.isTruncated
        ? "\n… more than \(Counted.text(result.rows.count, "row", "rows")) (--limit 0 for all)"
        : "")
  }
}

extension SQLValue {
  fileprivate var json: JSONValue {
    switch self {
    case .null: .null
    case .integer(let value): .integer(value)
    case .real(let value): .number(value)
    case .text(let value): .string(value)
    case .blob(let count): ["blob": JSONValue(count)]
    }
  }

  fileprivate var text: String {
    switch self {
    case .null: "–"
    case .integer(let value): String(value)
    case .real(let value): "\(value)"
    case .text(let value): value
    case .blob(let count): "\(count) bytes"
    }
  }

  fileprivate var isNumber: Bool {
    switch self {
    case .null, .integer, .real: true
    case .text, .blob: false
    }
  }
}
