/// The report of a run of one task.
package protocol ReportedTask: EvaluatedTask {
  /// True if `--ignore-missing` applies to the task.
  static var ignoresMissing: Bool { get }

  /// Evaluates a run and renders its report.
  static func report(
    _ reference: RunReference, _ settings: EvaluationSettings, by workflow: ReportWorkflow
  ) throws -> ReportWorkflow.Outcome
}

extension ReportedTask {
  package static var ignoresMissing: Bool { false }
}
