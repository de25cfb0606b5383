import Foundation

/// Reading of whole files with a limit.
enum FileBytes {
  /// The bytes of a regular file.
  ///
  /// - Throws: ``InferenceError/unreadable(path:reason:)`` and
  ///   ``InferenceError/tooLarge(path:limit:)``.
  static func all(of path: String, limit: Int) throws(InferenceError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: reason()) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .unreadable(path: path, reason: reason())
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(
        path: path,
        reason: status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "it is no regular file")
    }
    let size = Int(status.st_size)
    guard size <= limit else { throw .tooLarge(path: path, limit: limit) }
    var failed = false
    // A file that shrinks while it is read gives what was there.
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let taken = read(descriptor, buffer.baseAddress?.advanced(by: count), size - count)
        if taken < 0, errno == EINTR { continue }
        failed = taken < 0
        guard taken > 0 else { return }
        count += taken
      }
    }
    if failed { throw .unreadable(path: path, reason: reason()) }
    return bytes
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
