import Testing

import AssayMetrics

@Suite struct ProbabilityScoresTests {
  private func tally(_ truth: Int, _ row: [Double]) throws -> ClassificationTally {
    var tally = try ClassificationTally(classCount: row.count)
    try tally.add(truths: [truth], scores: row)
    return tally
  }

  @Test("Log loss is the natural logarithm of the truth's probability")
  func logLoss() throws {
    // ln 4 = 2 ln 2.
    let loss = ProbabilityScores.logLosses(try tally(0, [0.25, 0.75]))
    #expect(Goldens.agree(loss[0], 2 * 0.6931471805599453))
  }

  @Test("A probability of 0 is clipped to 2⁻⁵²")
  func clipped() throws {
    // 52 ln 2.
    let loss = ProbabilityScores.logLosses(try tally(0, [0, 1]))
    #expect(Goldens.agree(loss[0], 52 * 0.6931471805599453))
  }

  @Test("The Brier score sums over all classes")
  func brier() throws {
    // (0.5 − 1)² + 0.25² + 0.25² = 0.375.
    #expect(ProbabilityScores.brierScores(try tally(0, [0.5, 0.25, 0.25])) == [0.375])
  }
}
