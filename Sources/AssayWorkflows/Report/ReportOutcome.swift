package import AssayCore
package import AssayMetrics
package import AssayStore

extension ReportWorkflow {
  /// A finished report and its context.
  package struct Outcome: Sendable {
    package var run: RunRecord
    /// The stored evaluation that it was made from; `nil` if the run was evaluated for the report.
    package var evaluationName: String?
    /// The number of evaluated samples.
    package var count: Int
    /// The headline metrics, most important first.
    package var headline: [(kind: MetricKind, score: Score)]
    /// The files of the report's folder, page first.
    package var files: [(name: String, bytes: [UInt8])]
    /// Further notes for the reader, one sentence each.
    package var notes: [String]
  }
}
