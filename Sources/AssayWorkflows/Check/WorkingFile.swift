import Foundation

/// Records of one length, in a file without a name that the system removes with the process, so that
/// memory does not grow with their number. Reading is safe from several threads.
final class WorkingFile: Sendable {
  private let descriptor: Int32
  private let folder: String
  /// The number of bytes of a record.
  let length: Int

  /// - Throws: ``CheckError/noWorkingFile(path:reason:)``.
  init(length: Int) throws(CheckError) {
    self.length = length
    folder = NSTemporaryDirectory()
    var name = Array((folder + "/assay-check-XXXXXX").utf8CString)
    descriptor = mkstemp(&name)
    guard descriptor >= 0 else {
      throw .noWorkingFile(path: folder, reason: String(cString: strerror(errno)))
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(name)
  }

  deinit { close(descriptor) }

  /// Writes a record.
  ///
  /// - Parameter bytes: ``length`` bytes.
  /// - Throws: ``CheckError/noWorkingFile(path:reason:)``.
  func write(_ bytes: UnsafeRawBufferPointer, at place: Int) throws(CheckError) {
    precondition(bytes.count == length)
    var done = 0
    while done < length {
      let count = pwrite(
        descriptor, bytes.baseAddress?.advanced(by: done), length - done,
        off_t(place * length + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw .noWorkingFile(path: folder, reason: String(cString: strerror(errno)))
      }
      done += count
    }
  }

  /// Reads a record.
  ///
  /// - Parameter bytes: memory for ``length`` bytes.
  /// - Throws: ``CheckError/noWorkingFile(path:reason:)``.
  func read(_ place: Int, into bytes: UnsafeMutableRawBufferPointer) throws(CheckError) {
    precondition(bytes.count == length)
    var done = 0
    while done < length {
      let count = pread(
        descriptor, bytes.baseAddress?.advanced(by: done), length - done,
        off_t(place * length + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw .noWorkingFile(
          path: folder, reason: count < 0 ? String(cString: strerror(errno)) : "it is too short")
      }
      done += count
    }
  }
}
