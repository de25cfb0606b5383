package import AssayMetrics

/// One class of a detector's report.
package struct DetectedClass: Sendable {
  package var name: String
  /// The number of ground-truth objects.
  package var truths: Int
  package var ap: Score
  package var ap50: Score
  /// The precision at the working IoU and score.
  package var precision: Score
  package var recall: Score
  package var f1: Score
  /// The largest F1 over all score thresholds, and the smallest threshold that reaches it.
  package var bestF1: Score
  package var bestThreshold: Score
  /// Its precision over recall at IoU 0.5 and 0.75, or at the available thresholds.
  package var curves: [PrecisionRecallLine]

  package init(
    name: String, truths: Int, ap: Score, ap50: Score, precision: Score, recall: Score, f1: Score,
    bestF1: Score, bestThreshold: Score, curves: [PrecisionRecallLine]
  ) {
    self.name = name
    self.truths = truths
    self.ap = ap
    self.ap50 = ap50
    self.precision = precision
    self.recall = recall
    self.f1 = f1
    self.bestF1 = bestF1
    self.bestThreshold = bestThreshold
    self.curves = curves
  }
}
