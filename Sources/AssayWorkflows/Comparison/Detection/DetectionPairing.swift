import AssayCore
package import AssayMetrics
package import AssayStore

/// Two detectors on the samples that both have, with the differences of all their scores.
package struct DetectionPairing: TaskPairing {
  /// Both with the samples that both have, in the same order.
  package var first: EvaluatedRun<ObjectDetection>
  package var second: EvaluatedRun<ObjectDetection>
  package var comparison: DetectionComparison
  /// The objects that each detector found and missed.
  package var objects: ObjectChanges

  /// The samples that both have.
  package var samples: [SampleRecord] { first.samples }

  /// The classes that both judge.
  package var classes: [String] { first.content.classes.names }

  /// The settings that both were matched with.
  package var matching: DetectionSettings { first.content.matching }

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

  package var wrapped: ComparisonDetails { .detection(self) }

  package var differences: Differences {
    Differences(
      DetectionComparison.kinds + [.ece15],
      DetectionComparison.classKinds + ErrorScores.classKinds.filter { $0 != .support },
      names: classes, isNamed: true, overall: { comparison[$0] },
      perClass: { comparison.perClass($0) })
  }

  package var changes: (lost: Int, won: Int) { (lost.count, won.count) }
}
