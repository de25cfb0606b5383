/// A link that lets one person into a running review, once.
///
/// The token is in the address's fragment: browsers send that to no server, so that neither a proxy's log
/// nor a `Referer` holds it. The page posts it for a session.
package struct ReviewLink: Sendable, Hashable {
  /// `http://127.0.0.1:31337/#token=…`
  package var url: String
  package var author: String
  /// Until when the token can be exchanged, in seconds since 1970.
  package var expires: Int64
  /// A warning about what other computers can see; `nil` if the server listens on the loopback
  /// only.
  package var warning: String?

  init(sessionIssuer: SessionIssuer, author: String, base: String, warning: String? = nil) {
    let token = sessionIssuer.token(author: author)
    url = "\(base)/#token=\(token.text)"
    expires = token.expires
    self.author = author
    self.warning = warning
  }

  /// Makes a link for another person to a server that runs.
  ///
  /// - Parameter ledger: the ledger's path.
  /// - Throws: ``ReviewServerError/notRunning(ledger:)``, ``ReviewServerError/badAuthor(_:)``, and what
  ///   reading the secret throws.
  package static func mint(ledger: String, author: String) throws -> ReviewLink {
    let author = try ReviewAuthor.checked(author)
    guard let server = try RunningServer.find(ledger: ledger) else {
      throw ReviewServerError.notRunning(ledger: ledger)
    }
    let sessionIssuer = try SessionIssuer(
      ledger: server.ledger, path: LedgerSecret.path(ofLedger: ledger))
    return ReviewLink(sessionIssuer: sessionIssuer, author: author, base: server.base)
  }
}
