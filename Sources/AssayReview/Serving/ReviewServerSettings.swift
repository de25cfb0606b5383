package import AssayWorkflows

/// The settings of a review server: what to serve, for whom and where.
package struct ReviewServerSettings: Sendable, Hashable {
  /// The path of the catalog; the ledger is next to it.
  package var catalogPath: String
  /// The name of the stored review; `nil` to only browse.
  package var review: String?
  /// The view and the runs that the browse page shows first.
  package var start = BrowseStart()
  /// Live recognition; `nil` for none.
  package var live: LiveSettings?
  /// The name of the promptable model of the editor; `nil` for none.
  package var segmenter: String?
  /// The author whom the first link is for; see ``ReviewAuthor``.
  package var author: String
  /// The address at which the server listens. Any address except loopback is
  /// reachable from other computers.
  package var host = "127.0.0.1"
  /// The port; `nil` for the ledger's own, ``ReviewPort/own(of:)``.
  package var port: Int?
  /// Names that a `Host` header can have besides the loopback names, `NAME` or `NAME:PORT`: the
  /// names of a tunnel or a proxy.
  package var allowedHosts: [String] = []
  /// True if each request is logged to standard error.
  package var logsRequests = false
  /// The version of assay, for the page.
  package var programVersion = ""

  package init(catalogPath: String, review: String?, author: String) {
    self.catalogPath = catalogPath
    self.review = review
    self.author = author
  }
}
