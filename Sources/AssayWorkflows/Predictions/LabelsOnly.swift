import AssayCore
import AssayStore

extension RunRecord {
  /// The member of the settings of a run that has a predicted class per sample and no scores.
  static let labelsOnlyMember = JSONValue.Member(Self.labelsOnlyKey, .bool(true))

  /// The reason why something that needs scores cannot be made of the run.
  func withoutScores(_ what: String) -> PredictionsError { .onlyLabels(run: name, what: what) }
}
