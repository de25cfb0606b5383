package import AssayMetrics
package import AssayStore

/// A run's samples beside their truth: what every score, slice and comparison is a reduction of.
package struct JudgedRun: Sendable {
  /// What of the run is not judged, by number of samples.
  package struct LeftOut: Sendable, Hashable {
    /// Not predicted yet, and could not be predicted.
    package var pending = 0
    package var failed = 0
    /// Without a label.
    package var withoutTruth = 0
    /// Labelled with a class that the run has no scores for.
    package var ofMissingClasses = 0
    /// Images whose size nobody knows.
    package var withoutSize = 0
    /// No longer in the dataset.
    package var retired = 0
    /// Left out by people, by key: rejected, or an image that cannot be used.
    package var byPeople: [String] = []
  }

  package var run: RunRecord
  /// The stored evaluation that it was read from; `nil` where it was judged just now.
  package var evaluation: EvaluationRecord?
  package var settings: EvaluationSettings
  package var join: ClassJoin
  /// In the order of the run.
  package var samples: [SampleRecord]
  /// The true class of each sample, an ordinal of `join.classes`.
  package var truths: [Int]
  /// The scores of each sample, in the order of the run's classes.
  package var scores: [[Float]]
  package var leftOut: LeftOut

  /// `r1`, or `r1@strict` where it was read from a stored evaluation.
  package var name: String { run.name + (evaluation.map { "@\($0.name)" } ?? "") }

  /// The tally, by the classes of the join.
  ///
  /// - Throws: ``EvaluationError`` where scores are no probabilities.
  package func tally() throws -> ClassificationTally {
    try tally(of: Array(samples.indices), classes: join.classes)
  }

  /// The tally of some samples, by a list of classes that holds all of the join's.
  ///
  /// - Throws: ``EvaluationError`` where scores are no probabilities.
  package func tally(of indices: [Int], classes: [String]) throws -> ClassificationTally {
    var tally = try ClassificationTally(
      classCount: classes.count, normalizes: settings.normalizes)
    var ordinals: [String: Int] = [:]
    for (ordinal, name) in classes.enumerated() { ordinals[name] = ordinal }
    let places = join.classes.map { ordinals[$0] ?? 0 }
    let columns = join.columns.map { places[$0] }
    let isIdentity = columns.count == classes.count && columns.elementsEqual(columns.indices)
    var rows: [Float] = []
    rows.reserveCapacity(indices.count * classes.count)
    for index in indices {
      if isIdentity {
        rows += scores[index]
      } else {
        let start = rows.count
        rows += repeatElement(0, count: classes.count)
        for (column, place) in columns.enumerated() { rows[start + place] = scores[index][column] }
      }
    }
    try EvaluationError.naming(
      classes: classes, sample: { samples[indices[$0]].key },
      { () throws(MetricError) in
        try tally.add(truths: indices.map { places[truths[$0]] }, scores: rows)
      })
    return tally
  }
}
