import Foundation

/// The files that the server keeps beside a ledger.
enum LedgerSideFiles {
  /// `x.ledger.secret` for `x.ledger.db` and `secret`.
  static func path(_ ledger: String, _ ending: String) -> String {
    (ledger.hasSuffix(".db") ? String(ledger.dropLast(3)) : ledger) + "." + ending
  }

  /// Makes a new name in a folder outlive a power cut; a file system that cannot is left alone.
  static func syncFolder(of path: String) {
    let folder = (path as NSString).deletingLastPathComponent
    let file = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return }
    fsync(file)
    close(file)
  }
}

/// This process to the system.
enum ProcessID {
  static var own: Int32 { getpid() }
}

/// The system's calls, in words.
enum SystemText {
  /// The number of the error that somebody else listens at a port.
  static let addressInUse = EADDRINUSE

  /// The text of `errno`.
  static func error(_ number: Int32 = errno) -> String { String(cString: strerror(number)) }

  /// Writes a whole text; `errno` says why not.
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

  /// A text with its control characters escaped, for logs and messages.
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
