package import ArgumentParser
package import AssayCore
import AssayReview
import AssayStore
import AssayWorkflows

/// `assay review VIEW|RUN…`: creates or continues a queue, and serves it.
package struct ReviewStartCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "start",
    abstract: "Put samples into a queue and serve them for correction (`start` can be omitted).",
    discussion: """
      assay review digits/test --order disagreement
      assay review coco/val2017 --where 'count(person) > 0' --order random --limit 200
      assay review r1 r2 --list
      assay review r1 --assign anna,ben --overlap 0.1
      assay review film --task detection

      The samples of a view, or of runs, are put into a stored queue: the same command again continues \
      with the remaining samples, also for another person with the queue's name. A queue \
      made with --limit is rebuilt with the next samples by --fresh.

      --order uncertainty: labels by the smallest margin between the two most probable classes; sets of labels \
      by the score closest to the threshold of its class; masks by the mean of two ranks, the map's uncertainty and the distance of the mask's centroid from its box's center; \
      objects by the number of detections near the working score. \
      --order disagreement: with one run, against the ground truth: labels by the smallest probability \
      (self-confidence; possible errors are counted by confident learning, Northcutt, Jiang, Chuang 2021); \
      sets of labels by the smallest over the classes, with 1 - p for a class without the label; \
      masks by (1 - IoU) x (1 - uncertainty); objects by the most confident detection that contradicts the ground truth, or \
      a missed object of a class with high recall. With several runs: by how differently they predict. \
      A run finds errors only in samples that it was not trained on.

      --assign divides the queue among people: each gets a part, in turn from the first sample on. --overlap \
      gives a share of it to several people, chosen at random with --seed: each corrects these samples without \
      seeing what the others do (`assay agreement` compares the versions, `assay review consensus` makes one of \
      them).

      Without --order: uncertainty for one run; disagreement for several runs or for a view with runs over it, \
      else random; without runs, the frames of a video keep their order (dataset).

      Then a server starts on this computer only and prints a link to open; Ctrl-C ends it. Every change is \
      saved immediately, beside the catalog, and can be undone. If a server runs already for the catalog, the \
      queue is added to it and a link there is printed; a sample is with one person in all queues. An ambiguous name is \
      written view:NAME, run:NAME or review:NAME.
      """)

  @Argument(help: "A dataset, saved view or part; runs; both; or an existing queue.")
  package var subjects: [String] = []

  @Option(help: "The order: uncertainty, disagreement, random or dataset.")
  package var order: ReviewOrder?

  @Option(
    help: ArgumentHelp(
      "What is labeled, if there is no run: classification, multilabel, segmentation or detection. Default: the task "
        + "of assay import --task, else that of the dataset's annotations."))
  package var task: ModelTask?

  @Option(
    help: ArgumentHelp("The maximum number of samples in the queue. Default: all.", valueName: "n"))
  package var limit: Int?

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only samples that match this expression of the view language.", valueName: "expr"))
  package var expression: String?

  @Option(help: ArgumentHelp("The seed of a random order.", valueName: "n"))
  package var seed: UInt64 = 0

  @Option(help: "The queue's name. Default: derived from the subjects and the order.")
  package var name: String?

  @Flag(help: "Rebuild the queue from the samples that are not done yet.")
  package var fresh = false

  @Flag(help: "Use the corrected ground truth instead of the imported one.")
  package var corrected = false

  @OptionGroup(title: "People") package var sharing: SharingOptions

  @OptionGroup package var author: AuthorOptions

  @Flag(help: "Only show the queue without starting a server; implied by --json.")
  package var list = false

  @Option(
    help: ArgumentHelp(
      "With --list: the maximum number of lines, 0 for all. Default: 20.", valueName: "n"))
  package var rows: Int?

  @OptionGroup package var segmenter: SegmenterOptions

  @OptionGroup package var server: ServerOptions

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more") }
    if let rows, rows < 0 { throw ValidationError("--rows must be 0 or more") }
    if let word = subjects.first, ["status", "link", "assign", "consensus"].contains(word) {
      throw ValidationError(
        "“\(word)” comes before all options: assay review \(word) …; for that name write view:\(word) or "
          + "run:\(word)")
    }
    guard rows == nil || list else { throw ValidationError("--rows needs --list") }
  }

  package func run() throws {
    try options.perform { progress in
      let author = try ReviewAuthor.checked(author.found.name)
      let path = options.catalogPath
      let ledger = Ledger.path(forCatalog: path)
      let running = try RunningServer.find(ledger: ledger)
      let serves = !list && !options.json
      let model = serves && running == nil ? try segmenter.enterChild(catalogPath: path) : nil
      let opened = try CorrectedCatalog.open(
        path, .readWrite, truth: TruthChoice(corrected: corrected), reportingTo: progress)
      let built = try ReviewBuilder(catalog: opened.catalog, progress: progress)
        .review(question())
      let queue = try ReviewQueue(catalog: opened.catalog, review: built.review)
      let result = ReviewQueueResult(
        built: built, queue: queue, classes: try opened.catalog.classNames(of: built.review),
        corrections: opened.corrections.of(built.review.dataset.name),
        rows: rows ?? (list ? 20 : 5), isList: list)
      guard serves, queue.counts.isAnythingToDo else { return AnyResult(result) }
      (progress as? ProgressBar)?.finish()
      try options.printResult(result)
      if let running {
        return AnyResult(
          ReviewLinkResult(
            link: try ReviewLink.mint(ledger: ledger, author: author, review: built.review.name),
            isFirst: false, joined: running))
      }
      var settings = ReviewServerSettings(
        catalogPath: path, review: built.review.name, author: author)
      settings.segmenter = model
      return AnyResult(ReviewEndResult(summary: try server.serve(settings, options)))
    }
  }

  private func question() throws -> ReviewRequest {
    ReviewRequest(
      subjects, order: order, task: task, limit: limit, expression: expression, seed: seed,
      isCorrected: corrected, name: name, isFresh: fresh, sharing: try sharing.sharing())
  }
}

extension ReviewOrder: ExpressibleByArgument {}

extension ReviewCounts {
  /// True if the page has anything unresolved to show.
  fileprivate var isAnythingToDo: Bool { left + skipped + unsure + conflicts > 0 }
}

extension Catalog {
  /// The names of a review's classes in the dataset's order.
  func classNames(of review: ReviewRecord) throws -> [String] {
    try taxonomy(of: review.dataset.id).names
  }
}
