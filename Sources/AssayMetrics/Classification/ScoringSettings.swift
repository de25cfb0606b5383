/// The settings of an evaluation beyond its fixed scores.
package struct ScoringSettings: Sendable, Equatable {
  /// The rule that decides which samples are answered; `nil` leaves the abstention scores undefined.
  package var abstention: AbstentionRule?
  /// The decision whose coverage and selective risk are computed; `nil` leaves both undefined.
  package var decision: AcceptanceRule?
  /// The bootstrap for the intervals; `nil` for no intervals.
  package var intervals: Bootstrap?
  /// The number of threads; the scores do not depend on it.
  package var workers: Int

  package init(
    abstention: AbstentionRule? = nil, intervals: Bootstrap? = Bootstrap(), workers: Int = 1
  ) {
    self.abstention = abstention
    self.intervals = intervals
    self.workers = max(1, workers)
  }
}
