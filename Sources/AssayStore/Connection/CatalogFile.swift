import Foundation
import GRDB
import GRDBSQLite

/// Opens connections to a catalog's file, and defines their settings.
enum CatalogFile {
  /// Takes half the time of 4 KiB pages for blobs; set before the file gets its first page.
  static let pageSize = 16_384

  /// `application_id` of a catalog: "assa". The first migration sets it.
  static let applicationID: Int32 = 0x6173_7361

  /// The time that a connection waits for another connection's write, in seconds.
  static let busyTimeout: Double = 60

  /// The time that a connection waits while another one migrates the catalog, in seconds: a large
  /// catalog takes minutes.
  static let migrationPatience: Double = 600

  /// Opens the catalog's main connection.
  ///
  /// - Returns: the connection, and whether this call created the file, or updated one of an earlier version.
  static func open(
    _ path: String, _ access: Catalog.Access
  ) throws -> (connection: DatabaseQueue, isNew: Bool, isUpdated: Bool) {
    var facts = stat()
    let exists = stat(path, &facts) == 0
    if exists, facts.st_mode & S_IFMT != S_IFREG {
      let isFolder = facts.st_mode & S_IFMT == S_IFDIR
      throw StoreError.cannotOpen(
        path: path, reason: isFolder ? "it is a folder" : "it is not a regular file")
    }
    if !exists, lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK {
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      throw StoreError.cannotOpen(
        path: path,
        reason: "it is a symbolic link to \(target ?? "a file"), which does not exist; "
          + "remove the link, or name the catalog itself with --db")
    }
    guard exists || access == .create else { throw StoreError.noCatalog(path: path) }
    return try translating(path, "opening it") {
      let mayWrite = !exists || FileManager.default.isWritableFile(atPath: path)
      let connection = try connecting(path, configuration(mayWrite))
      return try connection.inDatabase { database in
        try noticingReadFailure(database) {
          let isNew = try check(database, path)
          var isUpdated = false
          if mayWrite, access != .unchanged {
            setBusyTimeout(migrationPatience, database)
            isUpdated = try Migrations.run(database)
            setBusyTimeout(busyTimeout, database)
            // A mode change would wait for an import in progress; a reader does not need to wait.
            if isNew || access != .readOnly { try setWriteAheadLog(database) }
          } else if try !Migrations.migrator.hasCompletedMigrations(database) {
            guard !isNew else { throw StoreError.notACatalog(path: path) }
            throw mayWrite ? StoreError.notUpdated(path: path) : .olderSchema(path: path)
          }
          if mayWrite, access == .readOnly || access == .unchanged {
            try database.execute(sql: "PRAGMA query_only = ON")
          }
          return (connection, isNew && !exists, isUpdated)
        }
      }
    }
  }

  /// Sets how long a connection waits for another one that has the file locked.
  private static func setBusyTimeout(_ seconds: Double, _ database: Database) {
    sqlite3_busy_timeout(database.sqliteConnection, Int32(seconds * 1000))
  }

  /// Connects to a file, which already reads from it; see ``noticingReadFailure(_:_:)``.
  static func connecting(
    _ path: String, _ configuration: Configuration
  ) throws -> DatabaseQueue {
    do {
      return try DatabaseQueue(path: path, configuration: configuration)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // There is no connection to query, so the file itself is checked.
      if let code = readFailure(path) {
        throw DatabaseError(
          resultCode: .SQLITE_IOERR_READ, message: String(cString: strerror(code)))
      }
      throw error
    }
  }

