import AssayCore
import Foundation

/// The files that the server keeps next to a ledger.
enum LedgerSideFiles {
  /// Returns `x.ledger.secret` for `x.ledger.db` and `secret`.
  static func path(_ ledger: String, _ ending: String) -> String {
    (ledger.hasSuffix(".db") ? String(ledger.dropLast(3)) : ledger) + "." + ending
  }

  /// Makes a new name in a folder survive a power failure; does nothing on a file system
  /// without support for it.
  static func syncFolder(of path: String) {
    let folder = path.parentFolder
    let file = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return }
    fsync(file)
    close(file)
  }
}

/// The id of this process.
enum ProcessID {
  static var own: Int32 { getpid() }
}

/// System calls and their errors as text.
enum SystemText {
  /// The error number for a port that is in use.
  static let addressInUse = EADDRINUSE

  /// Returns the text of `errno`.
  static func error(_ number: Int32 = errno) -> String { String(cString: strerror(number)) }

  /// Writes a whole text; on failure `errno` has the reason.
  static func write(_ text: String, to file: Int32) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }

  /// Returns a text with its control characters escaped, for logs and messages.
  static func visible(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        out += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}
