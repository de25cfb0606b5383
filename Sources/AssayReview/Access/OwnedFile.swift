import Foundation

/// Opens the small files that the server keeps next to a ledger, in a folder that others may be
/// able to write to: a planted pipe must not block a command, and a file planted by another
/// user is not trusted.
enum OwnedFile {
  /// The reason why a file is not trusted as written by this user's assay.
  struct Fault: Error {
    var reason: String
  }

  /// Opens a file of this user without blocking and without following a symbolic link.
  ///
  /// - Parameter flags: the flags of open(2).
  /// - Returns: the descriptor and the permission bits; `nil` if no such file exists.
  /// - Throws: ``Fault`` if it cannot be opened, is not a regular file, belongs to another user, or
  ///   is opened for writing and has a second name.
  static func open(_ path: String, _ flags: Int32) throws(Fault) -> (file: Int32, mode: Int)? {
    // Without O_NONBLOCK, a pipe without a writer would block the caller forever.
    let file = Glibc.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      switch errno {
      case ENOENT where flags & O_CREAT == 0: return nil
      case ELOOP: throw Fault(reason: "it is a symbolic link")
      case ENXIO: throw Fault(reason: "it is not a regular file")
      default: throw Fault(reason: SystemText.error())
      }
    }
    var status = stat()
    let fault: String? =
      if fstat(file, &status) != 0 {
        SystemText.error()
      } else if status.st_mode & S_IFMT != S_IFREG {
        "it is not a regular file"
      } else if status.st_uid != geteuid() {
        "it belongs to another user"
      } else if flags & O_ACCMODE != O_RDONLY, status.st_nlink > 1 {
        // Data written here must not end up in another file.
        "it has more than one hard link"
      } else {
        nil
      }
    if let fault {
      close(file)
      throw Fault(reason: fault)
    }
    return (file, Int(status.st_mode & 0o777))
  }
}
