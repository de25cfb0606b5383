package import ArgumentParser
package import AssayCore
import AssayReview
import AssayStore
import AssayWorkflows
import Foundation
import Synchronization

/// `assay open`: shows samples and predictions in a browser.
package struct OpenCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Look at samples, their annotations and predictions in a browser.",
    discussion: """
      assay open coco
      assay open coco/val2017 det-a det-b
      assay open                                 # all datasets of the catalog

      The page shows the samples of a view as a grid, with the ground truth and the predictions of runs drawn over \
      them. Every selection is an expression of the view language, which the page shows, completes and copies as a \
      command.

      The server is for this computer only and prints a link to open; Ctrl-C ends it. Besides views that are saved on \
      the page, nothing is changed. If a review server runs for the same catalog, its page shows the samples, too, and \
      the command prints a link to it. An ambiguous name is written view:NAME or run:NAME.
      """)

  @Argument(help: "A dataset, saved view or part, and runs whose predictions are drawn.")
  package var subjects: [String] = []

  @OptionGroup package var author: AuthorOptions

  @Flag(help: "Open the page in the desktop's browser.")
  package var open = false

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

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    if let port, !(1...65_535).contains(port) {
      throw ValidationError("--port must be in 1...65535")
    }
  }

  package func run() throws {
    try options.perform { progress in
      let author = try ReviewAuthor.checked(author.found.name)
      let path = options.catalogPath
      let start = try self.start(
        in: CorrectedCatalog.open(path, .readOnly, reportingTo: progress).catalog)
      let ledger = Ledger.path(forCatalog: path)
      if try RunningServer.find(ledger: ledger) != nil {
        let link = try ReviewLink.mint(ledger: ledger, author: author)
        show(link)
        return AnyResult(ReviewLinkResult(link: link, isFirst: false))
      }
      (progress as? ProgressBar)?.finish()
      return AnyResult(BrowseEndResult(summary: try serve(start, author: author)))
    }
  }

  /// The view and the runs that the page shows first.
  ///
  /// - Throws: `StoreError` for a name that is neither a view nor a run; ``OpenError``.
  private func start(in catalog: Catalog) throws -> BrowseStart {
    var start = BrowseStart()
    for subject in subjects {
      let isRun = subject.hasPrefix("run:")
      let isView = subject.hasPrefix("view:")
      let name =
        isRun ? String(subject.dropFirst(4)) : isView ? String(subject.dropFirst(5)) : subject
      if !isView, let run = try catalog.findRun(named: name) {
        start.runs.append(run.name)
        continue
      }
      guard !isRun else {
        _ = try catalog.run(named: name)
        continue
      }
      _ = try catalog.resolve(name)
      if let other = start.view { throw OpenError.twoViews(other, name) }
      start.view = name
    }
    if start.view == nil, let run = start.runs.first {
      start.view = try catalog.run(named: run).dataset.name
    }
    if let view = start.view {
      let dataset = try catalog.resolve(view).dataset
      for run in start.runs {
        let other = try catalog.run(named: run).dataset
        guard other.id == dataset.id else {
          throw OpenError.otherDataset(run: run, of: other.name, view: view)
        }
      }
    }
    return start
  }

  private func serve(_ start: BrowseStart, author: String) throws -> ReviewServerSummary {
    var settings = ReviewServerSettings(
      catalogPath: options.catalogPath, review: nil, author: author)
    settings.start = start
    settings.port = port
    if let host { settings.host = host }
    settings.allowedHosts = allowHost
    settings.programVersion = Assay.configuration.version
    let options = options
    let opensBrowser = open
    let failure = Mutex<OutputUnwritable?>(nil)
    let summary = try ReviewServer(settings: settings).run { link in
      do throws(OutputUnwritable) {
        try options.printResult(ReviewLinkResult(link: link, isFirst: true))
        if opensBrowser { DesktopBrowser.show(link.url) }
      } catch {
        // A link that cannot be printed is of no use: nobody could open it.
        failure.withLock { $0 = error }
        Interruption.request()
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return summary
  }

  private func show(_ link: ReviewLink) {
    if open { DesktopBrowser.show(link.url) }
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

/// Subjects that cannot be shown together.
enum OpenError: Error, Hashable, CustomStringConvertible {
  case twoViews(String, String)
  case otherDataset(run: String, of: String, view: String)

  var description: String {
    switch self {
    case .twoViews(let first, let second):
      "“\(first)” and “\(second)” are both views; the page shows one at a time, and can change to another"
    case .otherDataset(let run, let dataset, let view):
      "the run \(run) is over the dataset \(dataset), not over \(view); open it by itself: assay open \(run)"
    }
  }
}

/// The end of a server that only browses.
struct BrowseEndResult: CommandResult {
  var summary: ReviewServerSummary

  var json: JSONValue { [:] }

  func text(in terminal: Terminal) -> String { "" }
}
