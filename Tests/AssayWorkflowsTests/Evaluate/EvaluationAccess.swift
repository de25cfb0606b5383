import AssayMetrics
import AssayStore

@testable import AssayWorkflows

extension Evaluator {
  /// Evaluates RUN or RUN@EVALUATION.
  func evaluate(
    _ name: String, _ settings: EvaluationSettings
  ) throws -> (evaluation: Evaluation, run: EvaluatedRun<Task>) {
    try evaluate(RunReference(name, in: catalog), settings)
  }
}

/// The details of an evaluation by task; `nil` of another task.
extension Evaluation {
  var classification: ClassificationScores? {
    if case .classification(let scores) = details { scores } else { nil }
  }

  var segmentation: SegmentationDetails? {
    if case .segmentation(let details) = details { details } else { nil }
  }

  var detection: DetectionDetails? {
    if case .detection(let details) = details { details } else { nil }
  }
}
