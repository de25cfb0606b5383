import Foundation
import GRDB
import Synchronization

/// Opens a ledger's file: checks its type, creates it if allowed, and sets and verifies the
/// settings that make a save durable.
///
/// A new file gets the permissions that the user's umask leaves, as the catalog does: anyone who
/// can read one can read the other, so that a colleague can take over.
struct LedgerFile {
  /// Set before the file gets its first page, whatever SQLite's default is.
  private static let pageSize = 4_096

  let path: String
  let access: Ledger.Access
  let synchronous: Ledger.Synchronous
  let busyTimeout: Double

  func open() throws -> Ledger {
    try translatingLedger(path, "opening it") {
      let mayWrite = try checkPlace()
      let connection = try CatalogFile.connecting(path, configuration(mayWrite))
      return try connection.inDatabase { database in
        try CatalogFile.noticingReadFailure(database) { try open(connection, database, mayWrite) }
      }
    }
  }

  private func open(
    _ connection: DatabaseQueue, _ database: Database, _ mayWrite: Bool
  ) throws -> Ledger {
    // A file that is not a ledger is not touched.
    var isEmpty = try LedgerCheck(path: path).isEmpty(database)
    if mayWrite { try setDurable(database) }
    if isEmpty, access == .create {
      try create(database)
      isEmpty = false
    }
    guard !isEmpty else { throw LedgerError.noLedger(path: path) }
    if access != .readOnly {
      try LedgerCheck(path: path).requireGuards(database)
    } else if mayWrite {
      try database.execute(sql: "PRAGMA query_only = ON")
    }
    let (uuid, createdAt) = try LedgerCheck(path: path).identity(database)
    return Ledger(
      path: path, uuid: uuid, createdAt: createdAt, access: access, connection: connection)
  }

  /// Checks the file and its folder before SQLite does.
  ///
  /// - Returns: whether the connection can write. A reader's connection can if possible, because a
  ///   read-only connection cannot roll back the journal that a killed process left.
  private func checkPlace() throws -> Bool {
    let files = FileManager.default
    var facts = stat()
    let exists = stat(path, &facts) == 0
    if exists, facts.st_mode & S_IFMT != S_IFREG {
      let isFolder = facts.st_mode & S_IFMT == S_IFDIR
      throw LedgerError.cannotOpen(
        path: path, reason: "it is \(isFolder ? "a folder" : "not a regular file"); move it away")
    }
    guard exists || access == .create else { throw LedgerError.noLedger(path: path) }
    let obstacle = LedgerLocation(path: path).obstacle
    guard let obstacle else { return true }
    guard access == .readOnly else { throw LedgerError.notWritable(path: path, obstacle) }
    guard files.isReadableFile(atPath: path) else {
      throw LedgerError.cannotOpen(
        path: path, reason: "you have no permission to read it; ask its owner")
    }
    return false
  }

  private func configuration(_ mayWrite: Bool) -> Configuration {
    var configuration = Configuration()
    configuration.label = "ledger"
    configuration.readonly = !mayWrite
    configuration.busyMode = .callback(BusyTimeout(seconds: busyTimeout).callback)
    configuration.prepareDatabase { database in
      try database.execute(
        sql: """
          PRAGMA page_size = \(Self.pageSize);
          PRAGMA trusted_schema = OFF;
          PRAGMA cell_size_check = ON;
          PRAGMA recursive_triggers = ON;
          """)
    }
    return configuration
  }

  /// Sets and verifies the settings that make a save durable: GRDB and SQLite have their own
  /// defaults.
  private func setDurable(_ database: Database) throws {
    let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
    try database.execute(sql: "PRAGMA synchronous = \(synchronous.rawValue)")
    let level = try Int.fetchOne(database, sql: "PRAGMA synchronous")
    guard mode == "delete", level == synchronous.rawValue else {
      throw LedgerError.cannotOpen(
        path: path,
        reason:
          "SQLite keeps journal_mode \(mode ?? "?") and synchronous \(level ?? -1) where saves need "
          + "delete and \(synchronous.rawValue)")
    }
  }

  /// Creates the tables in one transaction. If two processes do so concurrently, one waits for the
  /// other and finds the tables.
  private func create(_ database: Database) throws {
    try database.inTransaction(.immediate) {
      guard try LedgerCheck(path: path).isEmpty(database) else { return .commit }
      for object in LedgerSchema.objects { try database.execute(sql: object.sql) }
      try database.execute(
        sql: "INSERT INTO ledger (uuid, createdAt) VALUES (?, ?)",
        arguments: [UUID().uuidString.lowercased(), Date.now.ISO8601Format()])
      try database.execute(
        sql: """
          PRAGMA application_id = \(LedgerSchema.applicationID);
          PRAGMA user_version = \(LedgerSchema.version);
          """)
      return .commit
    }
    if synchronous == .extra { try LedgerLocation(path: path).synchronizeFolder() }
  }
}

/// The time that a connection waits for a writing process, retrying every few milliseconds:
/// SQLite's own busy handler waits up to a tenth of a second between two attempts, longer than a
/// save takes.
final class BusyTimeout: Sendable {
  private let limit: Duration
  private let started = Mutex<ContinuousClock.Instant?>(nil)

  init(seconds: Double) {
    limit = .seconds(max(0, seconds))
  }

  /// The callback for GRDB: takes the number of attempts so far and returns whether to retry.
  var callback: @Sendable (Int) -> Bool {
    { [self] tries in
      let now = ContinuousClock.now
      let began = started.withLock { started in
        if tries == 0 { started = now }
        return started ?? now
      }
      guard now - began < limit else { return false }
      // Random, so that waiting processes do not retry at the same moment.
      usleep(UInt32.random(in: 500...(tries < 10 ? 1_500 : 5_000)))
      return true
    }
  }
}
