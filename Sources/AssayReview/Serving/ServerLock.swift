import AssayCore
import Foundation

/// The lock by which one server at a time has a ledger: `x.ledger.server` beside it, locked by `flock`
/// for as long as the process lives, and telling who that is.
///
/// The kernel lets go of the lock with the process, however that ends; what the file says then is stale.
final class ServerLock: Sendable {
  private let path: String
  private let file: Int32

  private static let longestFile = 65_536

  /// Takes the lock and writes down who has it.
  ///
  /// - Throws: ``ReviewServerError/running(_:ledger:)`` where another server has it,
  ///   ``ReviewServerError/lock(path:reason:)``.
  init(ledger: String, server: RunningServer) throws {
    let path = LedgerNeighbour.path(ledger, "server")
    var tries = 0
    while true {
      let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard file >= 0 else {
        throw ReviewServerError.lock(path: path, reason: SystemText.error())
      }
      if flock(file, LOCK_EX | LOCK_NB) == 0, Self.isStill(file, at: path) {
        self.path = path
        self.file = file
        break
      }
      close(file)
      tries += 1
      // Somebody who only asks who has it holds the lock for a moment too.
      if tries < 15 {
        usleep(20_000)
      } else if let other = try Self.holder(path: path) {
        throw ReviewServerError.running(other, ledger: ledger)
      } else if tries > 50 {
        throw ReviewServerError.lock(path: path, reason: "another program keeps it locked")
      }
    }
    try write(server)
  }

  deinit {
    unlink(path)
    close(file)
  }

  private func write(_ server: RunningServer) throws {
    guard ftruncate(file, 0) == 0, SystemText.write(server.json.text() + "\n", to: file) else {
      throw ReviewServerError.lock(path: path, reason: SystemText.error())
    }
  }

  /// Who has the lock; `nil` where nobody does.
  static func holder(path: String) throws -> RunningServer? {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw ReviewServerError.lock(path: path, reason: SystemText.error())
    }
    defer { close(file) }
    for attempt in 0..<20 {
      if flock(file, LOCK_SH | LOCK_NB) == 0 { return nil }
      var bytes = [UInt8](repeating: 0, count: longestFile)
      let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
      guard count >= 0 else {
        throw ReviewServerError.lock(path: path, reason: SystemText.error())
      }
      let text = String(decoding: bytes[..<count], as: UTF8.self)
      if let json = try? JSONValue(parsing: text), let server = RunningServer(json: json) {
        return server
      }
      // Its owner is just writing it.
      if attempt < 19 { usleep(10_000) }
    }
    throw ReviewServerError.lock(path: path, reason: "it is locked and does not say by whom")
  }

  /// Whether the file that was locked is the one under its name: its last owner may have removed it in
  /// between.
  private static func isStill(_ file: Int32, at path: String) -> Bool {
    var locked = stat()
    var named = stat()
    return fstat(file, &locked) == 0 && stat(path, &named) == 0
      && locked.st_ino == named.st_ino && locked.st_dev == named.st_dev
  }
}
