package import ArgumentParser
import AssayCore
import AssayReview
import AssayStore

/// `assay review link`: prints a link to a running review for another person.
package struct ReviewLinkCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "link",
    abstract: "Make a link for another person to join a running review.",
    discussion: """
      The link works once, under the author's name, and is valid for a day: give it to nobody \
      else. The session lasts 30 days in that browser, across server restarts.
      """)

  @Argument(help: "The review that the link opens. Default: the one the server was started with.")
  package var name: String?

  @Option(help: "The author that the link is for.")
  package var author: String

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { _ in
      let path = options.catalogPath
      let ledger = Ledger.path(forCatalog: path)
      guard let running = try RunningServer.find(ledger: ledger) else {
        let catalog = try Catalog.open(path, .readOnly)
        throw try ReviewLinkError.notRunning(
          review: name ?? catalog.reviews().max { $0.id < $1.id }?.name)
      }
      if let name { _ = try Catalog.open(path, .readOnly).review(named: name) }
      let review = name == running.review ? nil : name
      return ReviewLinkResult(
        link: try ReviewLink.mint(ledger: ledger, author: author, review: review), isFirst: false)
    }
  }
}

/// The reasons why there is no link.
enum ReviewLinkError: Error, Hashable, CustomStringConvertible {
  /// No server is running; the review that could be served.
  case notRunning(review: String?)

  var description: String {
    switch self {
    case .notRunning(let review):
      "no review server is running; start one with `assay review \(review ?? "VIEW") --author NAME`, "
        + "which prints a link"
    }
  }
}

/// A link for one person.
struct ReviewLinkResult: CommandResult {
  var link: ReviewLink
  /// True if this server has just started.
  var isFirst: Bool
  /// The expression to enter on the page of a server that ran before; `nil` for none.
  var query: String?
  /// True to choose the corrected ground truth on that page.
  var isCorrected = false
  /// The server that ran before and serves the review from now on; `nil` for none.
  var joined: RunningServer?

  var json: JSONValue {
    .object(
      [
        .init("url", .string(link.url)), .init("author", .string(link.author)),
        .init("expires", .integer(link.expires)),
      ] + (query.map { [.init("query", .string($0))] } ?? [])
        + (isCorrected ? [.init("corrected", true)] : [])
        + (joined.map { [.init("server", .string($0.base))] } ?? []))
  }

  var remarks: [String] { link.warning.map { ["warning: \($0)"] } ?? [] }

  func text(in terminal: Terminal) -> String {
    let end =
      isFirst ? "\nCtrl-C ends the server; `assay review link --author NAME` lets others join" : ""
    let query = query.map { "\nenter this query on the page: \(Terminal.safe($0))" } ?? ""
    let truth = isCorrected ? "\nchoose Ground truth: corrected on the page" : ""
    let joined = joined.map { "the queue is served by the running server at \($0.base)\n" } ?? ""
    return joined
      + "one-time link for \(Terminal.safe(link.author)):\nnext: \(link.url)\(query)\(truth)\(end)"
  }
}
