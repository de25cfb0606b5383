import Foundation

/// Reads whole files with a size limit.
enum FileBytes {
  /// The bytes of a regular file.
  ///
  /// - Parameter start: the maximum number of bytes to read; all of them if `nil`.
  /// - Throws: ``InferenceError/unreadable(path:reason:)`` and
  ///   ``InferenceError/tooLarge(path:limit:)``.
  static func all(
    of path: String, limit: Int, start: Int? = nil
  ) throws(InferenceError) -> [UInt8] {
    // Without O_NONBLOCK, open would wait for a named pipe before fstat can detect it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: reason()) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .unreadable(path: path, reason: reason())
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(
        path: path,
        reason: status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "it is not a regular file")
    }
    guard Int(status.st_size) <= limit else { throw .tooLarge(path: path, limit: limit) }
    let size = min(Int(status.st_size), start ?? Int.max)
    var failed = false
    // A file that shrinks while it is read yields the bytes that were still there.
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
