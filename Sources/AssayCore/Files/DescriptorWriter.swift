import Foundation

/// Writes to open files.
package enum DescriptorWriter {
  /// Writes all bytes at the file's position, also where the system takes a part of them at a time.
  ///
  /// - Parameter path: the path of the file, for the error.
  /// - Throws: ``FileFailure``; some of the bytes can be written then.
  package static func write(
    _ bytes: [UInt8], to descriptor: Int32, path: String
  ) throws(FileFailure) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Foundation.write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileFailure(path: path, code: errno) }
      done += count
    }
  }
}
