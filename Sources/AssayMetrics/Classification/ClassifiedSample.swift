/// What an evaluation keeps of one sample: enough for every count, rank and calibration score, so that
/// aggregates, slices and comparisons are reductions over it.
package struct ClassifiedSample: Sendable, Hashable {
  /// The true class's ordinal.
  package var truth: Int
  /// The ordinal of the first largest score.
  package var predicted: Int
  /// The place of the truth when the scores are sorted stably in descending order; 1 is the first.
  package var rank: Int
  /// The largest probability, in 0...1.
  package var confidence: Double
  /// The largest probability less the second largest, in 0...1; the largest where there is one class.
  package var margin: Double

  package init(truth: Int, predicted: Int, rank: Int, confidence: Double, margin: Double) {
    self.truth = truth
    self.predicted = predicted
    self.rank = rank
    self.confidence = confidence
    self.margin = margin
  }

  /// Whether the prediction is the truth.
  package var isCorrect: Bool { truth == predicted }
}
