import Testing

import AssayMetrics

@Suite struct AbstentionTests {
  /// Rows: confident and correct; confident and wrong; below the threshold; below the margin.
  private func tally() throws -> ClassificationTally {
    var tally = try ClassificationTally(classCount: 4)
    try tally.add(
      truths: [0, 1, 2, 1],
      scores: [
        0.75, 0.125, 0.125, 0,
        0.75, 0.125, 0.125, 0,
        0.25, 0.25, 0.25, 0.25,
        0.4375, 0.5, 0.0625, 0,
      ] as [Double])
    return tally
  }

  @Test("Answered is what reaches both thresholds, ends included")
  func bothThresholds() throws {
    let scores = AbstentionScores(
      try tally(), rule: AbstentionRule(accept: 0.5, margin: 0.0625))
    #expect(scores.answered == 3)
    #expect(scores.share == 0.75)
    // Of the three answered, the first and the last are correct.
    #expect(scores.accuracy == 2.0 / 3)
    // Labels at 0.5 or above: 1, 1, 0, 1.
    #expect(scores.meanAccepted == 0.75)
    let stricter = AbstentionScores(
      try tally(), rule: AbstentionRule(accept: 0.5, margin: 0.1))
    #expect(stricter.answered == 2)
  }

  @Test("Where nothing is answered, its accuracy is undefined")
  func nothingAnswered() throws {
    let scores = AbstentionScores(try tally(), rule: AbstentionRule(accept: 0.9))
    #expect(scores.share == 0)
    #expect(scores.accuracy == nil)
  }

  @Test("No samples: every number is undefined")
  func empty() throws {
    let scores = AbstentionScores(
      try ClassificationTally(classCount: 2), rule: AbstentionRule(accept: 0.5))
    #expect(scores.share == nil)
    #expect(scores.accuracy == nil)
    #expect(scores.meanAccepted == nil)
  }
}
