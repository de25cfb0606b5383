import AssayCore
import Foundation
import Synchronization

/// Exchanges links for sessions and verifies sessions. Safe to use from several threads.
final class SessionIssuer: Sendable {
  /// The lifetime of a link in seconds: one day.
  static let linkLifetime: Int64 = 86_400

  let ledger: String
  private let path: String
  private let secret: Mutex<LedgerSecret>
  private let links: SignedToken
  private let sessions: SignedToken
  private let pictures: SignedToken
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - ledger: the uuid of the ledger.
  ///   - path: the path of the secret file.
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
    links = SignedToken(secret: secret.bytes, purpose: .link)
    sessions = SignedToken(secret: secret.bytes, purpose: .session)
    pictures = SignedToken(secret: secret.bytes, purpose: .picture)
    self.secret = Mutex(secret)
  }

  /// Returns a token that lets an author sign in once.
  func token(author: String) -> (text: String, expires: Int64) {
    let expires = now() + Self.linkLifetime
    let link = ReviewSession(author: author, ledger: ledger, expires: expires)
    return (links.sealed(link.json), expires)
  }

  /// Exchanges a token for a session; the use of the token is recorded on disk before this returns.
  ///
  /// - Returns: `nil` if the token is forged, expired, used, or for another ledger.
  /// - Throws: ``ReviewServerError/secret(path:reason:)`` if the use cannot be recorded.
  func exchange(token: String) throws(ReviewServerError) -> ReviewSession? {
    guard let link = links.opened(token).flatMap(valid) else { return nil }
    let time = now()
    let isFresh = secret.withLock { secret in
      Result { () throws(ReviewServerError) -> Bool in
        guard secret.used[link.id] == nil else { return false }
        var next = secret
        next.use(link.id, expires: link.expires, now: time)
        try next.replace(path: path)
        secret = next
        return true
      }
    }
    guard try isFresh.get() else { return nil }
    return ReviewSession(
      author: link.author, ledger: ledger, expires: time + ReviewSession.lifetime)
  }

  /// Returns the session's token, which the page sends with each request.
  func token(of session: ReviewSession) -> String { sessions.sealed(session.json) }

  /// Returns the session of a token; `nil` if the token is forged, expired, or for another ledger.
  func session(token: String?) -> ReviewSession? {
    token.flatMap { sessions.opened($0) }.flatMap(valid)
  }

  /// Returns whether a token claims to be for another ledger: several ledgers can be served at one
  /// address, one after the other, and the page then waits for its own.
  func isOfAnotherLedger(token: String?) -> Bool {
    guard let token, let claimed = SignedToken.claimed(token).flatMap(ReviewSession.init(json:))
    else {
      return false
    }
    return claimed.ledger != ledger
  }

  /// Returns the address of an image for an `<img>`, which sends no header: signed for one
  /// path and one session.
  ///
  /// It is valid until the end of the day after the next change of day (UTC), one to two days,
  /// and not longer than the session. It does not change within a day, so that the browser can
  /// use its cached copy.
  func signed(_ path: String, for session: ReviewSession) -> String {
    let day: Int64 = 86_400
    let expires = min((now() / day + 2) * day, session.expires)
    return "\(path)?signature=\(signature(path, expires, session.id))"
  }

  /// Returns the id of the session whose signature gives access to the image at a path without a
  /// token; `nil` if the signature is forged, expired, for another path, or spelled differently
  /// than it was issued.
  func signer(of signature: String?, at path: String) -> String? {
    guard let signature, signature.utf8.count <= 128 else { return nil }
    let parts = signature.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let expires = Int64(parts[0]), expires > now(),
      String(expires) == parts[0]
    else { return nil }
    let session = String(parts[1])
    let isSigned = pictures.isCode(
      parts[2], of: Self.signedText(path, expires, session: session))
    return isSigned ? session : nil
  }

  private func signature(_ path: String, _ expires: Int64, _ session: String) -> String {
    "\(expires).\(session)."
      + pictures.code(of: Self.signedText(path, expires, session: session))
  }

  private static func signedText(_ path: String, _ expires: Int64, session: String) -> String {
    "\(path)\n\(expires)\n\(session)"
  }

  private func valid(_ value: JSONValue) -> ReviewSession? {
    guard let session = ReviewSession(json: value), session.ledger == ledger,
      session.expires > now()
    else { return nil }
    return session
  }
}
