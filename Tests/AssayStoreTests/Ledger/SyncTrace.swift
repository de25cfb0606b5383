import Foundation

/// The order of writes, disk syncs and acknowledgements in a trace of system calls.
///
/// Made with `strace -f -y -e trace=…`; a line is `PID call(arguments) = result`, and a call that
/// is interrupted by another thread's is split in two.
struct SyncTrace {
  /// The number of acknowledgements: writes of a line that begins with `ACK`.
  private(set) var acknowledged = 0
  /// The number of writes to files in the folder.
  private(set) var written = 0
  /// The writes that were not on disk at an acknowledgement.
  private(set) var violations: [String] = []
  /// The pages that were written to the ledger before its journal was on disk.
  private(set) var unguarded: [String] = []

  private let folder: String
  private var dirty: Set<String> = []

  /// - Parameter folder: the folder of ledger and journal.
  init(_ text: String, folder: String) {
    self.folder = folder
    var unfinished: [Substring: String] = [:]
    for line in text.split(separator: "\n") {
      guard let gap = line.firstIndex(of: " ") else { continue }
      let pid = line[..<gap]
      let call = line[gap...].drop { $0 == " " }
      if call.hasSuffix("<unfinished ...>") {
        unfinished[pid] = String(call.dropLast("<unfinished ...>".count))
      } else if call.hasPrefix("<... "), let end = call.firstRange(of: " resumed>") {
        take((unfinished.removeValue(forKey: pid) ?? "") + call[end.upperBound...])
      } else {
        take(String(call))
      }
    }
  }

  private mutating func take(_ call: String) {
    if call.hasPrefix("write(1"), call.contains("\"ACK ") {
      acknowledged += 1
      violations += dirty.sorted().map { "\($0) at acknowledgement \(acknowledged)" }
      dirty = []
    } else if let match = call.firstMatch(of: #/^p?write(?:64)?\(\d+<([^>]*)>/#) {
      write(String(match.1))
    } else if let match = call.firstMatch(of: #/^f(?:data)?sync\(\d+<([^>]*)>\s*\)\s*= 0/#) {
      dirty.remove(String(match.1))
    } else if let match = call.firstMatch(of: #/^unlink(?:at)?\(.*"([^"]*)".*\)\s*= 0/#) {
      let path = String(match.1)
      guard isOurs(path) else { return }
      dirty.remove(path)
      dirty.insert(folder)
    } else if let match = call.firstMatch(of: #/^openat\([^"]*"([^"]*)", ([A-Z_|]*)/#),
      match.2.contains("O_CREAT"), isOurs(String(match.1)), match.1.hasSuffix("-journal")
    {
      dirty.insert(folder)
    }
  }

  private mutating func write(_ path: String) {
    guard isOurs(path) else { return }
    written += 1
    let journal = path + "-journal"
    if dirty.contains(journal) || (dirty.contains(folder) && !path.hasSuffix("-journal")) {
      unguarded.append(path)
    }
    dirty.insert(path)
  }

  private func isOurs(_ path: String) -> Bool { path.hasPrefix(folder + "/") }
}
