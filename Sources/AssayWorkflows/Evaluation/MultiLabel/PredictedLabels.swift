package import AssayMetrics
package import AssayStore

/// The labels that a multi-label run predicts at the thresholds of an evaluation, whether or not
/// the dataset has their classes. Drawing, ranking, taking and showing predictions all use this
/// type.
package struct PredictedLabels: Sendable {
  package let run: RunRecord
  /// The thresholds, one per class of the run.
  package let thresholds: LabelThresholds

  /// - Parameter reference: a stored evaluation, for its thresholds; a run, for the threshold 0.5.
  /// - Throws: ``EvaluationError/damagedSettings(run:name:problem:)``, `MetricError`.
  package init(_ reference: RunReference) throws {
    try self.init(
      reference.run,
      reference.evaluation.map { evaluation throws(EvaluationError) in
        try EvaluationSettings(storedIn: evaluation)
      } ?? EvaluationSettings())
  }

  /// - Throws: `MetricError` for a threshold outside of 0...1.
  init(_ run: RunRecord, _ settings: EvaluationSettings) throws(MetricError) {
    self.run = run
    thresholds = try settings.labelThresholds(of: run.classes)
  }

  /// The predicted classes of a sample, as ascending indices into the run's classes.
  ///
  /// - Parameter scores: one score per class of the run.
  package func labels(_ scores: [Float]) -> [Int] { thresholds.predicted(scores) }

  /// Returns whether predicted labels are those of the ground truth among the classes that both the run and the
  /// dataset have, as in an evaluation; `nil` if there is no such class.
  package static func isRight(
    _ predicted: [String], truth: [String], shared: Set<String>
  ) -> Bool? {
    shared.isEmpty ? nil : shared.intersection(truth) == shared.intersection(predicted)
  }

  /// The common threshold; `nil` if the classes have different thresholds.
  package var single: Double? {
    Set(thresholds.values).count == 1 ? thresholds.values.first : nil
  }
}
