/// The settings of a review server: what to serve, for whom and where.
package struct ReviewServerSettings: Sendable, Hashable {
  /// The catalog's file; the ledger lies beside it.
  package var catalogPath: String
  /// The stored review's name.
  package var review: String
  /// The author that the first link is for; see ``ReviewAuthor``.
  package var author: String
  /// The address to listen at. Anything but a loopback address is reachable from other computers.
  package var host = "127.0.0.1"
  /// `nil` for the ledger's own, ``ReviewPort/own(of:)``.
  package var port: Int?
  /// Names beyond the loopback's that a `Host` header may carry, `NAME` or `NAME:PORT`: those by which a
  /// tunnel or a proxy is reached.
  package var allowedHosts: [String] = []
  /// True if each request is told on standard error.
  package var logsRequests = false
  /// assay's version, for the page.
  package var programVersion = ""

  package init(catalogPath: String, review: String, author: String) {
    self.catalogPath = catalogPath
    self.review = review
    self.author = author
  }
}
