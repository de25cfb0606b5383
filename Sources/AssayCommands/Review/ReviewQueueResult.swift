import AssayCore
import AssayReview
import AssayStore
import AssayWorkflows

/// The queue that `assay review` prints; with `--list` its remaining samples.
struct ReviewQueueResult: CommandResult {
  let built: ReviewBuilder.Built
  let queue: ReviewQueue
  /// The dataset's classes.
  let classes: [String]
  let corrections: CorrectionStatus
  /// The maximum number of table rows, 0 for all.
  let rows: Int
  /// True if the queue is only listed.
  let isList: Bool

  private var review: ReviewRecord { built.review }

  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("review", review.summary), .init("resumed", .bool(built.isResumed)),
      .init("counts", queue.counts.json),
      .init("remarks", .array(built.remarks.map { .string($0) })),
    ]
    members += corrections.members
    members.append(
      .init("items", .array(queue.items(from: 0, limit: .max).map { json($0) })))
    return .object(members)
  }

  private func json(_ item: ReviewQueue.Item) -> JSONValue {
    [
      "position": JSONValue(item.position), "key": .string(item.sample.key),
      "split": JSONValue(item.sample.split), "label": JSONValue(label(of: item)),
      "status": .string(item.state.status.rawValue), "conflicts": JSONValue(item.state.conflicts),
      "score": JSONValue(item.score), "reason": .string(item.reason),
    ]
  }

  var remarks: [String] { corrections.remarks }

  func text(in terminal: Terminal) -> String {
    let name = Terminal.safe(review.name)
    let counts = queue.counts
    var head = [
      "review \(name), \(built.isResumed ? "resumed" : "new"): "
        + "\(Counted.text(counts.total, "sample", "samples")) of "
        + "\(Terminal.safe(review.subject)), \(Terminal.safe(review.orderDescription))"
    ]
    head += built.remarks.map(Terminal.safe)
    head.append(counts.text)
    var blocks = [head.joined(separator: "\n")]
    let items = queue.items(from: 0, limit: rows == 0 ? .max : rows, onlyLeft: true)
    if !items.isEmpty { blocks.append(table(items).text(in: terminal)) }
    let more = counts.left - items.count
    if more > 0 { blocks.append("… and \(more) more\(isList ? " (--rows 0 lists all)" : "")") }
    if counts.left == 0 {
      blocks.append(
        "nothing left; --fresh rebuilds the queue from the samples that are not done yet")
    }
    return blocks.joined(separator: "\n\n")
  }

  private func table(_ items: [ReviewQueue.Item]) -> TextTable {
    let hasLabels = items.contains { $0.sample.category != nil }
    let hasScores = items.contains { $0.score != nil }
    var table = TextTable(
      [("#", .right), ("key", .path)] + (hasLabels ? [("label", .left)] : [])
        + (hasScores ? [("score", .right)] : []) + [("why", .left)])
    for item in items {
      var cells = ["\(item.position + 1)", item.sample.key]
      if hasLabels { cells.append(label(of: item) ?? "–") }
      if hasScores { cells.append(Fixed.text(item.score, places: 2)) }
      let started = item.state.status == .started ? "started; " : ""
      let conflict = item.state.conflicts > 0 ? "in conflict; " : ""
      table.add(cells + [started + conflict + item.reason])
    }
    return table
  }

  private func label(of item: ReviewQueue.Item) -> String? {
    item.sample.category.flatMap { classes.indices.contains($0) ? classes[$0] : nil }
  }
}

/// The result of `assay review`, when the server stops.
struct ReviewEndResult: CommandResult {
  var summary: ReviewServerSummary

  var json: JSONValue {
    [
      "saved": JSONValue(summary.saved), "conflicts": JSONValue(summary.conflicts),
      "entry": .integer(summary.sequence),
    ]
  }

  func text(in terminal: Terminal) -> String { summary.kept }
}

extension ReviewCounts {
  /// "12 left (1 started), 40 done, 3 skipped, 1 unsure, 2 left out; 1 in conflict"; counts of 0
  /// are omitted, except for the first two.
  var text: String {
    var parts = ["\(left) left" + (started > 0 ? " (\(started) started)" : ""), "\(done) done"]
    for (count, word) in [(skipped, "skipped"), (unsure, "unsure"), (leftOut, "left out")]
    where count > 0 {
      parts.append("\(count) \(word)")
    }
    return parts.joined(separator: ", ") + (conflicts > 0 ? "; \(conflicts) in conflict" : "")
  }
}

extension ReviewRecord {
  /// The members that every output of a review has.
  var summary: JSONValue {
    [
      "name": .string(name), "dataset": .string(dataset.name), "subject": .string(subject),
      "order": .string(order.rawValue),
      "task": JSONValue((task ?? page ?? LabelingTask.stated(for: dataset))?.rawValue),
      "runs": .array(runs.map { .string($0) }), "where": JSONValue(expression),
      "limit": JSONValue(limit), "seed": .string(String(seed)), "corrected": .bool(isCorrected),
      "created": .string(createdAt),
    ]
  }
}
