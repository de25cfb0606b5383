package import AssayMetrics
package import AssayStore

/// A run's samples with their pixels counted against the truth: what every score, slice and comparison of
/// masks is a reduction of.
package struct SegmentedRun: Sendable {
  package var run: RunRecord
  /// The stored evaluation that it was read from; `nil` where it was judged just now.
  package var evaluation: EvaluationRecord?
  /// With the threshold that the masks were made with.
  package var settings: EvaluationSettings
  package var recipe: SegmentationRecipe
  package var classes: SegmentationClasses
  /// In the order of the run.
  package var samples: [SampleRecord]
  /// The counts of each sample, in the same order.
  package var tally: SegmentationTally
  /// Of each sample what is no score.
  package var traits: [SampleTraits]
  package var leftOut: JudgedRun.LeftOut
  /// For each threshold of a sweep the counts of all samples, boundaries apart.
  package var sweep: [(threshold: Double, tally: SegmentationTally)] = []

  /// `r1`, or `r1@strict` where it was read from a stored evaluation.
  package var name: String { run.name + (evaluation.map { "@\($0.name)" } ?? "") }

  /// Some of the samples, given by their indices.
  package func selecting(_ indices: [Int]) -> SegmentedRun {
    var part = self
    part.samples = indices.map { samples[$0] }
    part.tally = tally.selecting(indices)
    part.traits = indices.map { traits[$0] }
    part.sweep = sweep.map { ($0.threshold, $0.tally.selecting(indices)) }
    return part
  }
}

/// What is known of a sample's prediction besides its scores.
package struct SampleTraits: Sendable, Hashable {
  /// How undecided the model is, in 0 (sure) ... 1 (every pixel at ½); `nil` where nobody knows.
  package var unsureness: Double?
  /// The distance between the predicted pixels' centre of mass and the centre of their box, as a share of
  /// the
  package var centreOffset: Double?

  package init(unsureness: Double? = nil, centreOffset: Double? = nil) {
    self.unsureness = unsureness
    self.centreOffset = centreOffset
  }
}
