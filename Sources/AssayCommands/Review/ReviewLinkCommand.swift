package import ArgumentParser
import AssayCore
import AssayReview
import AssayStore

/// `assay review link`: lets another person into a review that runs.
package struct ReviewLinkCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "link",
    abstract: "Make a link with which another person joins a review that runs.",
    discussion: """
      The link opens the page once, under the author's name, and holds for a day: give it to nobody \
      else. Whoever has opened it stays in for 30 days in that browser, server restarts included.
      """)

  @Argument(help: "The review; the running one unless specified.")
  package var name: String?

  @Option(help: "Who the link is for.")
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
        throw ReviewLinkError.otherReview(name, running: running.review)
      }
      return ReviewLinkResult(
        link: try ReviewLink.mint(ledger: ledger, author: author), isFirst: false)
    }
  }
}

/// The reasons why there is no link.
enum ReviewLinkError: Error, Hashable, CustomStringConvertible {
  /// No server runs, and the review that could be served.
  case notRunning(review: String?)
  /// Another review is served.
  case otherReview(String, running: String)

  var description: String {
    switch self {
    case .notRunning(let review):
      "no review's server runs here; start one with `assay review \(review ?? "VIEW") --author NAME`, "
        + "which prints a link"
    case .otherReview(let name, let running):
      "the server that runs serves “\(running)”, not “\(name)”; leave the name out, or stop that server "
        + "and start `assay review \(name)`"
    }
  }
}

/// A link for one person.
struct ReviewLinkResult: CommandResult {
  var link: ReviewLink
  /// True if the server has just started.
  var isFirst: Bool

  var json: JSONValue {
    [
      "url": .string(link.url), "author": .string(link.author), "expires": .integer(link.expires),
    ]
  }

  var remarks: [String] { link.exposure.map { ["warning: \($0)"] } ?? [] }

  func text(in terminal: Terminal) -> String {
    let end =
      isFirst ? "\nCtrl-C ends the server; `assay review link --author NAME` lets others in" : ""
    return "for \(Terminal.safe(link.author)), opens once:\nnext: \(link.url)\(end)"
  }
}
