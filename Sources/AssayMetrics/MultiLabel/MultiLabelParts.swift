/// The expensive computations on a multi-label tally, run in parallel.
struct MultiLabelParts: Sendable {
  /// The scores computed from one class's ranking.
  struct Category: Sendable {
    /// Stored only if intervals need it.
    var ranking: ClassRanking?
    var auroc: Double?
    var averagePrecision: Double?
    var bestF1: Double?
    var bestThreshold: Double?
  }

  let columns: LabelColumns
  let categories: [Category]
  let pooled: PooledRanking

  /// - Parameter forIntervals: whether the data that only intervals need is computed and stored.
  /// - Complexity: O(*n* · *k* · log of the classes per sample).
  init(
    _ tally: MultiLabelTally, _ thresholds: LabelThresholds, forIntervals: Bool, workers: Int
  ) throws {
    columns = try LabelColumns(tally, thresholds, workers: workers)
    pooled = try PooledRanking(tally, leavesOut: forIntervals, workers: workers)
    categories = try IndexedWork.map(tally.classCount, workers: workers) { category in
      let ranking = ClassRanking(tally, category: category)
      let best = ranking.best
      return Category(
        ranking: forIntervals ? ranking : nil, auroc: ranking.auroc,
        averagePrecision: ranking.averagePrecision, bestF1: best?.f1,
        bestThreshold: best.map { best in
          tally.withScores { $0[best.sample * tally.classCount + category] }
        })
    }
  }
}
