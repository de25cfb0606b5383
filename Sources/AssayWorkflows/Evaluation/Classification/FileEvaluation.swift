import AssayFormats
import AssayMetrics

/// Evaluates the scores in one file against the ground truth in another, without a catalog.
package struct FileEvaluation {
  private let truthPath: String
  private let scoresPath: String

  /// - Parameters:
  ///   - truth: a CSV file with a column `truth` or `label`, and optionally a column `sample`.
  ///   - scores: a CSV file with one column per class, and optionally a column `sample`.
  package init(truth: String, scores: String) {
    truthPath = truth
    scoresPath = scores
  }

  /// Reads both files, pairs their rows (by `sample` if both have it, otherwise by order) and
  /// computes the metrics.
  ///
  /// The classes are the columns of the scores in their order, then labels without a column.
  /// Intervals are computed only if the settings request them.
  ///
  /// - Throws: ``EvaluationError``, ``SourceError``, `FormatError`, `MetricError`.
  package func evaluate(_ settings: EvaluationSettings) throws -> Evaluation {
    let truth = try PredictionsCSV.readTruth(try DirectoryTree(truthPath))
    let scores = try PredictionsCSV.read(try DirectoryTree(scoresPath), as: Double.self)
    var settings = settings
    settings.intervals = settings.intervals ?? false
    let pairing = try RowPairing(
      truth: truth, scores: scores, ignoresMissing: settings.ignoresMissing)
    let tally = try pairing.tally(
      scores, normalizes: settings.normalizes,
      ScoreHeader(
        classes: scores.classes, known: truth.labels, place: "the labels in --gt",
        hasKeys: scores.samples != nil))
    let details = try ClassificationScores(tally, settings.scoring(samples: tally.count))
    var evaluation = Evaluation(
      subject: .files(
        truth: truthPath, scores: scoresPath, pairedBySample: pairing.isBySample),
      classes: pairing.classes, details: details, settings: settings)
    evaluation.notes =
      pairing.notes + settings.normalizationNotes
      + Evaluation.intervalNotes(samples: tally.count, settings)
      + IntervalNotes.missing(details.missingIntervals, classes: pairing.classes)
    return evaluation
  }
}
