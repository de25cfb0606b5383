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
    let path = LedgerSideFiles.path(ledger, "server")
    var tries = 0
    while true {
      guard let file = try Self.opened(path, O_RDWR | O_CREAT) else {
        throw ReviewServerError.lock(path: path, reason: "it was removed while it was created")
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
      } else if tries > 500 {
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

  /// The server that has the lock; `nil` if there is none.
  static func holder(path: String) throws -> RunningServer? {
    guard let file = try opened(path, O_RDONLY) else { return nil }
    defer { close(file) }
    for attempt in 0..<500 {
      if flock(file, LOCK_SH | LOCK_NB) == 0 { return nil }
      var bytes = [UInt8](repeating: 0, count: longestFile)
      let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
      guard count >= 0 else {
        throw ReviewServerError.lock(path: path, reason: SystemText.error())
      }
      let text = String(decoding: bytes[..<count], as: UTF8.self)
      if let json = try? JSONValue(parsing: text), let server = RunningServer(json: json) {
        let addresses = ListenAddresses(host: server.host, port: server.port, allowed: [])
        guard (1...65_535).contains(server.port), server.base == addresses.base, addresses.isHere
        else {
          throw ReviewServerError.lock(
            path: path,
            reason: "it names a server at \(SystemText.visible(server.base)), not on this computer")
        }
        return server
      }
      // Its owner is just writing it.
      if attempt < 499 { usleep(10_000) }
    }
    throw ReviewServerError.lock(path: path, reason: "it is locked and does not name the process")
  }

  /// - Returns: `nil` where nothing has the name.
  /// - Throws: ``ReviewServerError/lock(path:reason:)``, also for a file that others may write.
  private static func opened(_ path: String, _ flags: Int32) throws(ReviewServerError) -> Int32? {
    do throws(OwnedFile.Fault) {
      guard let (file, mode) = try OwnedFile.open(path, flags) else { return nil }
      guard mode & 0o022 == 0 else {
        close(file)
        throw OwnedFile.Fault(
          reason: "other users can write it (mode \(String(mode, radix: 8)))")
      }
      return file
    } catch {
      throw .lock(path: path, reason: error.reason)
    }
  }

  /// Returns whether the file that was locked is the one under its name: its last owner may have
  /// removed it in between.
  private static func isStill(_ file: Int32, at path: String) -> Bool {
    var locked = stat()
    var named = stat()
    return fstat(file, &locked) == 0 && stat(path, &named) == 0
      && locked.st_ino == named.st_ino && locked.st_dev == named.st_dev
  }
}
