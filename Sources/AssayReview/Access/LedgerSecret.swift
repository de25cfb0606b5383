import AssayCore
import Foundation

/// The file next to a ledger that lets its sessions survive a restart: 32 random bytes, and the
/// used links. Anyone who can read it can sign in as any author, so only its owner has access.
struct LedgerSecret: Sendable, Hashable {
  /// The secret, 32 bytes.
  var bytes: [UInt8]
  /// The ids of used links, each with the time when the link expires, in seconds since 1970.
  var used: [String: Int64] = [:]

  private static let largestFile = 4 << 20
  /// The number of used links that are always remembered, whatever the clock says.
  static let longestMemory = 10_000

  /// Returns `x.ledger.secret` for `x.ledger.db`.
  static func path(ofLedger ledger: String) -> String { LedgerSideFiles.path(ledger, "secret") }

  /// Reads the file, and creates it if it does not exist.
  ///
  /// - Throws: ``ReviewServerError/secretExposed(path:mode:)`` if other users can read it,
  ///   ``ReviewServerError/secret(path:reason:)``.
  static func open(path: String) throws(ReviewServerError) -> LedgerSecret {
    if let secret = try read(path) { return secret }
    var random = SystemRandomNumberGenerator()
    let fresh = LedgerSecret(bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
    // Creating the link fails if the name exists: of two programs that create the file one
    // succeeds, and both use its file.
    try fresh.write(path) { link($0, path) == 0 || errno == EEXIST }
    guard let secret = try read(path) else {
      throw .secret(path: path, reason: "it was removed while it was being created")
    }
    return secret
  }

  /// Replaces the existing file atomically.
  func replace(path: String) throws(ReviewServerError) {
    try write(path) { rename($0, path) == 0 }
  }

  /// Records that a link was used.
  ///
  /// Expired links are forgotten only beyond ``longestMemory``, those that expire first: if a clock
  /// runs ahead for a while and is then corrected, used links must not become valid again.
  mutating func use(_ link: String, expires: Int64, now: Int64) {
    used[link] = expires
    let surplus = used.count - Self.longestMemory
    guard surplus > 0 else { return }
    for (old, end) in used.sorted(by: { $0.value < $1.value }).prefix(surplus) where end <= now {
      used[old] = nil
    }
  }

  private static func read(_ path: String) throws(ReviewServerError) -> LedgerSecret? {
    let opened: (file: Int32, mode: Int)?
    do {
      opened = try OwnedFile.open(path, O_RDONLY)
    } catch {
      throw .secret(path: path, reason: error.reason)
    }
    guard let (file, mode) = opened else { return nil }
    defer { close(file) }
    guard mode & 0o077 == 0 else { throw .secretExposed(path: path, mode: mode) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .secret(path: path, reason: SystemText.error()) }
    guard status.st_size <= largestFile,
      let data = try? FileHandle(fileDescriptor: file, closeOnDealloc: false).readToEnd(),
      let json = try? JSONValue(parsing: String(decoding: data, as: UTF8.self)),
      let secret = LedgerSecret(json: json)
    else { throw .secret(path: path, reason: "its content is invalid") }
    return secret
  }

  private func write(
    _ path: String, _ place: (String) -> Bool
  ) throws(ReviewServerError) {
    let draft = "\(path).\(getpid()).\(UInt32.random(in: 0 ... .max))"
    let file = Glibc.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .secret(path: path, reason: SystemText.error()) }
    defer { unlink(draft) }
    var reason: String?
    if fchmod(file, 0o600) != 0 || !SystemText.write(json.text() + "\n", to: file)
      || fsync(file) != 0
    {
      reason = SystemText.error()
    }
    close(file)
    if reason == nil, !place(draft) { reason = SystemText.error() }
    if let reason { throw .secret(path: path, reason: reason) }
    LedgerSideFiles.syncFolder(of: path)
  }

  private var json: JSONValue {
    [
      "secret": .string(Hexadecimal.text(bytes)),
      "used": .object(
        used.sorted { $0.key < $1.key }.map { .init($0.key, .integer($0.value)) }),
    ]
  }

  private init?(json: JSONValue) {
    guard let digits = json["secret"]?.text.map({ Array($0.utf8) }), digits.count == 64,
      case .object(let members)? = json["used"]
    else { return nil }
    let bytes = stride(from: 0, to: 64, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
    }
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
    for member in members {
      guard case .integer(let expires) = member.value else { return nil }
      used[member.name] = expires
    }
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }
}
