package import ArgumentParser
package import AssayCore
import AssayReview
import AssayStore
import AssayWorkflows
import Synchronization

/// `assay review VIEW|RUN…`: makes a queue, or goes on with it, and serves it.
package struct ReviewStartCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "start",
    abstract: "Put samples in a queue and serve them for correction (the word can be left out).",
    discussion: """
      assay review digits/test --order disagreement
      assay review coco/val2017 --where 'count(person) > 0' --order random --limit 200
      assay review r1 r2 --list

      The samples of a view, or of runs, are put in a queue that is kept: the same question again goes on \
      with what is left, and so does anybody else with the queue's name. What was done has left it. A queue \
      made with --limit is made anew with the next ones by --fresh.

      --order uncertainty: of labels the smallest margin between the two likeliest classes; of masks the mean \
      of two ranks, the map's uncertainty and the distance of the mask's centroid from its box's center; of \
      objects the most detections near the working score. \
      --order disagreement: of one run with the truth: the labels with the smallest probability first \
      (self-confidence; possible errors are counted by confident learning, Northcutt, Jiang, Chuang 2021); \
      masks by (1 - IoU) x (1 - uncertainty); objects by the most confident detection that the truth contradicts, or \
      an object not found of a class that mostly is. Of several runs: those first that they answer \
      differently. A run tells of errors only where it was not trained on these very samples.

      Without --order: a run by uncertainty; a view by the one run over it, by the disagreement of several, \
      or at random where there is none.

      Then a server starts on this computer alone and prints a link to open; Ctrl-C ends it. Every stroke is \
      saved as it is made, beside the catalog, and can be taken back. A name that is several things is \
      written view:NAME, run:NAME or review:NAME.
      """)

  @Argument(help: "A dataset, saved view or part; runs; both; or a queue made before.")
  package var subjects: [String] = []

  @Option(help: "What comes first: uncertainty, disagreement or random.")
  package var order: ReviewOrder?

  @Option(help: ArgumentHelp("The most samples in the queue. Default: all.", valueName: "n"))
  package var limit: Int?

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only samples for which this expression of the view language holds.", valueName: "expr"))
  package var expression: String?

  @Option(help: ArgumentHelp("What a random order is drawn with.", valueName: "n"))
  package var seed: UInt64 = 0

  @Option(help: "The queue's name; built from the subjects and the order unless specified.")
  package var name: String?

  @Flag(help: "Make the queue anew from the samples that are not done yet.")
  package var fresh = false

  @Flag(help: "Go by the truth as people corrected it, in place of the imported one.")
  package var corrected = false

  @OptionGroup package var author: AuthorOptions

  @Flag(help: "Only show the queue; start no server. So does --json.")
  package var list = false

  @Option(
    help: ArgumentHelp("With --list: the most lines, 0 for all. Default: 20.", valueName: "n"))
  package var rows: Int?

  @Option(
    help: ArgumentHelp(
      "The port to listen at. Default: the ledger's own, always the same one.", valueName: "n"))
  package var port: Int?

  @Option(
    help: ArgumentHelp(
      "The address to listen at. Default: 127.0.0.1, which no other computer reaches.",
      valueName: "address"))
  package var host: String?

  @Option(
    help: ArgumentHelp(
      "A further name under which a browser may ask, for a tunnel. May be repeated.",
      valueName: "name"))
  package var allowHost: [String] = []

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1 on") }
    if let rows, rows < 0 { throw ValidationError("--rows takes a number from 0 on") }
    if let word = subjects.first, ["status", "link"].contains(word) {
      throw ValidationError(
        "“\(word)” comes before all options: assay review \(word) …; what is called so is view:\(word) or "
          + "run:\(word)")
    }
    guard rows == nil || list else { throw ValidationError("--rows goes with --list") }
    if let port, !(1...65_535).contains(port) {
      throw ValidationError("--port takes a number in 1...65535")
    }
  }

  package func run() throws {
    try options.perform { progress in
      let author = try ReviewAuthor.checked(author.found.name)
      let path = options.catalogPath
      let ledger = Ledger.path(forCatalog: path)
      let running = try RunningServer.find(ledger: ledger)
      let serves = !list && !options.json
      if serves, let running { throw ReviewServerError.running(running, ledger: ledger) }
      let opened = try CorrectedCatalog.open(
        path, .readWrite, truth: TruthChoice(corrected: corrected), reportingTo: progress)
      let built = try ReviewBuilder(catalog: opened.catalog, progress: progress).review(question)
      let queue = try ReviewQueue(catalog: opened.catalog, review: built.review)
      let result = ReviewQueueResult(
        built: built, queue: queue, classes: try opened.catalog.classNames(of: built.review),
        corrections: opened.corrections.of(built.review.dataset.name),
        rows: rows ?? (list ? 20 : 5), isList: list)
      guard serves, queue.counts.isAnythingToDo else { return AnyResult(result) }
      (progress as? ProgressBar)?.finish()
      try options.printResult(result)
      return AnyResult(ReviewEndResult(summary: try serve(built.review, author: author)))
    }
  }

  private var question: ReviewRequest {
    ReviewRequest(
      subjects, order: order, limit: limit, expression: expression, seed: seed,
      isCorrected: corrected, name: name, isFresh: fresh)
  }

  private func serve(_ review: ReviewRecord, author: String) throws -> ReviewServerSummary {
    var settings = ReviewServerSettings(
      catalogPath: options.catalogPath, review: review.name, author: author)
    settings.port = port
    if let host { settings.host = host }
    settings.allowedHosts = allowHost
    settings.programVersion = Assay.configuration.version
    let options = options
    let failure = Mutex<OutputUnwritable?>(nil)
    let summary = try ReviewServer(settings: settings).run { link in
      do throws(OutputUnwritable) {
        try options.printResult(ReviewLinkResult(link: link, isFirst: true))
      } catch {
        // Nobody can open a link that is not shown.
        failure.withLock { $0 = error }
        Interruption.request()
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return summary
  }
}

extension ReviewOrder: ExpressibleByArgument {}

extension ReviewCounts {
  /// True if the page has something to show that is not settled.
  fileprivate var isAnythingToDo: Bool { left + skipped + unsure + conflicts > 0 }
}

extension Catalog {
  /// The names of a review's classes in the dataset's order.
  func classNames(of review: ReviewRecord) throws -> [String] {
    try taxonomy(of: review.dataset.id).names
  }
}
