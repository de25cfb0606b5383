/// The order of a review's samples by runs of one task.
package protocol RankedTask: EvaluatedTask {
  /// The samples first that a run is least certain of.
  static func uncertain(_ ranking: ReviewRanking, _ run: RunReference) throws -> Ranking

  /// The samples first whose ground truth a run contradicts most.
  static func doubtful(_ ranking: ReviewRanking, _ run: RunReference) throws -> Ranking

  /// The samples first that several runs contradict each other about.
  static func contradicting(_ ranking: ReviewRanking) throws -> Ranking

  /// The order of ``uncertain(_:_:)`` in words, by the run of this name.
  static func uncertaintyWords(_ run: String) -> String

  /// The order of ``doubtful(_:_:)`` in words, by the run of this name.
  static func doubtWords(_ run: String) -> String
}
