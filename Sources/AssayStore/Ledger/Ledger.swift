import GRDB

/// The ledger: one SQLite file that permanently stores users' corrections.
///
/// It is append-only. Its methods can be called from any thread; calls are serialized. All of them
/// throw ``LedgerError``, plus any error that a closure passed to them throws.
package final class Ledger: Sendable {
  /// The kind of access that a command needs.
  package enum Access: Sendable {
    /// Opens the ledger for writing, creating it if there is none.
    case create
    case readWrite
    case readOnly
  }

  /// The point at which SQLite treats a save as complete.
  package enum Synchronous: Int, Sendable {
    /// Immediately, without a sync: a power failure can lose saves and damage the file. For
    /// measurements, and for the test that shows why ``extra`` is needed.
    case off = 0
    /// After journal, file and folder are on disk.
    case extra = 3
  }

  /// The row format that this version writes.
  package static let entryFormat: Int64 = 1

  package let path: String
  /// The ledger's own UUID, in lower case.
  package let uuid: String
  /// The time of creation: `2026-11-21T14:40:05Z`.
  package let createdAt: String
  let access: Access
  let connection: DatabaseQueue

  init(path: String, uuid: String, createdAt: String, access: Access, connection: DatabaseQueue) {
    self.path = path
    self.uuid = uuid
    self.createdAt = createdAt
    self.access = access
    self.connection = connection
  }

  /// Opens the ledger in a file.
  ///
  /// - Parameter busyTimeout: the number of seconds that a read or write waits for a writing
  ///   process.
  /// - Throws: ``LedgerError/noLedger(path:)`` if there is none and `access` does not create one;
  ///   ``LedgerError/notALedger(path:)``, ``LedgerError/newerFormat(path:)``,
  ///   ``LedgerError/notWritable(path:_:)``, ``LedgerError/cannotOpen(path:reason:)``,
  ///   ``LedgerError/damaged(path:_:)``, ``LedgerError/busy(path:)``, ``LedgerError/diskFull(path:)``.
  package static func open(
    _ path: String, _ access: Access, synchronous: Synchronous = .extra, busyTimeout: Double = 5
  ) throws -> Ledger {
    try LedgerFile(path: path, access: access, synchronous: synchronous, busyTimeout: busyTimeout)
      .open()
  }

  /// The last entry, which shows whether a copy of the ledger's state is up to date.
  package func head() throws -> LedgerHead {
    try read("reading its head") { try LedgerReader($0).head(ledger: uuid) }
  }

  /// Reads one snapshot of the ledger; can be nested in other reads or writes.
  func read<Value>(_ doing: String, _ work: (Database) throws -> Value) throws -> Value {
    try translatingLedger(path, doing) {
      try connection.unsafeReentrantWrite { database in
        if database.isInsideTransaction { return try work(database) }
        return try CatalogFile.noticingReadFailure(database) {
          try Self.transaction(.deferred, database, work)
        }
      }
    }
  }

  /// Writes in one transaction while no other process writes, and returns when it is on disk. It is
  /// rolled back if `work` throws.
  func write<Value>(_ doing: String, _ work: (Database) throws -> Value) throws -> Value {
    try translatingLedger(path, doing) {
      try connection.unsafeReentrantWrite { database in
        guard !database.isInsideTransaction else {
          throw DatabaseError(
            resultCode: .SQLITE_MISUSE, message: "the ledger is being read or written already")
        }
        return try CatalogFile.noticingReadFailure(database) {
          try Self.transaction(.immediate, database, work)
        }
      }
    }
  }

  private static func transaction<Value>(
    _ kind: Database.TransactionKind, _ database: Database, _ work: (Database) throws -> Value
  ) throws -> Value {
    var result: Result<Value, any Error>?
    try database.inTransaction(kind) {
      result = .success(try work(database))
      return .commit
    }
    guard let result else { throw DatabaseError(message: "no result") }
    return try result.get()
  }
}
