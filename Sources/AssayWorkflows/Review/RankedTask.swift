/// The order of a review's samples by runs of one task.
package protocol RankedTask: EvaluatedTask {
  /// The samples first that a run is least certain of.
  static func uncertain(_ ranking: ReviewRanker, _ run: RunReference) throws -> RankingResult

  /// The samples first whose ground truth a run contradicts most.
  static func doubtful(_ ranking: ReviewRanker, _ run: RunReference) throws -> RankingResult

  /// The samples first that several runs contradict each other about.
  static func contradicting(_ ranking: ReviewRanker) throws -> RankingResult

  /// The order of ``uncertain(_:_:)`` in words, by the run of this name.
  static func uncertaintyWords(_ run: String) -> String

  /// The order of ``doubtful(_:_:)`` in words, by the run of this name.
  static func doubtWords(_ run: String) -> String
}
