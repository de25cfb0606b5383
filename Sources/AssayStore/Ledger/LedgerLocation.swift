import AssayCore
import Foundation

/// A ledger's file and folder as the system sees them.
struct LedgerLocation {
  let path: String

  private var folder: String {
    let folder = path.parentFolder
    return folder.isEmpty ? "." : folder
  }

  /// The reason why this user cannot write the file, or create it; `nil` if there is none.
  var obstacle: LedgerError.Obstacle? {
    if access(path, F_OK) == 0, access(path, W_OK) != 0 {
      if errno == EROFS { return .fileSystem }
      var facts = stat()
      guard stat(path, &facts) == 0 else { return .unknown }
      return facts.st_uid == geteuid() ? .file : .owner(Self.name(of: facts.st_uid))
    }
    // The journal of a link is beside the file that the link points to.
    let folder = LedgerLocation(path: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
      .folder
    if access(folder, F_OK) == 0, access(folder, W_OK | X_OK) != 0 {
      return errno == EROFS ? .fileSystem : .folder(folder)
    }
    return nil
  }

  private static func name(of user: uid_t) -> String {
    guard let entry = getpwuid(user), let name = entry.pointee.pw_name else {
      return "user \(user)"
    }
    return "“\(String(cString: name))”"
  }

  /// Waits until the folder is on disk, and with it the removal of a journal.
  ///
  /// Only SQLite opens the file itself: closing it would release all locks that this process has on
  /// it. SQLite waits for the file before it removes the journal.
  ///
  /// - Throws: ``LedgerError/sqlite(code:message:doing:)`` if the disk fails.
  func synchronizeFolder() throws {
    let folder = LedgerLocation(path: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
      .folder
    let descriptor = Foundation.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(folder) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Self.failure(folder) }
  }

  private static func failure(_ folder: String) -> LedgerError {
    LedgerError.sqlite(
      code: 10, message: String(cString: strerror(errno)),
      doing: "waiting for the folder \(folder) to be on disk")
  }
}
