import GRDB
import GRDBSQLite

extension Catalog {
  /// Runs one read-only statement of the user on a connection that cannot write.
  ///
  /// Columns with the same name get a number (`id`, `id:1`) to distinguish them. A value can have
  /// at most 64 MB.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of rows; `nil` for all.
  ///   - isCancelled: polled every few milliseconds; stops the statement once it returns true.
  /// - Throws: ``StoreError/query(_:)`` with SQLite's reason, or if the text is not exactly one
  ///   statement, or if the statement is not read-only.
  package func sql(
    _ query: String, limit: Int? = nil, isCancelled: @escaping () -> Bool = { false }
  ) throws -> SQLResult {
    let reader = try CatalogFile.openReader(path)
    return try translating(path, "running a query") {
      try reader.inDatabase { database in
        guard let connection = database.sqliteConnection else {
          throw DatabaseError(resultCode: .SQLITE_MISUSE)
        }
        // From here on, nothing is prepared through GRDB, whose own authorizer this replaces.
        sqlite3_set_authorizer(connection, ReadOnlyPolicy.authorize, nil)
        // Otherwise, texts and blobs that a query creates could take gigabytes each.
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Self.valueLimit)
        let cancellation = Unmanaged.passRetained(Cancellation(isCancelled))
        defer {
          sqlite3_progress_handler(connection, 0, nil, nil)
          cancellation.release()
        }
        sqlite3_progress_handler(
          connection, 100_000,
          { $0.map { Unmanaged<Cancellation>.fromOpaque($0).takeUnretainedValue().code } ?? 0 },
          cancellation.toOpaque())
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let rest = try Self.prepare(query, on: connection, &statement)
        guard let statement else { throw StoreError.query("the statement is empty") }
        guard rest.allSatisfy(\.isWhitespace) else {
          throw StoreError.query(
            "expected one statement, found more after it: “\(rest.drop(while: \.isWhitespace))”"
          )
        }
        guard sqlite3_stmt_readonly(statement) != 0 else {
          throw StoreError.query("only read-only statements are allowed")
        }
        return try Self.rows(of: statement, on: connection, limit: limit)
      }
    }
  }

  /// The maximum size of a text or blob in a query, in bytes.
  private static let valueLimit: Int32 = 64_000_000

  /// Prepares the first statement of a text.
  ///
  /// - Returns: the text after it, without trailing comments.
  private static func prepare(
    _ query: String, on connection: OpaquePointer, _ statement: inout OpaquePointer?
  ) throws -> String {
    let result = query.withCString { start in
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(connection, start, -1, &statement, &tail)
      guard code == SQLITE_OK, let tail else { return (code, "") }
      // A rest of blanks and comments compiles to nothing.
      var further: OpaquePointer?
      defer { sqlite3_finalize(further) }
      let isEmpty =
        sqlite3_prepare_v2(connection, tail, -1, &further, nil) == SQLITE_OK && further == nil
      return (code, isEmpty ? "" : String(cString: tail))
    }
    guard result.0 == SQLITE_OK else { throw failure(result.0, connection) }
    return result.1
  }

  private static func rows(
    of statement: OpaquePointer, on connection: OpaquePointer, limit: Int?
  ) throws -> SQLResult {
    let count = sqlite3_column_count(statement)
    var result = SQLResult(columns: [], rows: [], isTruncated: false)
    var taken: Set<String> = []
    for column in 0..<count {
      let stem = sqlite3_column_name(statement, column).map { String(cString: $0) } ?? ""
      var name = stem
      var number = 0
      while !taken.insert(name).inserted {
        number += 1
        name = "\(stem):\(number)"
      }
      result.columns.append(name)
    }
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return result }
      guard code == SQLITE_ROW else { throw failure(code, connection) }
      if let limit, result.rows.count >= limit {
        result.isTruncated = true
        return result
      }
      result.rows.append((0..<count).map { value(statement, $0) })
    }
  }

  private static func value(_ statement: OpaquePointer, _ column: Int32) -> SQLValue {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      guard let start = sqlite3_column_text(statement, column) else { return .text("") }
      let bytes = UnsafeBufferPointer(
        start: start, count: Int(sqlite3_column_bytes(statement, column)))
      return .text(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB: return .blob(count: Int(sqlite3_column_bytes(statement, column)))
    default: return .null
    }
  }

  private static func failure(_ code: Int32, _ connection: OpaquePointer) -> any Error {
    switch code & 0xFF {
    case SQLITE_AUTH: StoreError.query("only statements that read the catalog are allowed")
    case SQLITE_INTERRUPT: StoreError.query("interrupted")
    case SQLITE_TOOBIG: StoreError.query("a value is larger than 64 MB, the limit for a query")
    case SQLITE_BUSY: DatabaseError(resultCode: .SQLITE_BUSY)
    default: StoreError.query(String(cString: sqlite3_errmsg(connection)))
    }
  }
}

/// Passes the cancellation check through SQLite's callback, which takes a pointer.
private final class Cancellation {
  private let isCancelled: () -> Bool

  init(_ isCancelled: @escaping () -> Bool) { self.isCancelled = isCancelled }

  /// The value that SQLite expects: 0 to continue.
  var code: Int32 { isCancelled() ? 1 : 0 }
}

/// The operations that a query can perform: read tables, call functions, and read the schema.
private enum ReadOnlyPolicy {
  /// Pragmas that only return information.
  static let pragmas: Set<String> = [
    "table_list", "table_info", "table_xinfo", "index_list", "index_info", "index_xinfo",
    "foreign_key_list", "foreign_key_check", "integrity_check", "quick_check", "database_list",
    "collation_list", "function_list", "compile_options",
  ]
  /// Pragmas that return information if they get no value.
  static let questions: Set<String> = [
    "user_version", "application_id", "page_size", "page_count", "freelist_count", "encoding",
    "journal_mode",
  ]

  static let authorize:
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?, UnsafePointer<CChar>?
    ) -> Int32 = { _, action, first, second, _, _ in
      switch action {
      case SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE:
        return SQLITE_OK
      // Table-valued functions (`json_each`, `pragma_table_info`) declare their columns this way. A
      // statement that really creates a table is not read-only, which is checked separately.
      case SQLITE_CREATE_TABLE: return SQLITE_OK
      case SQLITE_INSERT, SQLITE_UPDATE:
        return first.map { String(cString: $0) } == "sqlite_master" ? SQLITE_OK : SQLITE_DENY
      case SQLITE_PRAGMA:
        let name = first.map { String(cString: $0).lowercased() } ?? ""
        let isHarmless = pragmas.contains(name) || (second == nil && questions.contains(name))
        return isHarmless ? SQLITE_OK : SQLITE_DENY
      default:
        return SQLITE_DENY
      }
    }
}
