import AssayInference
import AssayMetrics
import AssayStore

extension EvaluatedRun {
  /// The settings with the thresholds of the given decision, or of the one that the run was predicted
  /// with.
  ///
  /// - Throws: ``DecisionError`` for a given decision that is not for this run, `InferenceError`.
  func deciding(
    _ settings: EvaluationSettings, _ scoring: ScoringSettings
  ) throws -> ScoringSettings {
    guard let decision = try decision(settings), decision.method == .clopperPearson,
      !settings.normalizes
    else { return scoring }
    var scoring = scoring
    scoring.decision = decision.acceptance(of: content.evaluatedClasses)
    return scoring
  }

  private func decision(_ settings: EvaluationSettings) throws -> DecisionFile? {
    guard let given = settings.decision else { return try run.ownDecision() }
    try given.check(for: run, file: "the decision")
    return given
  }

  /// Notes on what the decision promises, or on why coverage and selective risk are undefined.
  func decisionNotes(_ settings: EvaluationSettings, in catalog: Catalog) throws -> [String] {
    guard let decision = try decision(settings) else { return [] }
    if settings.normalizes {
      return [
        "the decision is for the scores as they are stored: with --normalize, coverage and selective risk are undefined"
      ]
    }
    guard decision.method == .clopperPearson else {
      return [
        "the decision holds a threshold of prediction sets: assay decide apply \(run.name) gives their coverage"
      ]
    }
    return [decision.note] + decision.overlapNotes(run, where: settings.filter, in: catalog)
  }
}
