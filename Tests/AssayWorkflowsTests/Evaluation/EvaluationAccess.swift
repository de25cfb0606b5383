import AssayCore
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

extension Comparer {
  /// Compares RUN or RUN@EVALUATION with another.
  func compare(
    _ first: String, _ second: String, _ settings: EvaluationSettings
  ) throws -> ComparedRuns<Task.Pairing> {
    let (whole, pairing) = try compare(
      RunReference(first, in: catalog), RunReference(second, in: catalog), settings)
    return ComparedRuns(whole: whole, pairing: pairing)
  }
}

/// A comparison with its details, whose members can be read directly.
@dynamicMemberLookup
struct ComparedRuns<Pairing> {
  let whole: Comparison
  let pairing: Pairing

  var notes: [String] { whole.notes }
  var json: JSONValue { whole.json }

  subscript<Value>(dynamicMember path: KeyPath<Pairing, Value>) -> Value {
    pairing[keyPath: path]
  }
}

/// The details of an evaluation by task; `nil` for another task.
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
