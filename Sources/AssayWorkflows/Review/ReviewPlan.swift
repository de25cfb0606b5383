package import AssayCore
package import AssayStore

/// The plan of a review: which samples, by which runs, in which order.
package struct ReviewPlan: Hashable, Sendable {
  package var question: ReviewRequest
  package var order: ReviewOrder
  /// The samples to choose from: the view, or of runs alone their dataset.
  package var selection: Selection
  /// True if a view was named.
  package var hasView: Bool
  /// The runs that determine the order and whose predictions are shown; of one dataset and one
  /// task.
  package var runs: [RunReference]
  /// Remarks about decisions made by default, a sentence each.
  package var remarks: [String]

  /// The task of the runs; `nil` without runs.
  package var task: ModelTask? { runs.first?.run.task }

  package var dataset: DatasetRecord { selection.dataset }

  /// The settings stored with the review: the request, and its plan.
  var settings: JSONValue {
    ["asked": question.asked, "meant": meant, "dataset_version": JSONValue(dataset.importVersion)]
  }

  /// The plan as JSON. A run that was removed and made again under its name is another one.
  private var meant: JSONValue {
    [
      "view": hasView ? .string(selection.name) : .null,
      "runs": .array(
        runs.map { ["name": .string($0.name), "made": .string($0.run.createdAt)] }),
      "task": JSONValue(task?.rawValue),
      "order": .string(order.rawValue), "where": JSONValue(question.expression),
      "limit": JSONValue(question.limit),
      "seed": order == .random ? .string(String(question.seed)) : .null,
      "corrected": .bool(question.isCorrected),
    ]
  }

  /// Returns whether a kept review is the answer to this question.
  func matches(_ review: ReviewRecord) -> Bool {
    guard review.dataset.id == dataset.id, let kept = try? JSONValue(parsing: review.settings)
    else { return false }
    return kept["asked"]?.canonicalText == question.asked.canonicalText
      || kept["meant"]?.canonicalText == meant.canonicalText
  }

  /// The order in words: "the least sure first, by the margin of lr".
  package var description: String {
    ReviewPlan.description(order, task: task, runs: runs.map(\.name))
  }
}

extension ReviewPlan {
  static func description(_ order: ReviewOrder, task: ModelTask?, runs: [String]) -> String {
    let by = runs.joined(separator: ", ")
    guard let task else { return "in random order" }
    let implementation = Tasks.type(of: task)
    switch order {
    case .random: return "in random order"
    case .uncertainty: return implementation.uncertaintyWords(by)
    case .disagreement:
      return runs.count == 1
        ? implementation.doubtWords(by) : "largest disagreement between \(by) first"
    }
  }
}

extension ReviewRecord {
  /// The names of the runs that the order goes by, `RUN` or `RUN@EVALUATION`; some may be gone since.
  package var runs: [String] {
    (meant?["runs"]?.elements ?? []).compactMap { $0["name"]?.text }
  }

  /// The task of the runs; `nil` without runs.
  package var task: ModelTask? { meant?["task"]?.text.flatMap(ModelTask.init(rawValue:)) }

  /// The most samples that were to be taken; `nil` for all.
  package var limit: Int? { meant?["limit"]?.double.flatMap { Int(exactly: $0) } }

  /// True if it was made by the corrected truth.
  package var isCorrected: Bool { meant?["corrected"] == .bool(true) }

  /// The version of the dataset's import that its samples were taken from.
  var datasetVersion: Int? {
    (try? JSONValue(parsing: settings))?["dataset_version"]?.double.flatMap { Int(exactly: $0) }
  }

  private var meant: JSONValue? { (try? JSONValue(parsing: settings))?["meant"] }

  /// The order in words.
  package var orderDescription: String {
    ReviewPlan.description(order, task: task, runs: runs)
  }
}
