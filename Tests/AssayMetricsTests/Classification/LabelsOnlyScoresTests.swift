import AssayCore
import Testing

@testable import AssayMetrics

@Suite("Predicted classes without scores")
struct LabelsOnlyScoresTests {
  private func tally(hasProbabilities: Bool) throws -> ClassificationTally {
    var tally = try ClassificationTally(classCount: 3, hasProbabilities: hasProbabilities)
    var random = SplitMix64(seed: 3)
    for _ in 0..<200 {
      let truth = Int.random(in: 0..<3, using: &random)
      let predicted = Int.random(in: 0..<4, using: &random) == 0 ? (truth + 1) % 3 : truth
      try tally.add(truth: truth, scores: (0..<3).map { $0 == predicted ? 1 : 0 })
    }
    return tally
  }

  @Test("Scores of counts are those of the same classes with scores; all others are undefined")
  func undefined() throws {
    let settings = ScoringSettings()
    let labels = try ClassificationScores(tally(hasProbabilities: false), settings)
    let scores = try ClassificationScores(tally(hasProbabilities: true), settings)
    let needing = Set(ClassificationScores.needingProbabilities)
    for kind in MetricKind.kinds(of: .classification) {
      if needing.contains(kind) {
        #expect(labels[kind].value == nil, "\(kind)")
        #expect(
          labels.perClass(kind).allSatisfy { $0.value == nil && $0.interval == nil }, "\(kind)")
      } else {
        #expect(labels[kind] == scores[kind], "\(kind)")
        #expect(labels.perClass(kind) == scores.perClass(kind), "\(kind)")
      }
    }
    #expect(labels.calibration.error == nil && labels.riskByConfidence.area == nil)
    #expect(labels[.accuracy].value != nil && labels[.macroF1].interval != nil)
    // Every metric that is computed from probabilities is in the list: the same counts with other
    // confidences change nothing else.
    #expect(scores[.logLoss].value != nil && scores[.ece15].value != nil)
  }

  @Test("A comparison with a run that has scores has differences of counts only")
  func compared() throws {
    let comparison = try ClassificationComparison(
      first: tally(hasProbabilities: false), second: tally(hasProbabilities: true))
    #expect(comparison[.accuracy]?.value == 0)
    for kind in [MetricKind.logLoss, .brier, .macroAUROC, .top2] {
      #expect(comparison[kind]?.value == nil && comparison[kind]?.interval == nil)
    }
  }
}
