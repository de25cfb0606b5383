import AssayCore
import Foundation
import Synchronization

/// Exchanges links for cookies and knows cookies again. Safe to use from several threads.
final class Doorkeeper: Sendable {
  /// How long a link holds, in seconds: a day.
  static let linkLifetime: Int64 = 86_400

  let ledger: String
  private let path: String
  private let secret: Mutex<LedgerSecret>
  private let links: Seal
  private let cookies: Seal
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - ledger: the ledger's uuid.
  ///   - path: the secret's file.
  ///   - now: the time in seconds since 1970.
  /// - Throws: as ``LedgerSecret/open(path:)``.
  init(
    ledger: String, path: String,
    now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
  ) throws(ReviewServerError) {
    let secret = try LedgerSecret.open(path: path)
    self.ledger = ledger
    self.path = path
    self.now = now
    links = Seal(secret: secret.bytes, use: .link)
    cookies = Seal(secret: secret.bytes, use: .cookie)
    self.secret = Mutex(secret)
  }

  /// A token that lets an author in once.
  func token(author: String) -> (text: String, expires: Int64) {
    let expires = now() + Self.linkLifetime
    var session = ReviewSession(author: author, ledger: ledger, expires: expires).json
    if case .object(let members) = session {
      session = .object(members + [.init("id", .string(Self.randomID()))])
    }
    return (links.sealed(session), expires)
  }

  /// A session for a token, which is used up by that: on disk, before this returns.
  ///
  /// - Returns: `nil` for a token that is forged, expired, used, or another ledger's.
  /// - Throws: ``ReviewServerError/secret(path:reason:)`` where the use cannot be written down.
  func exchange(token: String) throws(ReviewServerError) -> ReviewSession? {
    guard let value = links.opened(token), let link = valid(value), let id = value["id"]?.text
    else { return nil }
    let time = now()
    let isFresh = secret.withLock { secret in
      Result { () throws(ReviewServerError) -> Bool in
        guard secret.used[id] == nil else { return false }
        var next = secret
        next.used = next.used.filter { $0.value > time }
        next.used[id] = link.expires
        try next.replace(path: path)
        secret = next
        return true
      }
    }
    guard try isFresh.get() else { return nil }
    return ReviewSession(
      author: link.author, ledger: ledger, expires: time + ReviewSession.lifetime)
  }

  /// The cookie's text for a session.
  func cookie(of session: ReviewSession) -> String { cookies.sealed(session.json) }

  /// The session of the first valid cookie among those of the ledger's name; `nil` where there is none.
  ///
  /// - Parameter header: the `Cookie` header. Another program on this host can set a cookie of our name
  ///   too, so that a false one beside the right one must not shut anybody out.
  func session(cookieHeader header: String?) -> ReviewSession? {
    guard let header else { return nil }
    let name = ReviewSession.cookieName(ledger: ledger)
    let texts = header.split(separator: ";").compactMap { pair -> String? in
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == name else { return nil }
      return String(parts[1])
    }
    return texts.prefix(8).lazy.compactMap { [self] in cookies.opened($0).flatMap(valid) }.first
  }

  private func valid(_ value: JSONValue) -> ReviewSession? {
    guard let session = ReviewSession(json: value), session.ledger == ledger,
      session.expires > now()
    else { return nil }
    return session
  }

  private static func randomID() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(UInt64.random(in: 0 ... .max, using: &random), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
