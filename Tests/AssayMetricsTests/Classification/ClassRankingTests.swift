import Testing

@testable import AssayMetrics

@Suite struct ClassRankingTests {
  /// A ranking by the probabilities of class 1 against the ground truth.
  private func ranking(_ scores: [Double], _ truths: [Int]) throws -> ClassRanking {
    var tally = try ClassificationTally(classCount: 2)
    try tally.add(truths: truths, scores: scores.flatMap { [1 - $0, $0] })
    return ClassRanking(tally, category: 1)
  }

  @Test("AUROC is the share of pairs in the right order")
  func auroc() throws {
    // Positives 0.75, 0.25; negatives 0.5, 0.125: three of four pairs.
    #expect(try ranking([0.75, 0.5, 0.25, 0.125], [1, 0, 1, 0]).auroc == 0.75)
  }

  @Test("A tied pair counts half, in whatever order it comes")
  func ties() throws {
    #expect(try ranking([0.5, 0.5], [1, 0]).auroc == 0.5)
    #expect(try ranking([0.5, 0.5], [0, 1]).auroc == 0.5)
  }

  @Test("Average precision adds the precision at each recall step, ties as one step")
  func averagePrecision() throws {
    // Steps: 1/1 at the first positive, 2/3 at the second.
    #expect(
      Goldens.agree(
        try ranking([0.75, 0.5, 0.25, 0.125], [1, 0, 1, 0]).averagePrecision,
        0.5 * 1 + 0.5 * 2 / 3))
    #expect(try ranking([0.5, 0.5], [0, 1]).averagePrecision == 0.5)
  }

  @Test("Without positives both are undefined, without negatives only AUROC is")
  func undefined() throws {
    #expect(try ranking([0.5, 0.25], [0, 0]).auroc == nil)
    #expect(try ranking([0.5, 0.25], [0, 0]).averagePrecision == nil)
    #expect(try ranking([0.5, 0.25], [1, 1]).auroc == nil)
    #expect(try ranking([0.5, 0.25], [1, 1]).averagePrecision == 1)
  }
}
