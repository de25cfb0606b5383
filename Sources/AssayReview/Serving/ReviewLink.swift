import Foundation

/// A one-time link that lets one person into a running review.
///
/// The token is in the address's fragment: browsers send it to no server, so it appears neither in
/// a proxy's log nor in a `Referer`. The page posts it to get a session.
package struct ReviewLink: Sendable, Hashable {
  /// The address, `http://127.0.0.1:31337/#token=…`.
  package var url: String
  package var author: String
  /// The time until which the token can be exchanged, in seconds since 1970.
  package var expires: Int64
  /// A warning about what other computers can see; `nil` if the server listens only
  /// on the loopback interface.
  package var warning: String?

  /// - Parameter review: the review that the page opens; `nil` for the server's usual page.
  init(
    sessionIssuer: SessionIssuer, author: String, base: String, warning: String? = nil,
    review: String? = nil
  ) {
    let token = sessionIssuer.token(author: author)
    let name = review.flatMap { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) }
    url = "\(base)/#token=\(token.text)" + (name.map { "&queue=\($0)" } ?? "")
    expires = token.expires
    self.author = author
    self.warning = warning
  }

  /// Creates a link for another person to a running server.
  ///
  /// - Parameters:
  ///   - ledger: the ledger's path.
  ///   - review: the review that the page opens; `nil` for the server's usual page.
  /// - Throws: ``ReviewServerError/notRunning(ledger:)``, ``ReviewServerError/badAuthor(_:)``, and what
  ///   reading the secret throws.
  package static func mint(
    ledger: String, author: String, review: String? = nil
  ) throws -> ReviewLink {
    let author = try ReviewAuthor.checked(author)
    guard let server = try RunningServer.find(ledger: ledger) else {
      throw ReviewServerError.notRunning(ledger: ledger)
    }
    let sessionIssuer = try SessionIssuer(
      ledger: server.ledger, path: LedgerSecret.path(ofLedger: ledger))
    return ReviewLink(
      sessionIssuer: sessionIssuer, author: author, base: server.base, review: review)
  }
}
