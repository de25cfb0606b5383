package import ArgumentParser
import AssayCore
import AssayReview
import AssayStore
import AssayWorkflows
import Foundation

/// `assay open`: shows samples and predictions in a browser.
package struct OpenCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Look at samples, their annotations and predictions in a browser.",
    discussion: """
      assay open coco
      assay open coco/val2017 det-a det-b
      assay open r1 --where 'run(r1).correct = false'
      assay open film --corrected                # what people labeled and corrected
      assay open                                 # all datasets of the catalog

      The page shows the samples of a view as a grid, with the ground truth and the predictions of runs drawn over \
      them. Every selection is an expression of the view language, which the page shows, completes and copies as a \
      command.

      The server is for this computer only and prints a link to open; Ctrl-C ends it. Besides views and tags that are \
      saved on the page, nothing is changed. If a server runs for the same catalog, \
      the command prints a link that opens the same view, runs and query there. An ambiguous name is written view:NAME or run:NAME.
      """)

  @Argument(help: "A dataset, saved view or part, and runs whose predictions are drawn.")
  package var subjects: [String] = []

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Show the samples that match this expression first; the page can change it.",
      valueName: "expression"))
  package var expression: String?

  @Flag(
    help: "Show the corrected ground truth first; the page can change to the imported one.")
  package var corrected = false

  @OptionGroup package var author: AuthorOptions

  @Flag(help: "Open the page in the desktop's browser.")
  package var open = false

  @OptionGroup package var segmenter: SegmenterOptions

  @OptionGroup package var server: ServerOptions

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { progress in
      let author = try ReviewAuthor.checked(author.found.name)
      let path = options.catalogPath
      let model = try segmenter.enterChild(catalogPath: path)
      let start = try BrowseStart(
        subjects, where: expression ?? "", isCorrected: corrected,
        in: CorrectedCatalog.open(
          path, .readOnly, truth: corrected ? .corrected : .imported, reportingTo: progress
        ).catalog)
      let ledger = Ledger.path(forCatalog: path)
      let show: @Sendable (ReviewLink) -> Void = { [open] link in
        if open { DesktopBrowser.show(link.url) }
      }
      if let running = try RunningServer.find(ledger: ledger) {
        let link = try ReviewLink.mint(ledger: ledger, author: author, start: start)
        show(link)
        return AnyResult(
          ReviewLinkResult(link: link, isFirst: false, start: start, joined: running))
      }
      (progress as? ProgressBar)?.finish()
      var settings = ReviewServerSettings(catalogPath: path, review: nil, author: author)
      (settings.start, settings.segmenter) = (start, model)
      try server.serve(settings, options, onLink: show)
      return AnyResult(BrowseEndResult())
    }
  }
}

/// The desktop's browser.
enum DesktopBrowser {
  /// Opens an address, if there is a desktop that can; the printed link is there in any case.
  static func show(_ url: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["xdg-open", url]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try? process.run()
  }
}

/// The end of a server that only browses.
struct BrowseEndResult: CommandResult {
  var json: JSONValue { ["ended": true] }

  func text(in terminal: Terminal) -> String {
    "the server has ended; run the same command to open the page again"
  }
}
