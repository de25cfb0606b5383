import AssayCore
import AssayRemote
import Foundation

/// The identity and state of a file: another one after a change.
struct FileKey: Hashable {
  private var device: dev_t = 0
  private var number: ino_t = 0
  private var size = 0
  private var modified = 0
  private var nanoseconds = 0
  /// The identity of a file that is not local.
  private var remote = ""
  /// The path of an archive in the file; empty for the file.
  var inner = ""

  init(_ status: stat) {
    (device, number) = (status.st_dev, status.st_ino)
    size = Int(status.st_size)
    (modified, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }

  init(remote: String) { self.remote = remote }
}

/// A tree of files with an identity, in which archives and tables are opened only once.
protocol KeyedTree: SourceTree {
  /// The absolute path of the folder, or the address.
  var place: String { get }

  /// A file and its key; `nil` if there is no regular file below the root.
  ///
  /// - Throws: ``SourceError/missing(path:)``.
  func keyed(_ path: String) throws -> (key: FileKey, file: SourceFile)?
}

extension DirectoryTree: KeyedTree {
  var place: String { root }

  func keyed(_ path: String) throws -> (key: FileKey, file: SourceFile)? {
    var status = stat()
    let full = root + "/" + (spelling(of: path) ?? path)
    guard stat(full, &status) == 0 else { throw SourceError.missing(path: full) }
    guard status.st_mode & S_IFMT == S_IFREG, !path.split(separator: "/").contains("..") else {
      return nil
    }
    return (FileKey(status), SourceFile(path: path, status))
  }
}

extension RemoteTree: KeyedTree {
  var place: String { listing.address.text }

  func keyed(_ path: String) throws -> (key: FileKey, file: SourceFile)? {
    guard let (file, identity) = version(of: path) else { return nil }
    return (FileKey(remote: identity), file)
  }
}
