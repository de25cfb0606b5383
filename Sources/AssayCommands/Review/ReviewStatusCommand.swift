package import ArgumentParser
import AssayCore
import AssayReview
import AssayStore
import AssayWorkflows

/// `assay review status`: the progress of reviews, without a server.
package struct ReviewStatusCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the progress of a review, by person and day.",
    discussion: """
      Without a name: all reviews, or the only one. A sample counts for the person and the day of the last \
      decision on it. Days are in this computer's time zone (set TZ for another). Corrections are in the \
      ledger beside the catalog; no server is needed, and a running one is not disturbed.
      """)

  @Argument(help: "The review's name.")
  package var name: String?

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { progress in
      let path = options.catalogPath
      let opened = try CorrectedCatalog.open(path, .readOnly, reportingTo: progress)
      let ledgerPath = Ledger.path(forCatalog: path)
      let running = try RunningServer.find(ledger: ledgerPath)
      let reviews = try opened.catalog.reviews()
      let review = try name.map { try opened.catalog.review(named: $0) }
      guard let chosen = review ?? (reviews.count == 1 ? reviews.first : nil) else {
        return AnyResult(
          ReviewListResult(
            reviews: try reviews.map {
              ($0, try ReviewQueue(catalog: opened.catalog, review: $0).counts)
            }, running: running))
      }
      let ledger =
        Ledger.exists(at: ledgerPath) ? try Ledger.open(ledgerPath, .readOnly) : nil
      let queue = try ReviewQueue(catalog: opened.catalog, review: chosen)
      var agreement: AgreementReport?
      if let ledger, queue.hasShared {
        let desk = CorrectionService(catalog: opened.catalog, ledger: ledger)
        try queue.loadVersions(desk)
        agreement = try AgreementReport(AgreementSource(of: queue, desk, progress: progress))
      }
      return AnyResult(
        ReviewStatusResult(
          progress: ReviewProgress(
            queue: queue, activity: try ledger?.activity(in: chosen.dataset.name) ?? []),
          agreement: agreement,
          running: running?.review == chosen.name ? running : nil))
    }
  }
}

/// The result of `assay review status` for one review.
struct ReviewStatusResult: CommandResult {
  var progress: ReviewProgress
  /// The agreement on shared samples; `nil` if there are none.
  var agreement: AgreementReport?
  /// The server that serves it.
  var running: RunningServer?

  private var review: ReviewRecord { progress.review }

  var json: JSONValue {
    [
      "review": review.summary, "counts": progress.counts.json,
      "median_seconds": JSONValue(progress.median), "time_zone": .string(progress.timeZone),
      "by_author_and_day": .array(
        progress.rows.map { row in
          [
            "day": JSONValue(row.day), "author": .string(row.author), "counts": row.counts.json,
            "entries": JSONValue(row.entries), "seconds": JSONValue(row.seconds),
            "median_seconds": JSONValue(row.median),
          ]
        }),
      "parts": .array(parts),
      "next": .string(next), "server": running?.summary ?? .null,
    ]
  }

  /// The parts of the people, with their agreement so far.
  private var parts: [JSONValue] {
    progress.parts.map { part in
      let headline = agreement?.headline(of: part.author)
      return .object(
        (part.json.members ?? []) + [
          .init(
            "agreement",
            headline.map { ["score": .string($0.key.rawValue), "value": .number($0.value)] }
              ?? .null)
        ])
    }
  }

  func text(in terminal: Terminal) -> String {
    let counts = progress.counts
    var head = [
      "review \(Terminal.safe(review.name)): \(Counted.text(counts.total, "sample", "samples")) of "
        + "\(Terminal.safe(review.subject)), \(Terminal.safe(review.orderDescription))",
      counts.text,
    ]
    if let median = progress.median {
      head.append("median \(Fixed.text(median, places: 1)) s per sample")
    }
    var blocks = [head.joined(separator: "\n")]
    if !progress.parts.isEmpty {
      blocks.append(PersonPart.table(progress.parts, agreement: agreement).text(in: terminal))
    }
    if !progress.rows.isEmpty {
      blocks.append(table.text(in: terminal) + "\ndays of \(progress.timeZone)")
    }
    if let running { blocks.append(Terminal.safe(running.text)) }
    blocks.append("next: \(Terminal.safe(next))")
    return blocks.joined(separator: "\n\n")
  }

  /// The command to continue with as another person, or to settle shared samples when all have finished theirs.
  private var next: String {
    let parts = progress.parts
    if parts.contains(where: { $0.shared > 0 }), parts.allSatisfy({ $0.counts.left == 0 }) {
      return "assay review consensus \(review.name)"
    }
    return running == nil
      ? "assay review \(review.name) --author NAME" : "assay review link --author NAME"
  }

  private var table: TextTable {
    let rows = progress.rows
    let kinds: [(String, (ReviewCounts) -> Int)] = [
      ("done", \.done), ("skipped", \.skipped), ("unsure", \.unsure), ("left out", \.leftOut),
      ("started", \.started), ("conflicts", \.conflicts),
    ]
    let shown = kinds.filter { kind in
      kind.0 == "done" || rows.contains { kind.1($0.counts) > 0 }
    }
    var table = TextTable(
      [("day", .left), ("author", .left)] + shown.map { ($0.0, .right) }
        + [("entries", .right), ("minutes", .right), ("median s", .right)])
    for row in rows {
      table.add(
        [row.day ?? "–", row.author.isEmpty ? "–" : row.author]
          + shown.map { "\($0.1(row.counts))" }
          + [
            "\(row.entries)", Fixed.text(row.seconds.map { $0 / 60 }, places: 1),
            Fixed.text(row.median, places: 1),
          ])
    }
    return table
  }
}

/// All reviews of a catalog.
struct ReviewListResult: CommandResult {
  var reviews: [(review: ReviewRecord, counts: ReviewCounts)]
  var running: RunningServer?

  var json: JSONValue {
    [
      "reviews": .array(
        reviews.map { ["review": $0.review.summary, "counts": $0.counts.json] }),
      "server": running?.summary ?? .null,
    ]
  }

  func text(in terminal: Terminal) -> String {
    guard !reviews.isEmpty else {
      return "no review yet; `assay review VIEW` or `assay review RUN` makes one"
    }
    var table = TextTable([
      ("review", .left), ("of", .left), ("order", .left), ("left", .right), ("done", .right),
      ("set aside", .right), ("conflicts", .right), ("created", .left),
    ])
    for (review, counts) in reviews {
      table.add([
        review.name, review.subject, review.order.rawValue, "\(counts.left)", "\(counts.done)",
        "\(counts.skipped + counts.unsure + counts.leftOut)", "\(counts.conflicts)",
        String(review.createdAt.prefix(10)),
      ])
    }
    var blocks = [table.text(in: terminal)]
    if let running { blocks.append(Terminal.safe(running.text)) }
    blocks.append("next: assay review REVIEW --author YOU")
    return blocks.joined(separator: "\n\n")
  }
}

extension RunningServer {
  fileprivate var text: String {
    "\(author) serves \(review ?? "the samples") at \(base) since \(since) (process \(process))"
  }

  fileprivate var summary: JSONValue {
    [
      "author": .string(author), "review": JSONValue(review), "base": .string(base),
      "since": .string(since), "pid": .integer(Int64(process)),
    ]
  }
}
