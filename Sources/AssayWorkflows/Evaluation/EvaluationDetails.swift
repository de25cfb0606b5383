package import AssayCore
package import AssayMetrics
package import AssayStore

/// The task-specific part of an evaluation.
package enum EvaluationDetails: Sendable {
  case classification(ClassificationScores)
  case segmentation(SegmentationDetails)
  case detection(DetectionDetails)
  case multiLabel(MultiLabelDetails)

  /// The details of the evaluation's task.
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

/// The task-specific metrics of one set of samples.
package protocol TaskScores: Sendable {
  /// Every metric under its key.
  var table: ScoreTable { get }

  /// The metrics of a slice in `assay evaluate --json`.
  func members(_ json: ScoreTableJSON) -> [JSONValue.Member]
}

/// The metrics of all samples, and further task-specific details.
package protocol TaskDetails: Sendable {
  var task: ModelTask { get }

  /// Every metric under its key.
  var table: ScoreTable { get }

  /// The details wrapped as ``EvaluationDetails``.
  var wrapped: EvaluationDetails { get }

  /// The members of `assay evaluate --json` between `task` and `settings`.
  func members(_ json: ScoreTableJSON, _ settings: EvaluationSettings) -> [JSONValue.Member]

  /// One row per sample with its metrics, undefined ones empty; `nil` if the task has no such
  /// table.
  var samplesCSV: String? { get }

  /// The numbers that the catalog stores in addition to the table and the slices.
  var furtherRecords: [ScoreRecord] { get }
}

extension TaskDetails {
  package var samplesCSV: String? { nil }
  package var furtherRecords: [ScoreRecord] { [] }
}
