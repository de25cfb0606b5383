import AssayCore
import GRDB
import GRDBSQLite

extension SourceID {
  /// With the type it had.
  var databaseValue: DatabaseValue {
    switch self {
    case .integer(let value): value.databaseValue
    case .text(let value): value.databaseValue
    }
  }

  /// `nil` for NULL, and for numbers and blobs that no import stores.
  init?(_ value: DatabaseValue) {
    switch value.storage {
    case .int64(let value): self = .integer(value)
    case .string(let value): self = .text(value)
    case .null, .double, .blob: return nil
    }
  }
}

extension RawStatement {
  func bind(_ id: SourceID?, at index: Int32) {
    switch id {
    case .integer(let value): bind(value, at: index)
    case .text(let value): bind(value, at: index)
    case nil: bind(nil as Int64?, at: index)
    }
  }

  /// `nil` for NULL.
  func sourceID(_ column: Int32) -> SourceID? {
    switch type(column) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_TEXT: .text(text(column))
    default: nil
    }
  }
}
