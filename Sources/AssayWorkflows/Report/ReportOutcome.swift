package import AssayCore
package import AssayMetrics
package import AssayStore

extension ReportWorkflow {
  /// A finished report and what it is about.
  package struct Outcome: Sendable {
    package var run: RunRecord
    /// The stored evaluation that it was made from; `nil` where the run was judged just now.
    package var evaluationName: String?
    /// The number of samples judged.
    package var count: Int
    /// The numbers at the top of the page, the first one first.
    package var headline: [(kind: MetricKind, score: Score)]
    /// The files of the report's folder, the page first.
    package var files: [(name: String, bytes: [UInt8])]
    /// Further remarks for the reader, one sentence each.
    package var notes: [String]
  }
}
