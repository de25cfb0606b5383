/// The result of a user's own query.
package struct SQLResult: Hashable, Sendable {
  package var columns: [String]
  package var rows: [[SQLValue]]
  /// True if rows beyond the limit were omitted.
  package var isTruncated: Bool
}

/// An SQLite value.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// A blob, represented by its size in bytes.
  case blob(count: Int)
}
