/// The errors of the ledger of corrections.
package enum LedgerError: Error, Hashable {
  /// There is no ledger at the path, and this access does not create one.
  case noLedger(path: String)
  /// The file is not an SQLite database, or not a ledger.
  case notALedger(path: String)
  /// The file was written by a later version of assay in a format that this version does not
  /// support.
  case newerFormat(path: String)
  /// This user cannot write the file or its folder.
  case notWritable(path: String, Obstacle)
  /// The file cannot be opened, with the reason.
  case cannotOpen(path: String, reason: String)
  /// Another process kept writing for longer than the timeout.
  case busy(path: String)
  /// There was no space for an entry; no part of it is kept.
  case diskFull(path: String)
  /// The file is damaged, with the location.
  case damaged(path: String, String)
  /// Entries that the catalog has seen are gone.
  case lost(path: String, LedgerLoss)
  /// The file is no longer at the path where it was opened.
  case moved(path: String)
  /// The entries are in the ledger, but the disk failed to confirm it: a power failure can lose
  /// them.
  case unconfirmed(path: String, String)
  /// The ledger rejects the entry, with the reason.
  case badEntry(uuid: String, String)
  /// The entry's parent is not in the ledger, or belongs to another sample.
  case unknownParent(uuid: String, parent: String)
  /// The ledger has another entry with this uuid.
  case uuidTaken(uuid: String, sequence: Int64)
  /// Any other SQLite error, with the operation in progress.
  case sqlite(code: Int32, message: String, doing: String)

  /// The reason why a ledger cannot be written.
  package enum Obstacle: Hashable, Sendable {
    /// The file belongs to another user, with this name or number.
    case owner(String)
    /// The file belongs to this user and is write-protected.
    case file
    /// This user cannot create the journal that every save needs in the folder.
    case folder(String)
    /// The file system is mounted read-only.
    case fileSystem
    /// SQLite reports it, and the file's and folder's permissions do not explain it.
    case unknown
  }
}

extension LedgerError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noLedger(let path):
      "no corrections yet: there is no ledger at \(path); `assay review` or `assay corrections add` creates "
        + "one with the first correction"
    case .notALedger(let path):
      "\(path) is not a ledger of corrections; move it away, or name another catalog with --db (the "
        + "ledger is beside the catalog)"
    case .newerFormat(let path):
      "the ledger \(path) was written by a later version of assay; use that version"
    case .notWritable(let path, let obstacle):
      Self.text(of: obstacle, path)
    case .cannotOpen(let path, let reason):
      "cannot open the ledger \(path): \(reason)"
    case .busy(let path):
      "another process kept the ledger \(path) locked; nothing was saved, try again"
    case .diskFull(let path):
      "the disk is full: no space to save to the ledger \(path). Nothing is half-written; free some space and "
        + "save again"
    case .damaged(let path, let what):
      "the ledger \(path) is damaged: \(what). Write nothing more to it: keep a copy, run `assay corrections "
        + "verify`, and restore a backup"
    case .lost(let path, let loss):
      "the ledger \(path) \(loss); \(LedgerLoss.advice)"
    case .moved(let path):
      "the ledger \(path) was moved, replaced or removed while it was in use. Nothing was saved; put it "
        + "back, or stop this program and start it again"
    case .unconfirmed(let path, let message):
      "the change is in the ledger \(path), but its folder could not be synced to disk (\(message)): a "
        + "power failure now may undo it. Check with `assay corrections ls` before you save it again; "
        + "check the disk"
    case .badEntry(let uuid, let what):
      "the entry \(uuid) cannot be kept: \(what)"
    case .unknownParent(let uuid, let parent):
      "the entry \(uuid) was made after entry \(parent), which is not in the ledger for this sample; "
        + "load the sample again, or import the entries before it first"
    case .uuidTaken(let uuid, let sequence):
      "entry \(sequence) already has the uuid \(uuid) with other content; a new entry needs "
        + "its own"
    case .sqlite(let code, let message, let doing):
      switch code & 0xFF {
      case 10 where [266, 8_458].contains(code):  // SQLITE_IOERR_READ, SQLITE_IOERR_CORRUPTFS
        "the ledger cannot be read: the disk failed while \(doing) (\(message)). The ledger itself may be "
          + "intact; check the disk, copy the file to another one, and try again"
      case 10:  // SQLITE_IOERR
        "the disk failed while \(doing) (SQLite error \(code): \(message)); nothing was saved; check whether "
          + "the disk or your quota is full, or the disk is disconnected"
      default:
        "SQLite error \(code) while \(doing): \(message)"
      }
    }
  }

  private static func text(of obstacle: Obstacle, _ path: String) -> String {
    let why =
      switch obstacle {
      case .owner(let name):
        "it belongs to \(name). Work as that user, or ask for write permission on the file and its folder"
      case .file: "the file is write-protected. Make it writable: chmod u+w '\(path)'"
      case .folder(let folder):
        "its folder \(folder) is not writable for you, and a save creates a journal there. Make the "
          + "folder writable, or move catalog and ledger to one that is"
      case .fileSystem:
        "its file system is read-only. Copy catalog and ledger to another place and work there"
      case .unknown: "permission denied. Check the permissions of the file and its folder"
      }
    return "cannot save to the ledger \(path): \(why); nothing was written"
  }
}
