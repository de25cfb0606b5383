package import AssayWorkflows
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

  /// - Parameters:
  ///   - review: the review that the page opens; `nil` for none.
  ///   - start: what the browse page shows; `nil` for the server's usual page.
  init(
    sessionIssuer: SessionIssuer, author: String, base: String, warning: String? = nil,
    review: String? = nil, start: BrowseStart? = nil
  ) {
    let token = sessionIssuer.token(author: author)
    url =
      "\(base)/#token=\(token.text)" + (review.map { "&queue=\(Self.escaped($0))" } ?? "")
      + (start.map(Self.place) ?? "")
    expires = token.expires
    self.author = author
    self.warning = warning
  }

  /// Creates a link for another person to a running server.
  ///
  /// - Parameters:
  ///   - ledger: the ledger's path.
  ///   - review: the review that the page opens; `nil` for none.
  ///   - start: what the browse page shows; `nil` for the server's usual page.
  /// - Throws: ``ReviewServerError/notRunning(ledger:)``, ``ReviewServerError/badAuthor(_:)``, and what
  ///   reading the secret throws.
  package static func mint(
    ledger: String, author: String, review: String? = nil, start: BrowseStart? = nil
  ) throws -> ReviewLink {
    let author = try ReviewAuthor.checked(author)
    guard let server = try RunningServer.find(ledger: ledger) else {
      throw ReviewServerError.notRunning(ledger: ledger)
    }
    let sessionIssuer = try SessionIssuer(
      ledger: server.ledger, path: LedgerSecret.path(ofLedger: ledger))
    return ReviewLink(
      sessionIssuer: sessionIssuer, author: author, base: server.base, review: review,
      start: start)
  }

  /// The members of the fragment that name a view, as in the browse page's own addresses.
  private static func place(of start: BrowseStart) -> String {
    guard let view = start.view else { return "&browse=1" }
    // Names in a list are escaped twice: one can contain a comma.
    let runs = start.runs.map(escaped).joined(separator: ",")
    return "&view=\(escaped(view))"
      + (start.expression.isEmpty ? "" : "&where=\(escaped(start.expression))")
      + (start.isCorrected ? "&truth=corrected" : "")
      + (runs.isEmpty ? "" : "&runs=\(escaped(runs))")
  }

  private static func escaped(_ text: String) -> String {
    let plain = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._")
    return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }
}
