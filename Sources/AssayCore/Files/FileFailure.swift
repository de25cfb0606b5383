import Glibc

/// An error from reading or writing a file or folder, with the system's message.
package struct FileFailure: Error, Hashable, CustomStringConvertible {
  package var path: String
  package var reason: String
  /// The system's error number; 0 if assay itself rejects the operation.
  package var code: Int32

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
    code = 0
  }

  /// - Parameter code: an error number of the system, as in `errno`.
  package init(path: String, code: Int32) {
    self.path = path
    self.code = code
    reason = String(cString: strerror(code))
  }

  package var description: String { "\(path) cannot be written: \(reason)" }
}
