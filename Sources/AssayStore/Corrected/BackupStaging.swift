import AssayCore
import Foundation

/// A hidden folder, accessible only to this user, in which a backup is created before it is
/// renamed.
///
/// It is locked as long as the process lives. The next backup into the same folder removes one that
/// a killed process left.
final class BackupStaging {
  static let catalogName = "catalog.db"
  static let ledgerName = "ledger.db"

  private let folder: OpenFolder
  private let name: String
  private let descriptor: Int32

  var catalogPath: String { path + "/" + Self.catalogName }
  var ledgerPath: String { path + "/" + Self.ledgerName }
  private var path: String { folder.path + "/" + name }

  /// - Throws: `FileFailure`.
  init(in folder: OpenFolder) throws(FileFailure) {
    self.folder = folder
    for name in try folder.names() where DraftName.isOne(name, of: .backup) {
      Self.removeIfAbandoned(folder.path + "/" + name)
    }
    while true {
      let name = DraftName.make(.backup)
      let path = folder.path + "/" + name
      guard mkdir(path, 0o700) == 0 else {
        if errno == EEXIST { continue }
        throw FileFailure(path: path, code: errno)
      }
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      // Between the calls, another backup can mistake it for one that a killed process left.
      if descriptor < 0, errno == ENOENT { continue }
      guard descriptor >= 0 else {
        let code = errno
        rmdir(path)
        throw FileFailure(path: path, code: code)
      }
      _ = flock(descriptor, LOCK_EX | LOCK_NB)
      var facts = stat()
      if stat(path, &facts) != 0 {
        close(descriptor)
        continue
      }
      self.name = name
      self.descriptor = descriptor
      break
    }
  }

  deinit {
    Self.empty(path)
    close(descriptor)
  }

  /// Waits until the folder's contents are on disk.
  ///
  /// - Throws: `FileFailure`.
  func synchronize() throws(FileFailure) {
    for file in [catalogPath, ledgerPath] {
      let descriptor = open(file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
      if descriptor < 0, errno == ENOENT { continue }
      guard descriptor >= 0 else { throw FileFailure(path: file, code: errno) }
      defer { close(descriptor) }
      guard fsync(descriptor) == 0 else { throw FileFailure(path: file, code: errno) }
    }
  }

  /// Moves a file to a name in the parent folder, replacing any file there.
  ///
  /// - Throws: `FileFailure`.
  func move(_ file: String, to name: String) throws(FileFailure) {
    guard rename(path + "/" + file, folder.path + "/" + name) == 0 else {
      throw FileFailure(path: folder.path + "/" + name, code: errno)
    }
  }

  private static func removeIfAbandoned(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { empty(path) }
  }

  /// Removes a staging folder with the files that a backup creates in it; other files keep the
  /// folder.
  private static func empty(_ path: String) {
    for file in [catalogName, ledgerName] {
      for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + "/" + file + suffix) }
    }
    rmdir(path)
  }
}
