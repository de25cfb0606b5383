/// The expensive computations on a tally, run in parallel: one per class, and one over the samples.
struct ScoringParts: Sendable {
  /// The scores computed from one class's ranking.
  struct Category: Sendable {
    /// Stored only if a bootstrap needs it.
    var ranking: ClassRanking?
    var auroc: Double?
    var averagePrecision: Double?
  }

  /// The scores computed in one pass over the samples.
  struct Samples: Sendable {
    var calibration: Calibration
    var riskByConfidence: RiskCoverageCurve
    var riskByMargin: RiskCoverageCurve
    /// One value per sample.
    var logLosses: [Double]
    var brierScores: [Double]
  }

  private enum Part: Sendable {
    case samples(Samples)
    case category(Category)
  }

  let samples: Samples
  let categories: [Category]

  init(_ tally: ClassificationTally, keepsRankings: Bool, workers: Int) throws {
    let parts = try IndexedWork.map(tally.classCount + 1, workers: workers) { index -> Part in
      if index == 0 { return .samples(Self.samples(of: tally)) }
      let ranking = ClassRanking(tally, category: index - 1)
      return .category(
        Category(
          ranking: keepsRankings ? ranking : nil, auroc: ranking.auroc,
          averagePrecision: ranking.averagePrecision))
    }
    var categories: [Category] = []
    var samples: Samples?
    for part in parts {
      switch part {
      case .samples(let found): samples = found
      case .category(let found): categories.append(found)
      }
    }
    self.samples = samples ?? Self.samples(of: tally)
    self.categories = categories
  }

  private static func samples(of tally: ClassificationTally) -> Samples {
    let isCorrect = { (index: Int) in tally.truths[index] == tally.predictions[index] }
    return Samples(
      calibration: Calibration(confidences: tally.confidences, isCorrect: isCorrect),
      riskByConfidence: RiskCoverageCurve(scores: tally.confidences, isCorrect: isCorrect),
      riskByMargin: RiskCoverageCurve(scores: tally.margins, isCorrect: isCorrect),
      logLosses: ProbabilityScores.logLosses(tally),
      brierScores: ProbabilityScores.brierScores(tally))
  }
}
