package import AssayCore

/// One finding of `assay check`.
package struct FindingRecord: Hashable, Sendable {
  package var kind: FindingKind
  package var severity: Issue.Severity
  /// The number by which findings of the kind are ordered; `nil` if there is none.
  package var score: Double?
  /// The finding in words, one sentence without the samples' keys.
  package var message: String
  /// The ids of the samples it concerns; empty for a finding about a split.
  package var samples: [Int64]

  package init(
    _ kind: FindingKind, score: Double? = nil, samples: [Int64], _ message: String
  ) {
    self.kind = kind
    severity = kind.row.severity
    self.score = score
    self.message = message
    self.samples = samples
  }
}
