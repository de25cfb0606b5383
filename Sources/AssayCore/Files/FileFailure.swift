import Glibc

/// Why a file or folder could not be written, in the system's words.
package struct FileFailure: Error, Hashable, CustomStringConvertible {
  package var path: String
  package var reason: String
  /// The system's error number; 0 where assay itself refuses.
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
