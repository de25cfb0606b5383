import Foundation

/// The port of a ledger's server.
///
/// The browser's outbox belongs to the origin, which includes the port: with another port, unsent
/// strokes would not be found. So a ledger always has the same port.
package enum ReviewPort {
  /// The range is below the ephemeral ports of the systems (Linux from 32768 on,
  /// others from 49152 on).
  private static let range = 20_000..<32_768

  /// Returns 20000 + (the uuid as a 128-bit number) mod 20000, and 12768 less if that is 32768 or
  /// more; `nil` if the text is not a uuid.
  ///
  /// A result below 32768 is kept unchanged because a browser can have unsent
  /// strokes for that port.
  package static func own(of ledger: String) -> Int? {
    guard let uuid = UUID(uuidString: ledger) else { return nil }
    let rest = withUnsafeBytes(of: uuid.uuid) { bytes in
      bytes.reduce(0) { ($0 << 8 | Int($1)) % 20_000 }
    }
    let port = range.lowerBound + rest
    return range.contains(port) ? port : port - range.count
  }

  /// Returns the process that listens on a port of this computer, as `python3 (process 4711)`;
  /// `nil` if it is unknown: this needs Linux's `/proc`, and other users' processes are hidden.
  static func owner(of port: Int) -> String? {
    let sockets = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { listeners(in: $0, at: port) }
    guard !sockets.isEmpty else { return nil }
    let names = Set(sockets.map { "socket:[\($0)]" })
    let files = FileManager.default
    for process in (try? files.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard Int32(process) != nil,
        let open = try? files.contentsOfDirectory(atPath: "/proc/\(process)/fd")
      else { continue }
      let holds = open.contains { number in
        (try? files.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(number)"))
          .map(names.contains) ?? false
      }
      guard holds else { continue }
      let name = (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) ?? ""
      let plain = SystemText.visible(name.trimmingCharacters(in: .whitespacesAndNewlines))
      return "\(plain.isEmpty ? "a program" : plain) (process \(process))"
    }
    return nil
  }

  /// Returns the inodes of the listening sockets; columns as in proc(5): local address,
  /// state (0A for listening).
  private static func listeners(in table: String, at port: Int) -> [Substring] {
    guard let text = try? String(contentsOfFile: table, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").dropFirst().compactMap { line in
      let columns = line.split(separator: " ", omittingEmptySubsequences: true)
      guard columns.count > 9, columns[3] == "0A",
        let digits = columns[1].split(separator: ":").last, Int(digits, radix: 16) == port
      else { return nil }
      return columns[9]
    }
  }
}
