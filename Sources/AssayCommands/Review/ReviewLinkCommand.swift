package import ArgumentParser
import AssayCore
import AssayReview
import AssayStore
import AssayWorkflows

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
  /// The content of the page of a server that ran before; `nil` for its usual page.
  var start: BrowseStart?
  /// The server that ran before and serves the review from now on; `nil` for none.
  var joined: RunningServer?

  var json: JSONValue {
    .object(
      [
        .init("url", .string(link.url)), .init("author", .string(link.author)),
        .init("expires", .integer(link.expires)),
      ] + (start.map(members) ?? [])
        + (joined.map { [.init("server", .string($0.base))] } ?? []))
  }

  private func members(of start: BrowseStart) -> [JSONValue.Member] {
    [
      .init("view", JSONValue(start.view)), .init("runs", .array(start.runs.map { .string($0) })),
      .init("query", .string(start.expression)), .init("corrected", .bool(start.isCorrected)),
    ]
  }

  var remarks: [String] { link.warning.map { ["warning: \($0)"] } ?? [] }

  func text(in terminal: Terminal) -> String {
    let end =
      isFirst ? "\nCtrl-C ends the server; `assay review link --author NAME` lets others join" : ""
    let joined =
      joined.map { server in
        let subject = start.map { $0.words } ?? "the queue"
        return "\(Terminal.safe(subject)) is served by the running server at \(server.base)\n"
      } ?? ""
    return joined
      + "one-time link for \(Terminal.safe(link.author)):\nnext: \(link.url)\(end)"
  }
}

extension BrowseStart {
  /// The content in words: `coco/val2017 with det-a, where count(person) > 0`.
  fileprivate var words: String {
    guard let view else { return "the catalog" }
    return view + (runs.isEmpty ? "" : " with \(runs.joined(separator: ", "))")
      + (isCorrected ? ", corrected," : "")
      + (expression.isEmpty ? "" : ", where \(expression),")
  }
}