  /// The system's error number if a file cannot be read to its end; `nil` if it can.
  private static func readFailure(_ path: String) -> Int32? {
    // Never closed: closing would release the locks that other connections of this process have on
    // the file.
    let file = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var place: off_t = 0
    while true {
      let count = buffer.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, place) }
      if count < 0 { return errno }
      if count == 0 { return nil }
      place += off_t(count)
    }
  }

  /// Runs work, and replaces "the file is malformed" with "the file cannot be read" if that is the
  /// cause: SQLite mistakes a failing disk for a damaged file.
  static func noticingReadFailure<Value>(
    _ database: Database, _ work: () throws -> Value
  ) throws -> Value {
    do {
      return try work()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      var code: Int32 = 0
      sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_LAST_ERRNO, &code)
      guard [EIO, ENXIO, ERANGE].contains(code) else { throw error }
      throw DatabaseError(
        resultCode: .SQLITE_IOERR_READ, message: String(cString: strerror(code)))
    }
  }

  /// Opens another connection for reading.
  ///
  /// The connection is technically writable, because a read-only connection cannot recover a
  /// journal that a killed process left.
  static func openReader(_ path: String) throws -> DatabaseQueue {
    try translating(path, "opening it") {
      let mayWrite = FileManager.default.isWritableFile(atPath: path)
      let connection = try DatabaseQueue(path: path, configuration: configuration(mayWrite))
      try connection.inDatabase { try $0.execute(sql: "PRAGMA query_only = ON") }
      return connection
    }
  }

  /// Opens another connection that writes only to a file that it attaches.
  ///
  /// The connection is not read-only, because its attached files would be read-only, too. SQLite
  /// still opens a write-protected file for reading.
  static func openAttaching(_ path: String) throws -> DatabaseQueue {
    try translating(path, "opening it") {
      try DatabaseQueue(path: path, configuration: configuration(true))
    }
  }

  /// Opens another connection for writing.
  ///
  /// - Returns: `nil` if the file cannot be written.
  static func openWriter(_ path: String, busyTimeout: Double) throws -> DatabaseQueue? {
    guard FileManager.default.isWritableFile(atPath: path) else { return nil }
    return try translating(path, "opening it") {
      var configuration = configuration(true)
      configuration.busyMode = .timeout(busyTimeout)
      return try DatabaseQueue(path: path, configuration: configuration)
    }
  }

  /// Switches the file to write-ahead mode, in which readers do not wait for the writer, with
  /// `synchronous=NORMAL`: a power failure can lose the last transactions, but never part of one.
  ///
  /// - Parameter busyTimeout: the number of seconds to wait for another connection. SQLite itself
  ///   does not wait, because it has already read the file when it requests the lock.
  static func setWriteAheadLog(_ database: Database, busyTimeout: Double = busyTimeout) throws {
    let limit = ContinuousClock.now + .seconds(busyTimeout)
    while true {
      do {
        _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
        break
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < limit
      {
        usleep(UInt32.random(in: 2_000...20_000))
      }
    }
    try database.execute(sql: "PRAGMA synchronous = NORMAL")
    guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 1 else {
      throw DatabaseError(message: "could not set synchronous=NORMAL")
    }
  }

  /// Switches from write-ahead mode to a rollback journal if no other connection has the file open.
  ///
  /// A bulk import then writes each new page once instead of twice (log, then checkpoint): 0.14 s
  /// instead of 0.28 s for 35,887 faces. A process killed during the import leaves a journal that
  /// the next process to open the file rolls back.
  ///
  /// SQLite does not drop its cached pages when it leaves write-ahead mode, and the change counter by
  /// which it would notice in the other mode that they are outdated does not count all transactions of
  /// write-ahead mode (those that leave the first page as it is, for example). Rows that another
  /// connection added since the last read would be overwritten, and the file damaged (found with SQLite
  /// 3.40.1). So the cache is emptied after the switch.
  ///
  /// - Returns: whether it switched; otherwise the file stays in write-ahead mode.
  static func setRollbackJournalIfAlone(_ database: Database) -> Bool {
    sqlite3_busy_timeout(database.sqliteConnection, 0)
    defer { sqlite3_busy_timeout(database.sqliteConnection, Int32(busyTimeout * 1000)) }
    let mode = try? String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
    sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_RESET_CACHE, nil)
    return mode == "delete"
  }

  /// True if nothing was put into a catalog.
  private static let isUnused =
    "SELECT NOT EXISTS (SELECT 1 FROM dataset) AND NOT EXISTS (SELECT 1 FROM model)"

  /// Removes the file of an empty catalog, unless another connection uses it.
  static func removeIfUnused(_ connection: DatabaseQueue, _ path: String) {
    try? connection.inDatabase { database in
      // Looks first, because each change of the mode waits for the disk.
      guard try Bool.fetchOne(database, sql: isUnused) == true else { return }
      // Only the sole connection to a file can leave write-ahead mode, and no other connection can
      // start a transaction during an exclusive one.
      guard setRollbackJournalIfAlone(database) else { return }
      sqlite3_busy_timeout(database.sqliteConnection, 0)
      var isEmpty: Bool?
      try database.inTransaction(.exclusive) {
        isEmpty = try Bool.fetchOne(database, sql: isUnused)
        if isEmpty == true { remove(path) }
        return .rollback
      }
      if isEmpty != true { try setWriteAheadLog(database) }
    }
  }

  /// Removes a file that is still empty, with the files that SQLite keeps beside it.
  static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  /// Returns whether the error means that the file cannot be written now, rather than that the file
  /// is faulty.
  static func isRefusal(_ error: DatabaseError) -> Bool {
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM,
      .SQLITE_FULL:
      true
    default: false
    }
  }

  private static func configuration(_ mayWrite: Bool) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = !mayWrite
    configuration.busyMode = .timeout(busyTimeout)
    configuration.prepareDatabase { database in
      database.add(function: CosineFunction.function)
      try database.execute(
        sql: """
          PRAGMA page_size = \(pageSize);
          PRAGMA cache_size = -8000;
          PRAGMA journal_size_limit = 16000000;
          PRAGMA trusted_schema = OFF;
          """)
    }
    return configuration
  }

  /// Checks whether the file is a catalog that this version supports.
  ///
  /// - Returns: whether it is empty.
  private static func check(_ database: Database, _ path: String) throws -> Bool {
    var isEmpty = false
    // One snapshot of the file: another process may be creating the catalog.
    try database.inTransaction(.deferred) {
      // An earlier version that was killed while creating a catalog leaves only the list of
      // migrations.
      let tables = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'")
      isEmpty = tables == 0
      if !isEmpty {
        guard
          try Int32.fetchOne(database, sql: "PRAGMA application_id") == applicationID
        else { throw StoreError.notACatalog(path: path) }
      }
      guard try !Migrations.migrator.hasBeenSuperseded(database) else {
        throw StoreError.newerSchema(path: path)
      }
      return .commit
    }
    return isEmpty
  }
}

/// Runs work on a connection and turns SQLite's errors into the store's.
func translating<Value>(
  _ path: String, _ doing: String, _ work: () throws -> Value
) throws -> Value {
  do {
    return try work()
  } catch let error as DatabaseError {
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: throw StoreError.busy(path: path)
    case .SQLITE_NOTADB: throw StoreError.notACatalog(path: path)
    case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_DBMOVED:
      throw StoreError.moved(path: path)
    case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
      throw StoreError.cannotOpen(
        path: path,
        reason: (error.message ?? "no permission")
          + "; the file's folder must exist, and both must be writable for you")
    default:
      throw StoreError.sqlite(
        code: error.extendedResultCode.rawValue, message: error.message ?? "unknown", doing: doing)
    }
  }
}
