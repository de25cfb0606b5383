/// The ranking of a review's samples by runs of one task.
package protocol RankedTask: EvaluatedTask {
  /// Ranks the samples by the run's uncertainty, least certain first.
  static func uncertain(_ ranking: ReviewRanker, _ run: RunReference) throws -> RankingResult

  /// Ranks the samples by the disagreement of a run with their ground truth, largest first.
  static func doubtful(_ ranking: ReviewRanker, _ run: RunReference) throws -> RankingResult

  /// Ranks the samples by the disagreement among several runs, largest first.
  static func contradicting(_ ranking: ReviewRanker) throws -> RankingResult

  /// The order of ``uncertain(_:_:)`` in words, for the run with this name.
  static func uncertaintyWords(_ run: String) -> String

  /// The order of ``doubtful(_:_:)`` in words, for the run with this name.
  static func doubtWords(_ run: String) -> String
}
