package import AssayMetrics
package import AssayStore

/// Two runs on the samples that both have, with the differences of all their scores.
package struct RunPairing: Sendable {
  package var first: EvaluatedRun<ImageClassification>
  package var second: EvaluatedRun<ImageClassification>
  /// The samples that both have, in the order of the first run.
  package var samples: [SampleRecord]
  /// The classes of either, the first's in their order, then those that only the second has.
  package var classes: [String]
  /// What both say about these samples.
  package var firstTally: ClassificationTally
  package var secondTally: ClassificationTally
  package var comparison: ClassificationComparison
  /// What a reader has to know beside the numbers, one sentence each.
  package var notes: [String]

  /// The samples that only the first has right, and that only the second has.
  package var lost: [SampleRecord] { comparison.lost.map { samples[$0] } }
  package var won: [SampleRecord] { comparison.won.map { samples[$0] } }
}
