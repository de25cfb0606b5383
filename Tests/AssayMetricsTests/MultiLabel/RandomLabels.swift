import AssayCore

@testable import AssayMetrics

/// Seeded multi-label runs for tests.
enum RandomLabels {
  /// Samples with a few classes each, which are correlated within a sample, and scores that find most of them.
  ///
  /// - Parameters:
  ///   - step: scores are multiples of it, so that many are equal; 0 for distinct scores.
  ///   - share: the share of the samples that have a class.
  static func make(
    count: Int, classes: Int, seed: UInt64, scoreSeed: UInt64? = nil, step: Double = 0,
    share: Double = 0.4, precision: MultiLabelTally.Precision = .single
  ) throws -> MultiLabelTally {
    var random = SplitMix64(seed: seed)
    var scoring = SplitMix64(seed: scoreSeed ?? seed &+ 1_000)
    var (labels, scores) = ([[Int]](), [Double]())
    for _ in 0..<count {
      let many = random.nextUnit() < 0.3
      let own = (0..<classes).filter { _ in
        random.nextUnit() < (many ? min(0.95, share * 1.7) : share * 0.7)
      }
      labels.append(own)
      // Some images are harder for all classes.
      let ease = 0.1 + 0.5 * scoring.nextUnit()
      for category in 0..<classes {
        let score = (scoring.nextUnit() + (own.contains(category) ? ease : 0)) / 1.6
        scores.append(step > 0 ? (score / step).rounded() * step : Double(Float(score)))
      }
    }
    var tally = try MultiLabelTally(classCount: classes, precision: precision)
    try tally.add(labelSets: labels, scores: scores)
    return tally
  }

  /// The scores without intervals at a threshold of 0.5.
  static func plain(_ tally: MultiLabelTally) throws -> MultiLabelScores {
    try MultiLabelScores(
      tally, LabelThresholds(classCount: tally.classCount), ScoringSettings(intervals: nil))
  }
}
