/// How a run of one task is reported.
package protocol ReportedTask: EvaluatedTask {
  /// Whether `--ignore-missing` says anything about the task.
  static var ignoresMissing: Bool { get }

  /// Evaluates a run and renders its report.
  static func report(
    _ reference: RunReference, _ settings: EvaluationSettings, by workflow: ReportWorkflow
  ) throws -> ReportWorkflow.Outcome
}

extension ReportedTask {
  package static var ignoresMissing: Bool { false }
}
