import AssayCore
import Foundation
import Synchronization

/// Exchanges links for sessions and knows sessions again. Safe to use from several threads.
final class SessionIssuer: Sendable {
  /// The lifetime of a link in seconds: a day.
  static let linkLifetime: Int64 = 86_400

  let ledger: String
  private let path: String
  private let secret: Mutex<LedgerSecret>
  private let links: SignedToken
  private let sessions: SignedToken
  private let pictures: SignedToken
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
    links = SignedToken(secret: secret.bytes, purpose: .link)
    sessions = SignedToken(secret: secret.bytes, purpose: .session)
    pictures = SignedToken(secret: secret.bytes, purpose: .picture)
    self.secret = Mutex(secret)
  }

  /// A token that lets an author in once.
  func token(author: String) -> (text: String, expires: Int64) {
    let expires = now() + Self.linkLifetime
    let link = ReviewSession(author: author, ledger: ledger, expires: expires)
    return (links.sealed(link.json), expires)
  }

  /// A session for a token, which is used up by that: on disk, before this returns.
  ///
  /// - Returns: `nil` for a token that is forged, expired, used, or another ledger's.
  /// - Throws: ``ReviewServerError/secret(path:reason:)`` where the use cannot be written down.
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

  /// The session's token, which the page sends with each request.
  func token(of session: ReviewSession) -> String { sessions.sealed(session.json) }

  /// The session of a token; `nil` for one that is forged, expired, or another ledger's.
  func session(token: String?) -> ReviewSession? {
    token.flatMap { sessions.opened($0) }.flatMap(valid)
  }

  /// Returns whether a token says of itself that it is another ledger's: at one address there may
  /// be the servers of several, one after the other, and the page then waits for its own.
  func isOfAnotherLedger(token: String?) -> Bool {
    guard let token, let claimed = SignedToken.claimed(token).flatMap(ReviewSession.init(json:))
    else {
      return false
    }
    return claimed.ledger != ledger
  }

  /// The address of a picture for an `<img>`, which sends no header: signed for one path and one session.
  ///
  /// It holds until the end of the day after the next change of day (UTC), one to two days, and no longer
  /// than the session. Within a day it stays the same, so that the browser's copy counts.
  func signed(_ path: String, for session: ReviewSession) -> String {
    let day: Int64 = 86_400
    let expires = min((now() / day + 2) * day, session.expires)
    return "\(path)?signature=\(signature(path, expires, session.id))"
  }

  /// The id of the session whose signature lets somebody without a token see the picture at a path; `nil`
  /// for a signature that is forged, expired, another path's, or spelled in another way than it was given.
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
