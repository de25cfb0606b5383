package import AssayMetrics
import AssayStore

/// Two classification runs on the samples that both have, with the differences of all their scores.
package struct ClassificationPairing: TaskPairing {
  /// The keys of the samples that both have, in the order of the first run.
  package var keys: [String]
  /// The classes of either, the first's in their order, then those that only the second has.
  package var classes: [String]
  /// The predictions of both runs for these samples.
  package var firstTally: ClassificationTally
  package var secondTally: ClassificationTally
  package var comparison: ClassificationComparison

  package var wrapped: ComparisonDetails { .classification(self) }

  package var differences: Differences {
    Differences(
      ClassificationComparison.kinds, ClassificationComparison.classKinds, names: classes,
      overall: { comparison[$0] }, perClass: { comparison.perClass($0) })
  }

  package var changes: (lost: Int, won: Int) { (comparison.lost.count, comparison.won.count) }
}
