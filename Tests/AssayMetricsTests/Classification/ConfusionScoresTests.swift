import AssayCore
import Testing

import AssayMetrics

@Suite struct ConfusionScoresTests {
  /// Ground truth 0: 3 correct, 1 as 1; ground truth 1: 2 as 0, 4 correct; class 2 does not occur.
  private func scores() throws -> ConfusionScores {
    try ConfusionMatrix(classCount: 3, counts: [3, 1, 0, 2, 4, 0, 0, 0, 0]).score()
  }

  @Test("Rates of a small matrix, by hand")
  func byHand() throws {
    let scores = try scores()
    #expect(scores.accuracy == 7.0 / 10)
    // Six of ten are class 1.
    #expect(scores.baselineAccuracy == 6.0 / 10)
    #expect(scores.baselineClass == 1)
    #expect(scores.values(.precision) == [3.0 / 5, 4.0 / 5, nil])
    #expect(scores.values(.recall) == [3.0 / 4, 4.0 / 6, nil])
    // 2 · 3 / (4 + 5) and 2 · 4 / (6 + 5).
    #expect(scores.values(.f1) == [6.0 / 9, 8.0 / 11, nil])
    #expect(Goldens.agree(scores.value(.balancedAccuracy), (0.75 + 4.0 / 6) / 2))
    // Chance agreement: (4 · 5 + 6 · 5) / 100 = 0.5; (0.7 − 0.5) / (1 − 0.5) = 0.4.
    #expect(Goldens.agree(scores.value(.kappa), 0.4))
  }

  @Test("The plain macro mean counts undefined as 0, the defined one leaves it out")
  func macroConventions() throws {
    let scores = try scores()
    #expect(Goldens.agree(scores.value(.macroF1), (6.0 / 9 + 8.0 / 11) / 3))
    #expect(Goldens.agree(scores.value(.macroF1Defined), (6.0 / 9 + 8.0 / 11) / 2))
    #expect(scores.parts(of: .macroF1Defined)?.count { $0 != nil } == 2)
  }

  @Test("F1 is 0, not undefined, where only precision or only recall is undefined")
  func halfUndefinedF1() throws {
    let scores = try ConfusionMatrix(classCount: 2, counts: [0, 5, 0, 0]).score()
    #expect(scores.values(.precision) == [nil, 0])
    #expect(scores.values(.recall) == [0, nil])
    #expect(scores.values(.f1) == [0, 0])
  }

  @Test("Kappa of constants is undefined, their Matthews correlation 0")
  func constants() throws {
    let scores = try ConfusionMatrix(classCount: 2, counts: [5, 0, 0, 0]).score()
    #expect(scores.value(.kappa) == nil)
    #expect(scores.value(.mcc) == 0)
  }

  @Test("The most frequent class of several is the one with the lowest ordinal")
  func baselineTie() throws {
    let scores = try ConfusionMatrix(classCount: 3, counts: [1, 0, 0, 0, 2, 0, 0, 0, 2]).score()
    #expect(scores.baselineClass == 1)
  }

  @Test("No samples: every score is undefined")
  func empty() {
    let scores = ConfusionMatrix(classCount: 2).score()
    for kind in MetricKind.kinds(of: .classification) { #expect(scores.value(kind) == nil) }
    #expect(scores.values(.f1) == [nil, nil])
    #expect(scores.baselineClass == nil)
  }
}
