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

  @Argument(help: "The review. Default: the running one.")
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
      if let name, name != running.review {
        throw ReviewLinkError.otherReview(name, running: running.review ?? "none")
      }
      return ReviewLinkResult(
        link: try ReviewLink.mint(ledger: ledger, author: author), isFirst: false)
    }
  }
}

/// The reasons why there is no link.
enum ReviewLinkError: Error, Hashable, CustomStringConvertible {
  /// No server is running; the review that could be served.
  case notRunning(review: String?)
  /// Another review is being served.
  case otherReview(String, running: String)

  var description: String {
    switch self {
    case .notRunning(let review):
      "no review server is running; start one with `assay review \(review ?? "VIEW") --author NAME`, "
        + "which prints a link"
    case .otherReview(let name, let running):
      "the running server serves “\(running)”, not “\(name)”; omit the name, or stop that server "
        + "and start `assay review \(name)`"
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

  var json: JSONValue {
    .object(
      [
        .init("url", .string(link.url)), .init("author", .string(link.author)),
        .init("expires", .integer(link.expires)),
      ] + (query.map { [.init("query", .string($0))] } ?? []))
  }

  var remarks: [String] { link.warning.map { ["warning: \($0)"] } ?? [] }

  func text(in terminal: Terminal) -> String {
    let end =
      isFirst ? "\nCtrl-C ends the server; `assay review link --author NAME` lets others join" : ""
    let query = query.map { "\nenter this query on the page: \(Terminal.safe($0))" } ?? ""
    return "one-time link for \(Terminal.safe(link.author)):\nnext: \(link.url)\(query)\(end)"
  }
}
