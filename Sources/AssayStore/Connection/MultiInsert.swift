import GRDB

/// Inserts many rows per statement: starting a statement costs SQLite as much as inserting a small
/// row.
final class MultiInsert {
  /// Rows per statement.
  private static let width = 24

  private let columns: Int32
  private let many: RawStatement
  private let one: RawStatement

  /// - Parameters:
  ///   - row: the values of a row in parentheses, with a `?` for each bound value.
  ///   - clause: the SQL after the rows.
  init(_ database: Database, _ insert: String, row: String, clause: String = "") throws {
    columns = Int32(row.count { $0 == "?" })
    let rows = repeatElement(row, count: Self.width).joined(separator: ", ")
    many = try RawStatement(database, "\(insert) VALUES \(rows) \(clause)")
    one = try RawStatement(database, "\(insert) VALUES \(row) \(clause)")
  }

  /// - Parameter bind: binds a row to the parameters after `base`; data bound without a copy must
  ///   stay in place until all rows are inserted.
  func insert(
    _ count: Int, _ bind: (_ row: Int, _ statement: RawStatement, _ base: Int32) throws -> Void
  ) throws {
    var row = 0
    while count - row >= Self.width {
      for place in 0..<Self.width { try bind(row + place, many, Int32(place) * columns) }
      try many.run()
      row += Self.width
    }
    while row < count {
      try bind(row, one, 0)
      try one.run()
      row += 1
    }
  }
}
