package import ArgumentParser
import AssayCore
import AssayStore

/// `assay sql`: a query of the user's own.
package struct SQLCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: "Run one reading SQL statement over the catalog.")

  @Argument(help: "The statement: SELECT …")
  package var query: String

  @Option(help: "The most rows; 0 for all.")
  package var limit = 1000

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit takes a number from 0 on") }
  }

  package func run() throws {
    try options.perform { _ in
      let catalog = try Catalog.open(options.catalogPath, .readOnly)
      return QueriedRows(result: try catalog.sql(query, limit: limit == 0 ? nil : limit))
    }
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
    var table = TextTable(
      result.columns.indices.map { column in
        (result.columns[column], result.rows.allSatisfy { $0[column].isNumber } ? .right : .left)
      })
    for row in result.rows { table.add(row.map(\.text)) }
    return table.text(in: terminal)
      + (result.isTruncated ? "\n… more than \(result.rows.count) rows (--limit 0 for all)" : "")
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
