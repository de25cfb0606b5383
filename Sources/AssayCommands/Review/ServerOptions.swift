package import ArgumentParser
import AssayReview
import AssayWorkflows
import Synchronization

/// The address of a server for the browser.
package struct ServerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The port to listen on. Default: derived from the ledger, always the same.", valueName: "n"))
  package var port: Int?

  @Option(
    help: ArgumentHelp(
      "The address to listen on. Default: 127.0.0.1, which other computers cannot reach.",
      valueName: "address"))
  package var host: String?

  @Option(
    help: ArgumentHelp(
      "An additional host name that is accepted, for a tunnel. May be repeated.",
      valueName: "name"))
  package var allowHost: [String] = []

  package init() {}

  package func validate() throws {
    if let port, !(1...65_535).contains(port) {
      throw ValidationError("--port must be in 1...65535")
    }
  }

  /// Serves until an interrupt, and prints the first link.
  ///
  /// - Parameters:
  ///   - settings: with what to serve, and for whom.
  ///   - onLink: called with the link once it is printed.
  /// - Throws: the errors of `ReviewServer`; ``OutputUnwritable``.
  @discardableResult
  func serve(
    _ settings: ReviewServerSettings, _ options: GlobalOptions,
    onLink: @escaping @Sendable (ReviewLink) -> Void = { _ in }
  ) throws -> ReviewServerSummary {
    var settings = settings
    settings.port = port
    if let host { settings.host = host }
    settings.allowedHosts = allowHost
    settings.programVersion = ProgramVersion.number
    let failure = Mutex<OutputUnwritable?>(nil)
    let summary = try ReviewServer(settings: settings).run { link in
      do throws(OutputUnwritable) {
        try options.printResult(ReviewLinkResult(link: link, isFirst: true))
        onLink(link)
      } catch {
        // A link that cannot be printed is of no use: nobody could open it.
        failure.withLock { $0 = error }
        Interruption.request()
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return summary
  }
}
