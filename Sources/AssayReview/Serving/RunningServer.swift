import AssayCore
import Foundation

/// The server that currently holds a ledger, as recorded in its lock file.
package struct RunningServer: Sendable, Hashable {
  package var process: Int32
  package var host: String
  package var port: Int
  /// The base address of its links, `http://127.0.0.1:31337`.
  package var base: String
  /// The author who started it.
  package var author: String
  /// The review that it serves; `nil` if it only shows samples.
  package var review: String?
  /// The time when it started, `2026-11-21T14:40:05Z`.
  package var since: String
  /// The ledger's uuid.
  package var ledger: String

  /// Returns the server that holds the ledger at this path; `nil` if none is running.
  ///
  /// - Throws: ``ReviewServerError/lock(path:reason:)`` if the lock file cannot be read.
  package static func find(ledger: String) throws -> RunningServer? {
    try ServerLock.holder(path: LedgerSideFiles.path(ledger, "server"))
  }
}

extension RunningServer {
  var json: JSONValue {
    [
      "pid": .integer(Int64(process)), "host": .string(host), "port": .integer(Int64(port)),
      "base": .string(base),
      "author": .string(author), "review": JSONValue(review), "since": .string(since),
      "ledger": .string(ledger),
    ]
  }

  /// - Returns: `nil` if members are missing.
  init?(json: JSONValue) {
    guard case .integer(let process)? = json["pid"], let process = Int32(exactly: process),
      case .integer(let port)? = json["port"], let port = Int(exactly: port),
      let host = json["host"]?.text, let base = json["base"]?.text,
      let author = json["author"]?.text,
      let review = json["review"], let since = json["since"]?.text,
      let ledger = json["ledger"]?.text
    else { return nil }
    self.init(
      process: process, host: host, port: port, base: base, author: author, review: review.text,
      since: since, ledger: ledger)
  }
}
