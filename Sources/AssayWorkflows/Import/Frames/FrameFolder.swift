import AssayCore
import CLinux
import Foundation

/// A hidden folder into which frames are written before it gets its name.
///
/// It is locked as long as the process lives. The next recording into the same parent removes one that a killed
/// process left; one that gets no name is removed with the object.
final class FrameFolder {
  private let parent: OpenFolder
  private let name: String
  private let lock: Int32
  private var isPlaced = false
  /// The open folder.
  let folder: OpenFolder

  private static let suffix = ".frames"

  /// - Parameter parent: an existing folder.
  /// - Throws: `FileFailure`.
  init(in parent: OpenFolder) throws(FileFailure) {
    self.parent = parent
    for name in try parent.names() where name.hasPrefix(".assay-") && name.hasSuffix(Self.suffix) {
      Self.removeIfAbandoned(parent.path + "/" + name)
    }
    while true {
      let name = String(DraftName.make(.file).dropLast(".part".count)) + Self.suffix
      let path = parent.path + "/" + name
      let folder = try parent.folder(name, creating: true)
      let lock = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      // Between the calls, another recording can mistake it for one that a killed process left.
      if lock < 0, errno == ENOENT { continue }
      guard lock >= 0 else { throw FileFailure(path: path, code: errno) }
      _ = flock(lock, LOCK_EX | LOCK_NB)
      var facts = stat()
      if stat(path, &facts) != 0 {
        close(lock)
        continue
      }
      (self.name, self.lock, self.folder) = (name, lock, folder)
      break
    }
  }

  deinit {
    if !isPlaced { try? FileManager.default.removeItem(atPath: parent.path + "/" + name) }
    close(lock)
  }

  /// Writes a new file. It need not be whole after a crash, because the folder has no name then.
  ///
  /// - Throws: `FileFailure`.
  func write(_ bytes: [UInt8], as name: String) throws(FileFailure) {
    let path = folder.path + "/" + name
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw FileFailure(path: path, code: errno) }
    defer { close(file) }
    try DescriptorWriter.write(bytes, to: file, path: path)
  }

  /// Gives a file of the folder another name.
  ///
  /// - Throws: `FileFailure`.
  func rename(_ name: String, to target: String) throws(FileFailure) {
    let path = folder.path + "/"
    guard Glibc.rename(path + name, path + target) == 0 else {
      throw FileFailure(path: path + name, code: errno)
    }
  }

  /// Gives the folder its name. If a folder of that name is there, it has the same frames, and this one is removed.
  ///
  /// - Returns: the path of the folder, and whether it is new.
  /// - Throws: `FileFailure`.
  func place(as target: String) throws(FileFailure) -> (path: String, isNew: Bool) {
    let path = parent.path + "/" + target
    if try parent.has(target) { return (path, false) }
    // One call for all files: waiting for each of them would take minutes.
    guard assay_synchronize_files(lock) == 0 else { throw FileFailure(path: path, code: errno) }
    guard Glibc.rename(parent.path + "/" + name, path) == 0 else {
      if errno == EEXIST || errno == ENOTEMPTY { return (path, false) }
      throw FileFailure(path: path, code: errno)
    }
    isPlaced = true
    try parent.synchronize()
    return (path, true)
  }

  private static func removeIfAbandoned(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}
