import Glibc

/// An open folder. Files are written and removed relative to its descriptor and never through a symbolic
/// link, so a link placed in the folder cannot redirect a write.
package final class OpenFolder: Sendable {
  package let path: String
  let descriptor: Int32

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Opens a folder. Links in the path itself are followed, because the user named it.
  ///
  /// - Parameter path: an empty path is the current folder.
  /// - Throws: ``FileFailure``.
  package convenience init(_ path: String) throws(FileFailure) {
    let path = path.isEmpty ? "." : path
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(path: path, code: errno) }
    self.init(path: path, descriptor: descriptor)
  }

  deinit { close(descriptor) }

  /// Opens a folder below this one. No component may be a link.
  ///
  /// - Parameters:
  ///   - relative: components separated by `/`; empty for this folder itself.
  ///   - creating: `true` to create missing folders.
  /// - Throws: ``FileFailure``, also for a component `..`.
  package func folder(
    _ relative: String, creating: Bool = false
  ) throws(FileFailure) -> OpenFolder {
    var folder = self
    for name in try Self.components(relative) {
      folder = try folder.child(name, creating: creating)
    }
    return folder
  }

  private func child(_ name: String, creating: Bool) throws(FileFailure) -> OpenFolder {
    let place = path + "/" + name
    if creating, mkdirat(descriptor, name, 0o777) != 0, errno != EEXIST {
      throw FileFailure(path: place, code: errno)
    }
    let child = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard child >= 0 else {
      let code = errno
      if isLink(name) { throw FileFailure(path: place, reason: Self.linkReason) }
      throw FileFailure(path: place, code: code)
    }
    return OpenFolder(path: place, descriptor: child)
  }

  /// The reason given when a link in a path is rejected.
  package static let linkReason =
    "it is a symbolic link, and assay does not write through links; remove the link, or choose "
    + "another folder"

  /// The components of a relative path, without empty ones and `.`.
  static func components(_ relative: String) throws(FileFailure) -> [String] {
    let parts = relative.split(separator: "/").map(String.init).filter { $0 != "." }
    guard !parts.contains(".."), !relative.utf8.contains(0) else {
      throw FileFailure(path: relative, reason: "its path is outside the folder")
    }
    return parts
  }

  /// The folder of a relative path and its last component.
  private func place(
    _ relative: String, creating: Bool = false
  ) throws(FileFailure) -> (folder: OpenFolder, name: String) {
    var parts = try Self.components(relative)
    guard let name = parts.popLast() else {
      throw FileFailure(path: path, reason: "it is a folder")
    }
    return (try folder(parts.joined(separator: "/"), creating: creating), name)
  }

  private func isLink(_ name: String) -> Bool {
    var facts = stat()
    return fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0
      && facts.st_mode & S_IFMT == S_IFLNK
  }

  /// Returns whether a file, a folder or a link with this name exists; a link is not followed.
  ///
  /// - Throws: ``FileFailure`` if a folder on the path is a link.
  package func has(_ relative: String) throws(FileFailure) -> Bool {
    var parts = try Self.components(relative)
    guard let name = parts.popLast() else { return true }
    do throws(FileFailure) {
      let folder = try folder(parts.joined(separator: "/"))
      var facts = stat()
      return fstatat(folder.descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0
    } catch  where error.code == ENOENT {
      return false
    }
  }

  /// The names in the folder without `.` and `..`, unsorted.
  package func names() throws(FileFailure) -> [String] {
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let directory = fdopendir(copy) else {
      throw FileFailure(path: path, code: errno)
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// The bytes of a regular file in the folder; `nil` if there is none, it is a link, is longer
  /// than `limit` bytes, or cannot be read.
  package func read(_ name: String, limit: Int) -> [UInt8]? {
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= limit
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(file, buffer.baseAddress?.advanced(by: done), buffer.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      done += count
    }
    return Array(bytes[..<done])
  }

  /// Removes a file or a link, not the link's target, and never a folder. A missing file is not an
  /// error.
  ///
  /// - Throws: ``FileFailure`` if a folder on the path is a link.
  package func remove(_ relative: String) throws(FileFailure) {
    do throws(FileFailure) {
      let (folder, name) = try place(relative)
      unlinkat(folder.descriptor, name, 0)
    } catch  where error.code == ENOENT {
      return
    }
  }

  /// Starts a file that gets its name once it is complete.
  ///
  /// - Parameter relative: the final path; its folders must exist.
  /// - Throws: ``FileFailure``.
  package func draft(of relative: String) throws(FileFailure) -> FileDraft {
    let (folder, name) = try place(relative)
    // Otherwise a device or a pipe would be replaced by a file, and so would a link to one.
    var facts = stat()
    if fstatat(folder.descriptor, name, &facts, 0) == 0, facts.st_mode & S_IFMT != S_IFREG {
      throw FileFailure(path: folder.path + "/" + name, reason: "it is not a regular file")
    }
    return try FileDraft(of: name, in: folder)
  }

  /// Writes a file completely or not at all, replacing an existing one.
  ///
  /// - Throws: ``FileFailure``.
  package func write(_ bytes: [UInt8], as relative: String) throws(FileFailure) {
    let draft = try draft(of: relative)
    try draft.append(bytes)
    try draft.finish()
  }

  /// Waits until the folder's names are on disk.
  ///
  /// - Throws: ``FileFailure``.
  package func synchronize() throws(FileFailure) {
    guard fsync(descriptor) == 0 else { throw FileFailure(path: path, code: errno) }
  }

  /// Runs work while this process holds an exclusive lock on the folder, if the file system
  /// supports locks.
  package func exclusively<Value>(_ work: () throws -> Value) throws -> Value {
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    defer { _ = flock(descriptor, LOCK_UN) }
    return try work()
  }
}
