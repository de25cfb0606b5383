import GRDB

/// Runs work on a ledger's connection and turns SQLite's errors into the ledger's.
func translatingLedger<Value>(
  _ path: String, _ doing: String, _ work: () throws -> Value
) throws -> Value {
  do {
    return try work()
  } catch let error as DatabaseError {
    let message = error.message ?? "unknown"
    switch error.extendedResultCode {
    case .SQLITE_READONLY_DBMOVED: throw LedgerError.moved(path: path)
    case .SQLITE_READONLY_ROLLBACK, .SQLITE_READONLY_RECOVERY, .SQLITE_READONLY_CANTLOCK:
      throw LedgerError.cannotOpen(
        path: path,
        reason:
          "a program was stopped during a save, and its journal can only be rolled back "
          + "by a user who can write the file; let its owner run `assay corrections verify` once")
    // SQLite reports it only after the journal is removed, so the transaction is already committed.
    case .SQLITE_IOERR_DIR_FSYNC where doing == Ledger.saving:
      throw LedgerError.unconfirmed(path: path, message)
    default: break
    }
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: throw LedgerError.busy(path: path)
    case .SQLITE_NOTADB: throw LedgerError.notALedger(path: path)
    case .SQLITE_FULL: throw LedgerError.diskFull(path: path)
    case .SQLITE_READONLY, .SQLITE_PERM:
      throw LedgerError.notWritable(path: path, LedgerLocation(path: path).obstacle ?? .unknown)
    case .SQLITE_CANTOPEN:
      if let obstacle = LedgerLocation(path: path).obstacle {
        throw LedgerError.notWritable(path: path, obstacle)
      }
      throw LedgerError.cannotOpen(
        path: path, reason: "\(message); its folder must exist and be writable for you")
    case .SQLITE_CORRUPT: throw LedgerError.damaged(path: path, message)
    default:
      throw LedgerError.sqlite(
        code: error.extendedResultCode.rawValue, message: message, doing: doing)
    }
  }
}
