import AssayCore
import GRDB
import GRDBSQLite

/// A prepared statement used through SQLite's own calls, for code paths that can spend at most a
/// microsecond per row. GRDB owns the connection.
///
/// Parameters and columns count as in SQLite: parameters from 1, columns from 0.
final class RawStatement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer

  /// - Throws: `DatabaseError` if the SQL does not compile.
  init(_ database: Database, _ sql: String) throws {
    guard let connection = database.sqliteConnection else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE)
    }
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v2(connection, sql, -1, &handle, nil)
    guard code == SQLITE_OK, let handle else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code),
        message: String(cString: sqlite3_errmsg(connection)),
        sql: sql)
    }
    self.connection = connection
    self.handle = handle
  }

  deinit { sqlite3_finalize(handle) }

  func bind(_ value: Int64?, at index: Int32) {
    if let value {
      sqlite3_bind_int64(handle, index, value)
    } else {
      sqlite3_bind_null(handle, index)
    }
  }

  func bind(_ value: Double, at index: Int32) {
    sqlite3_bind_double(handle, index, value)
  }

  func bind(_ value: Double?, at index: Int32) {
    if let value {
      sqlite3_bind_double(handle, index, value)
    } else {
      sqlite3_bind_null(handle, index)
    }
  }

  /// Binds a text that SQLite copies.
  func bind(_ text: String?, at index: Int32) {
    guard var text else {
      sqlite3_bind_null(handle, index)
      return
    }
    text.withUTF8 { bytes in
      let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
      _ = sqlite3_bind_text(handle, index, start ?? Self.noText, Int32(bytes.count), Self.transient)
    }
  }

  /// Binds a static text without copying it.
  func bind(constant text: StaticString, at index: Int32) {
    let start = UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    sqlite3_bind_text(handle, index, start, Int32(text.utf8CodeUnitCount), nil)
  }

  /// Binds bytes without copying them: they must stay in place until the statement has been
  /// stepped.
  func bind(noCopy bytes: UnsafeRawBufferPointer, at index: Int32) {
    sqlite3_bind_blob(handle, index, bytes.baseAddress ?? Self.noBytes, Int32(bytes.count), nil)
  }

  /// Binds the UTF-8 bytes of a text without copying them: they must stay in place until the statement
  /// has been stepped.
  func bind(noCopyText bytes: UnsafeRawBufferPointer?, at index: Int32) {
    guard let bytes else {
      sqlite3_bind_null(handle, index)
      return
    }
    let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    sqlite3_bind_text(handle, index, start ?? Self.noText, Int32(bytes.count), nil)
  }

  /// Binds a copy of a value in the current row of another statement, which can have another connection.
  func bind(_ column: Int32, of other: RawStatement, at index: Int32) {
    sqlite3_bind_value(handle, index, sqlite3_column_value(other.handle, column))
  }

  /// Steps to the next row, or to the end.
  ///
  /// - Returns: whether there is a row.
  /// - Throws: `DatabaseError`.
  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let message = String(cString: sqlite3_errmsg(connection))
      sqlite3_reset(handle)
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }
  }

  /// Steps a statement that returns no rows, and resets it for the next use.
  func run() throws {
    _ = try step()
    sqlite3_reset(handle)
  }

  func reset() { sqlite3_reset(handle) }

  /// `SQLITE_INTEGER` etc.
  func type(_ column: Int32) -> Int32 { sqlite3_column_type(handle, column) }

  func isNull(_ column: Int32) -> Bool { type(column) == SQLITE_NULL }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  func text(_ column: Int32) -> String { String(decoding: textBytes(column), as: UTF8.self) }

  /// The UTF-8 bytes of a text, valid until the next step.
  func textBytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_text(handle, column)
    return UnsafeBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }

  /// The bytes of a blob, valid until the next step.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }

  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  func optionalReal(_ column: Int32) -> Double? { isNull(column) ? nil : real(column) }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// SQLite's flag for "copy this now".
  private static var transient: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  /// A valid address for an empty text or blob; a null pointer would bind NULL.
  nonisolated(unsafe) private static let noBytes = UnsafeRawPointer(
    UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))
  private static var noText: UnsafePointer<CChar> { noBytes.assumingMemoryBound(to: CChar.self) }
}

extension RawStatement {
  /// Binds values to the parameters from the first one on.
  func bind(_ values: [DatabaseValue]) {
    for (index, value) in zip(Int32(1)..., values) {
      switch value.storage {
      case .null: bind(nil as Int64?, at: index)
      case .int64(let number): bind(number, at: index)
      case .double(let number): bind(number, at: index)
      case .string(let text): bind(text, at: index)
      case .blob(let data):
        data.withUnsafeBytes { bytes in
          _ = sqlite3_bind_blob(
            handle, index, bytes.baseAddress ?? Self.noBytes, Int32(bytes.count), Self.transient)
        }
      }
    }
  }
}

extension SourceID {
  /// The value with its original type.
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
