package import AssayMetrics

/// One class of a detector's report.
package struct DetectedClass: Sendable {
  package var name: String
  /// Objects to be found.
  package var truths: Int
  package var ap: Score
  package var ap50: Score
  /// At the working IoU and score.
  package var precision: Score
  package var recall: Score
  package var f1: Score
  /// The largest F1 that any score gives, and the least score with which it is reached.
  package var bestF1: Score
  package var bestThreshold: Score
  /// Its precision over recall at IoU 0.5 and 0.75, or what thresholds there are.
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
