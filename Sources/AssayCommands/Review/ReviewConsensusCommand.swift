package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay review consensus`: makes one ground truth of independent versions.
package struct ReviewConsensusCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "consensus",
    abstract: "Accept what people agree on in shared samples, and queue the rest.",
    discussion: """
      A shared sample whose people all have finished is decided: equal versions are accepted, and so is a \
      version that more than half of the people share; in datasets with sets of labels also the labels that \
      more than half gave. The entry names the versions that it rests on, and these stay in the ledger. All other \
      samples go to the review NAME-adjudication, which shows the versions side by side. Objects are equal if \
      they match one to one with an IoU of --iou or more and have the same fields; the first version is taken. A \
      sample that a person marked as unsure or skipped is not decided by equality.
      """)

  @Argument(help: "The review. Default: the only one.")
  package var name: String?

  @Option(
    help: ArgumentHelp(
      "The minimum IoU of equal objects; 1 for the same pixels. Default: 0.9.", valueName: "iou"))
  package var iou: Double?

  @Flag(help: "Only say what would be decided.")
  package var dryRun = false

  @OptionGroup package var author: AuthorOptions

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    if let iou, !(iou > 0 && iou <= 1) {
      throw ValidationError("--iou must be above 0 and at most 1")
    }
  }

  package func run() throws {
    try options.perform { progress in
      let opened = try OpenedReview(
        name, in: options.catalogPath, .readWrite, create: true, reportingTo: progress)
      let consensus = ReviewConsensus(
        opened.queue, opened.desk, iou: iou ?? ReviewConsensus.usualIoU)
      let plan = try consensus.plan(progress: progress)
      let queue =
        dryRun ? nil : try consensus.record(plan, author: author.found.name, progress: progress)
      return ReviewConsensusResult(
        review: opened.queue.review, plan: plan, queue: queue, isDryRun: dryRun)
    }
  }
}

/// The result of `assay review consensus`.
struct ReviewConsensusResult: CommandResult {
  var review: ReviewRecord
  var plan: ReviewConsensus.Plan
  /// The review of the samples that somebody has to decide; `nil` for none.
  var queue: ReviewRecord?
  var isDryRun: Bool

  var json: JSONValue {
    [
      "review": .string(review.name), "dry_run": .bool(isDryRun),
      "shared": JSONValue(plan.shared), "equal": JSONValue(plan.equal),
      "majority": JSONValue(plan.majority), "decided_before": JSONValue(plan.decided),
      "waiting": JSONValue(plan.waiting), "adjudication": JSONValue(queue?.name),
      "to_adjudicate": .array(
        plan.open.map { ["key": .string($0.sample.key), "versions": .string($0.reason)] }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    var table = TextTable([("shared samples", .left), ("", .right)])
    table.add(["equal versions, accepted", "\(plan.equal)"])
    table.add(["version of the majority, accepted", "\(plan.majority)"])
    table.add(["to be decided by a person", "\(plan.open.count)"])
    table.add(["not finished by all", "\(plan.waiting)"])
    table.add(["decided before", "\(plan.decided)"])
    var blocks = [
      "review \(Terminal.safe(review.name))" + (isDryRun ? " (nothing was saved)" : ""),
      table.text(in: terminal),
    ]
    if !plan.open.isEmpty {
      var list = TextTable([("key", .path), ("versions", .left)])
      for open in plan.open.prefix(10) { list.add([open.sample.key, open.reason]) }
      blocks.append(
        list.text(in: terminal)
          + (plan.open.count > 10 ? "\n… and \(plan.open.count - 10) more" : ""))
    }
    if let queue {
      blocks.append("next: assay review \(Terminal.safe(queue.name)) --author NAME")
    } else if plan.waiting > 0 {
      blocks.append("next: assay review status \(Terminal.safe(review.name))")
    }
    return blocks.joined(separator: "\n\n")
  }
}
