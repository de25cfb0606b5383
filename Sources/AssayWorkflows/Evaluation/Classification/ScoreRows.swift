import AssayCore
import AssayMetrics
import AssayStore

/// Messages about rows of scores and their normalization.
enum ScoreRows {
  /// Returns the reason why a row is rejected, and the fix.
  ///
  /// - Parameters:
  ///   - sum: the sum of the row, greater than 0.
  ///   - largest: the largest score of the row.
  static func problem(sum: Double, largest: Double) -> String {
    """
    its scores sum to \(ProbabilityRow.text(sum)), not 1; \
    \(ProbabilityRow.guess(sum: sum, largest: largest))
    (\(ProbabilityRow.rule))
    to divide each row by its sum give --normalize
    """
  }

  static let normalizedNote = "each row of scores was divided by its sum (--normalize)"
}

extension EvaluationSettings {
  /// The note that each row of scores was divided by its sum; empty if it was not.
  var normalizationNotes: [String] { normalizes ? [ScoreRows.normalizedNote] : [] }
}

extension EvaluatedRun {
  /// Returns the note that rows were divided by their sums, now or at import; empty if they were
  /// not.
  func normalizationNotes(_ settings: EvaluationSettings) -> [String] {
    if settings.normalizes { return ["\(name): \(ScoreRows.normalizedNote)"] }
    return run.isNormalized
      ? ["\(name): each row of scores was divided by its sum at import (--normalize)"] : []
  }
}

extension RunRecord {
  /// True if the rows were divided by their sums when they were imported.
  var isNormalized: Bool {
    (try? JSONValue(parsing: settings))?["normalized"] == .bool(true)
  }
}
