import AssayCore
import Foundation

/// Reads and hashes regular files.
enum FileBytes {
  /// The bytes of a regular file.
  ///
  /// - Parameter start: the maximum number of bytes to read; all of them if `nil`.
  /// - Throws: ``InferenceError/unreadable(path:reason:)`` and
  ///   ``InferenceError/tooLarge(path:limit:)``.
  static func all(
    of path: String, limit: Int, start: Int? = nil
  ) throws(InferenceError) -> [UInt8] {
    let (descriptor, length) = try opened(path)
    defer { close(descriptor) }
    guard length <= limit else { throw .tooLarge(path: path, limit: limit) }
    let size = min(length, start ?? Int.max)
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

  /// The last bytes of a regular file, at most `count`.
  ///
  /// - Throws: ``InferenceError/unreadable(path:reason:)``.
  static func tail(of path: String, count: Int) throws(InferenceError) -> [UInt8] {
    let (descriptor, length) = try opened(path)
    close(descriptor)
    var bytes = [UInt8](repeating: 0, count: min(count, length))
    let result: Result<Void, InferenceError> = bytes.withUnsafeMutableBytes { bytes in
      do throws(InferenceError) {
        return .success(try fill(bytes, from: path, at: length - bytes.count))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
    return bytes
  }

  /// The SHA-256 of a regular file of any size, hexadecimal.
  ///
  /// - Throws: ``InferenceError/unreadable(path:reason:)``.
  static func hash(of path: String) throws(InferenceError) -> String {
    let (descriptor, _) = try opened(path)
    defer { close(descriptor) }
    var hash = ContentHash()
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let taken = read(descriptor, &piece, piece.count)
      if taken < 0, errno == EINTR { continue }
      guard taken >= 0 else { throw .unreadable(path: path, reason: reason()) }
      if taken == 0 { return hash.hexadecimal() }
      piece.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<taken])) }
    }
  }

  /// Fills memory with the bytes of a regular file.
  ///
  /// - Throws: ``InferenceError/unreadable(path:reason:)``, also if the file is too short.
  static func fill(
    _ target: UnsafeMutableRawBufferPointer, from path: String, at offset: Int
  ) throws(InferenceError) {
    let (descriptor, _) = try opened(path)
    defer { close(descriptor) }
    var done = 0
    while done < target.count {
      let taken = pread(
        descriptor, target.baseAddress?.advanced(by: done), target.count - done, offset + done)
      if taken < 0, errno == EINTR { continue }
      guard taken > 0 else {
        throw .unreadable(
          path: path, reason: taken < 0 ? reason() : "it has become shorter meanwhile")
      }
      done += taken
    }
  }

  /// A descriptor of a regular file, to be closed, and the file's size in bytes.
  private static func opened(_ path: String) throws(InferenceError) -> (Int32, Int) {
    // Without O_NONBLOCK, open would wait for a named pipe before fstat can detect it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: reason()) }
    var status = stat()
    var reason: String?
    if fstat(descriptor, &status) != 0 {
      reason = self.reason()
    } else if status.st_mode & S_IFMT != S_IFREG {
      reason =
        status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "it is not a regular file"
    }
    if let reason {
      close(descriptor)
      throw .unreadable(path: path, reason: reason)
    }
    return (descriptor, Int(status.st_size))
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
