package import AssayStore

/// The run or stored evaluation that RUN or RUN@EVALUATION on a command line refers to.
package struct RunReference: Sendable, Hashable {
  package var run: RunRecord
  /// The stored evaluation; `nil` for the run itself.
  package var evaluation: EvaluationRecord?

  package init(run: RunRecord, evaluation: EvaluationRecord? = nil) {
    self.run = run
    self.evaluation = evaluation
  }

  /// - Parameter name: `r1`, `run:r1` or `r1@strict`.
  /// - Throws: `StoreError` if there is no such run or evaluation.
  package init(_ name: String, in catalog: Catalog) throws {
    let parts = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let plain = String(parts[0].hasPrefix("run:") ? parts[0].dropFirst(4) : parts[0])
    run = try catalog.run(named: plain)
    evaluation =
      parts.count == 2 ? try catalog.evaluation(named: String(parts[1]), of: run) : nil
  }

  /// `r1`, or `r1@strict`.
  package var name: String { run.name + (evaluation.map { "@\($0.name)" } ?? "") }
}
