import AssayCore
import AssayMetrics
import AssayStore

/// What is said about rows of scores that are, or are not, divided by their sums.
enum ScoreRows {
  /// Why a row is refused, and what to do.
  ///
  /// - Parameters:
  ///   - sum: of the row, more than 0.
  ///   - largest: its largest score.
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
  /// What a reader has to know beside the numbers.
  var normalizationNotes: [String] { normalizes ? [ScoreRows.normalizedNote] : [] }
}

extension EvaluatedRun {
  /// What a reader has to know beside the numbers: that rows were divided by their sums, now or at import.
  func normalizationNotes(_ settings: EvaluationSettings) -> [String] {
    if settings.normalizes { return ["\(name): \(ScoreRows.normalizedNote)"] }
    return run.isNormalized
      ? ["\(name): each row of scores was divided by its sum at import (--normalize)"] : []
  }
}

extension RunRecord {
  /// Whether its rows were divided by their sums when they were imported.
  var isNormalized: Bool {
    (try? JSONValue(parsing: settings))?["normalized"] == .bool(true)
  }
}
