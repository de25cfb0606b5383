/// The result of a user's own query.
package struct SQLResult: Hashable, Sendable {
  package var columns: [String]
  package var rows: [[SQLValue]]
  /// True if rows beyond the limit were left out.
  package var isTruncated: Bool
}

/// A value of SQLite.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// A blob, by its number of bytes.
  case blob(count: Int)
}
