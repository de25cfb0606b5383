package import AssayCore
package import AssayStore

/// The plan of a review: the samples, the runs, and the order.
package struct ReviewPlan: Hashable, Sendable {
  package var question: ReviewRequest
  package var order: ReviewOrder
  /// The samples to select from: the view, or the runs' dataset if only runs are given.
  package var selection: Selection
  /// True if a view was given.
  package var hasView: Bool
  /// The runs that determine the order and whose predictions are shown; they have the same dataset
  /// and task.
  package var runs: [RunReference]
  /// Notes on default choices, one sentence each.
  package var remarks: [String]

  /// The task of the runs; `nil` without runs.
  package var task: ModelTask? { runs.first?.run.task }

  package var dataset: DatasetRecord { selection.dataset }

  /// The settings stored with the review: the request, and its plan.
  ///
  /// - Parameter base: the last entry of the ledger that the review is based on.
  func settings(base: Int64) -> JSONValue {
    [
      "asked": question.asked, "meant": meant, "dataset_version": JSONValue(dataset.importVersion),
      "base": .integer(base),
    ]
  }

  /// The plan as JSON. A run that was removed and created again under its name is a different run.
  private var meant: JSONValue {
    let members: JSONValue = [
      "view": hasView ? .string(selection.name) : .null,
      "runs": .array(
        runs.map { ["name": .string($0.name), "made": .string($0.run.createdAt)] }),
      "task": JSONValue(task?.rawValue),
      "order": .string(order.rawValue), "where": JSONValue(question.expression),
      "limit": JSONValue(question.limit),
      "seed": order == .random ? .string(String(question.seed)) : .null,
      "corrected": .bool(question.isCorrected),
    ]
    return members.adding(runs.isEmpty ? question.task : nil).adding(question.sharing)
  }

  /// Returns whether a stored review is for this request.
  func matches(_ review: ReviewRecord) -> Bool {
    guard review.dataset.id == dataset.id, let kept = try? JSONValue(parsing: review.settings)
    else { return false }
    return kept["asked"]?.canonicalText == question.asked.canonicalText
      || kept["meant"]?.canonicalText == meant.canonicalText
  }

  /// The order in words: "lowest confidence of lr first (the smallest margin)".
  package var description: String {
    ReviewPlan.description(order, task: task, runs: runs.map(\.name))
  }
}

extension ReviewPlan {
  static func description(_ order: ReviewOrder, task: ModelTask?, runs: [String]) -> String {
    let by = runs.joined(separator: ", ")
    guard let task else {
      return order == .dataset ? "in the order of the dataset" : "in random order"
    }
    let implementation = Tasks.type(of: task)
    switch order {
    case .random: return "in random order"
    case .dataset: return "in the order of the dataset"
    case .uncertainty: return implementation.uncertaintyWords(by)
    case .disagreement:
      return runs.count == 1
        ? implementation.doubtWords(by) : "largest disagreement between \(by) first"
    }
  }
}

extension ReviewRecord {
  /// The names of the runs that the order depends on, `RUN` or `RUN@EVALUATION`; some may have been
  /// removed since.
  package var runs: [String] {
    (meant?["runs"]?.elements ?? []).compactMap { $0["name"]?.text }
  }

  /// The task of the runs; `nil` without runs.
  package var task: ModelTask? { meant?["task"]?.text.flatMap(ModelTask.init(rawValue:)) }

  /// The task that was requested for the page of a review without runs (`--task`); `nil` for the dataset's.
  package var page: ModelTask? { meant?["page"]?.text.flatMap(ModelTask.init(rawValue:)) }

  /// The requested maximum number of samples; `nil` for all.
  package var limit: Int? { meant?["limit"]?.double.flatMap { Int(exactly: $0) } }

  /// True if it was made with the corrected ground truth.
  package var isCorrected: Bool { meant?["corrected"] == .bool(true) }

  /// The version of the dataset's import that the samples are from.
  var datasetVersion: Int? {
    (try? JSONValue(parsing: settings))?["dataset_version"]?.double.flatMap { Int(exactly: $0) }
  }

  private var meant: JSONValue? { (try? JSONValue(parsing: settings))?["meant"] }

  /// The order in words.
  package var orderDescription: String {
    ReviewPlan.description(order, task: task, runs: runs)
  }
}
