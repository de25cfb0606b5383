import Foundation

/// Opens the small files that the server keeps beside a ledger, in a folder that others may write to: a planted
/// pipe must not make a command wait, and what another user planted is not believed.
enum OwnedFile {
  /// The reason why a file is not trusted as one that this user's assay wrote.
  struct Fault: Error {
    var reason: String
  }

  /// Opens a file of this user without waiting and without following a link.
  ///
  /// - Parameter flags: as of open(2).
  /// - Returns: the descriptor and the permission bits; `nil` where nothing has the name.
  /// - Throws: ``Fault`` where it cannot be opened, is no regular file, belongs to another user, or is to be
  ///   written and has a second name.
  static func open(_ path: String, _ flags: Int32) throws(Fault) -> (file: Int32, mode: Int)? {
    // Without O_NONBLOCK a pipe without a writer keeps the caller for ever.
    let file = Glibc.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      switch errno {
      case ENOENT where flags & O_CREAT == 0: return nil
      case ELOOP: throw Fault(reason: "it is a link")
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
        // Data written here must not become the content of another file.
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
