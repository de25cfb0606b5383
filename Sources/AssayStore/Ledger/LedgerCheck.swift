import Foundation
import GRDB

/// Checks whether a file is a ledger that this version supports.
struct LedgerCheck {
  let path: String

  /// Returns whether the ledger is empty; a process that was killed while creating a ledger leaves
  /// such a file.
  ///
  /// - Throws: ``LedgerError/notALedger(path:)``, ``LedgerError/newerFormat(path:)``.
  func isEmpty(_ database: Database) throws -> Bool {
    var (application, version, objects) = (Int32(0), Int32(0), 0)
    func read() throws {
      application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
      version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      objects = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
    }
    // One state of the file: another process may be creating the ledger.
    if database.isInsideTransaction {
      try read()
    } else {
      try database.inTransaction(.deferred) {
        try read()
        return .commit
      }
    }
    if objects == 0, application == 0 { return true }
    guard application == LedgerSchema.applicationID else {
      throw LedgerError.notALedger(path: path)
    }
    guard version <= LedgerSchema.version else { throw LedgerError.newerFormat(path: path) }
    return false
  }

  /// The only row of the table `ledger`.
  ///
  /// - Throws: ``LedgerError/damaged(path:_:)``.
  func identity(_ database: Database) throws -> (uuid: String, createdAt: String) {
    let rows = try Row.fetchAll(database, sql: "SELECT uuid, createdAt FROM ledger LIMIT 2")
    guard rows.count == 1, let row = rows.first, let uuid: String = row["uuid"],
      let createdAt: String = row["createdAt"], LedgerLimits.isUUID(uuid)
    else {
      throw LedgerError.damaged(path: path, "its table “ledger” does not hold one uuid")
    }
    return (uuid, createdAt)
  }

  /// The first table, index or trigger that was changed; `nil` if there is none. Objects that a
  /// later version added are ignored.
  func firstChangedObject(_ database: Database) throws -> String? {
    let rows = try Row.fetchAll(database, sql: "SELECT name, sql FROM sqlite_schema")
    var found: [String: String] = [:]
    for row in rows {
      if let name: String = row["name"], let sql: String = row["sql"] { found[name] = sql }
    }
    return LedgerSchema.objects.first { found[$0.name] != $0.sql }?.name
  }

  /// - Throws: ``LedgerError/damaged(path:_:)`` if the file's guards no longer reject invalid
  ///   changes.
  func requireGuards(_ database: Database) throws {
    if let name = try firstChangedObject(database) {
      throw LedgerError.damaged(
        path: path, "“\(name)” of its tables and triggers is missing or is not what assay created")
    }
  }
}
