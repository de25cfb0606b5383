import AssayCore
import Foundation

/// The lock that allows only one server per ledger at a time: `x.ledger.server` next to the ledger,
/// locked by `flock` for the lifetime of the process. The file describes the process that holds it.
///
/// The kernel releases the lock with the process, however that ends; the file's
/// content is stale then.
final class ServerLock: Sendable {
  private let path: String
  private let file: Int32

  private static let longestFile = 65_536

  /// Acquires the lock and writes its holder to the file.
  ///
  /// - Throws: ``ReviewServerError/running(_:ledger:)`` if another server holds it,
  ///   ``ReviewServerError/lock(path:reason:)``.
  init(ledger: String, server: RunningServer) throws {
    let path = LedgerSideFiles.path(ledger, "server")
    var tries = 0
    while true {
      guard let file = try Self.opened(path, O_RDWR | O_CREAT) else {
        throw ReviewServerError.lock(
          path: path, reason: "it was removed while it was being created")
      }
      if flock(file, LOCK_EX | LOCK_NB) == 0, Self.isStill(file, at: path) {
        self.path = path
        self.file = file
        break
      }
      close(file)
      tries += 1
      // A process that only reads the holder also has the lock for a moment.
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

  /// Returns the server that holds the lock; `nil` if there is none.
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
      // The owner is still writing it.
      if attempt < 499 { usleep(10_000) }
    }
    throw ReviewServerError.lock(path: path, reason: "it is locked and does not name the process")
  }

  /// - Returns: `nil` if the file does not exist.
  /// - Throws: ``ReviewServerError/lock(path:reason:)``, also for a file that
  ///   other users can write.
  private static func opened(_ path: String, _ flags: Int32) throws(ReviewServerError) -> Int32? {
    do throws(OwnedFile.Fault) {
      guard let (file, mode) = try OwnedFile.open(path, flags) else { return nil }
      guard mode & 0o022 == 0 else {
        close(file)
        throw OwnedFile.Fault(
          reason: "other users can write to it (mode \(String(mode, radix: 8)))")
      }
      return file
    } catch {
      throw .lock(path: path, reason: error.reason)
    }
  }

  /// Returns whether the locked file is still the one at the path: its last owner can have removed
  /// it in the meantime.
  private static func isStill(_ file: Int32, at path: String) -> Bool {
    var locked = stat()
    var named = stat()
    return fstat(file, &locked) == 0 && stat(path, &named) == 0
      && locked.st_ino == named.st_ino && locked.st_dev == named.st_dev
  }
}
