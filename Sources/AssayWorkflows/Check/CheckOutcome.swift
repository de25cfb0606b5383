package import AssayCore
package import AssayStore

/// The result of a check.
package struct CheckOutcome: Sendable {
  package var request: CheckRequest
  package var dataset: String
  /// The number of samples that were checked.
  package var count: Int
  /// The kinds that were looked for, in the order of the table.
  package var kinds: [FindingKind]
  /// By kind, in the order of the table.
  package var findings: [FindingRecord]
  /// The subjects of findings about one sample, by kind and the sample's row id; none for findings that
  /// are about the whole image.
  package var evidence: [FindingKind: [Int64: FindingEvidence]] = [:]
  /// The samples of the findings and their neighbors, by row id.
  package var samples: [Int64: SampleRecord]
  /// The split of those samples.
  package var splits: [Int64: String]
  /// The labels of those samples in words.
  package var labels: [Int64: String]
  /// Images in several splits; `nil` if there are no splits, or leakage was not looked for.
  package var leakage: LeakageMatrix?
  /// Notes on what was not looked for or not reported, one sentence each.
  package var notes: [String]

  /// The findings of a kind.
  package func findings(of kind: FindingKind) -> [FindingRecord] {
    findings.filter { $0.kind == kind }
  }

  /// The number of different samples in the findings of a kind.
  package func sampleCount(of kind: FindingKind) -> Int {
    findings.reduce(into: Set<Int64>()) { if $1.kind == kind { $0.formUnion($1.samples) } }.count
  }

  /// The subject of a finding about one sample; `nil` if it is about whole images.
  package func evidence(of finding: FindingRecord) -> FindingEvidence? {
    finding.samples.count == 1 ? evidence[finding.kind]?[finding.samples[0]] : nil
  }

  /// The keys of a finding's samples.
  package func keys(of finding: FindingRecord) -> [String] {
    finding.samples.compactMap { samples[$0]?.key }
  }
}
