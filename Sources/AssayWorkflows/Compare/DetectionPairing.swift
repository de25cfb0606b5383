import AssayCore
package import AssayMetrics
package import AssayStore

/// Two detectors on the samples that both have, with the differences of all their scores.
package struct DetectionPairing: Sendable {
  /// Both with the samples that both have, in the same order.
  package var first: EvaluatedRun<ObjectDetection>
  package var second: EvaluatedRun<ObjectDetection>
  package var comparison: DetectionComparison
  /// What became of each object.
  package var objects: ObjectChanges
  /// What a reader has to know beside the numbers, one sentence each.
  package var notes: [String]

  /// The samples that both have.
  package var samples: [SampleRecord] { first.samples }

  /// The classes that both judge.
  package var classes: [String] { first.classes.names }

  /// How both were matched.
  package var matching: DetectionSettings { first.matching }

  /// The mistakes of either, of all scores or from the working score on.
  package func errorCounts(
    fromWorkingScore: Bool
  ) -> (first: ErrorCounts, second: ErrorCounts) {
    let score = fromWorkingScore ? matching.workingScore : nil
    return (ErrorCounts(first.errors, from: score), ErrorCounts(second.errors, from: score))
  }

  /// Objects that only the first found, and that only the second did: the surest first.
  package var lost: [ObjectChange] { objects.lost }
  package var won: [ObjectChange] { objects.won }
}
