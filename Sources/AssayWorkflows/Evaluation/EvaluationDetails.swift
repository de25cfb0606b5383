package import AssayCore
package import AssayMetrics
package import AssayStore

/// The part that only evaluations of one task have.
package enum EvaluationDetails: Sendable {
  case classification(ClassificationScores)
  case segmentation(SegmentationDetails)
  case detection(DetectionDetails)
  case multiLabel(MultiLabelDetails)

  /// The details of whichever task it is.
  package var own: any TaskDetails {
    switch self {
    case .classification(let scores): scores
    case .segmentation(let details): details
    case .detection(let details): details
    case .multiLabel(let details): details
    }
  }

  /// The task.
  package var task: ModelTask { own.task }
}

/// The numbers of one set of samples, as the metrics of a task give them.
package protocol TaskScores: Sendable {
  /// Every number under its key.
  var table: ScoreTable { get }

  /// The numbers of a slice in `assay evaluate --json`.
  func members(_ json: ScoreTableJSON) -> [JSONValue.Member]
}

/// The numbers of all samples with what a task has besides.
package protocol TaskDetails: Sendable {
  var task: ModelTask { get }

  /// Every number under its key.
  var table: ScoreTable { get }

  /// As one of all tasks' details.
  var wrapped: EvaluationDetails { get }

  /// The members of `assay evaluate --json` between `task` and `settings`.
  func members(_ json: ScoreTableJSON, _ settings: EvaluationSettings) -> [JSONValue.Member]

  /// One row per sample with its numbers, undefined ones empty; `nil` where the task has no such table.
  var samplesCSV: String? { get }

  /// The numbers that the catalog keeps besides those of the table and the slices.
  var furtherRecords: [ScoreRecord] { get }
}

extension TaskDetails {
  package var samplesCSV: String? { nil }
  package var furtherRecords: [ScoreRecord] { [] }
}
