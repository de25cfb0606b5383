import AssayCore
import Testing

@testable import AssayMetrics

/// Scores against the votes of people, compared with numpy and scipy.
@Suite struct VoteScoresTests {
  struct Content: Decodable {
    struct Case: Decodable {
      var truths: [Int]
      var probabilities: [[Double]]
      var shares: [[Double]?]
      var cross_entropy: Double
      var kl: Double
      var expected_accuracy: Double
      var defined: [Int]
    }
    var cases: [Case]
  }

  /// The last class has no scores.
  private func tally(_ item: Content.Case) throws -> ClassificationTally {
    var tally = try ClassificationTally(classCount: 5)
    try tally.add(truths: item.truths, scores: item.probabilities.flatMap(\.self))
    try tally.set(
      item.shares.map { shares in
        shares.map { VoteShares(shares: $0, isScored: $0[4] == 0) }
      })
    return tally
  }

  @Test("Cross-entropy, KL divergence and expected accuracy equal those of numpy and scipy")
  func goldens() throws {
    for item in try Goldens.load("votes", as: Content.self).cases {
      let scores = try ClassificationScores(tally(item))
      #expect(Goldens.agree(scores[.voteCrossEntropy].value, item.cross_entropy))
      #expect(Goldens.agree(scores[.voteDivergence].value, item.kl))
      #expect(Goldens.agree(scores[.expectedAccuracy].value, item.expected_accuracy))
      #expect(scores[.voteCrossEntropy].defined == item.defined[0])
      #expect(scores[.expectedAccuracy].defined == item.defined[1])
      #expect(scores[.expectedAccuracy].total == item.truths.count)
      for kind in VoteScores.kinds {
        let interval = try #require(scores[kind].interval)
        #expect(interval.contains(try #require(scores[kind].value)))
        #expect(interval.method == (item.truths.count < 50 ? .student : .bootstrap))
        #expect(kind.facts.range.contains(interval.low))
      }
    }
  }

  @Test("One-hot votes give the log loss and the accuracy; without votes all are undefined")
  func oneHot() throws {
    let item = try #require(try Goldens.load("votes", as: Content.self).cases.last)
    var tally = try ClassificationTally(classCount: 5)
    try tally.add(truths: item.truths, scores: item.probabilities.flatMap(\.self))
    var plain = try ClassificationScores(tally, ScoringSettings(intervals: nil))
    #expect(VoteScores.kinds.allSatisfy { plain[$0] == .undefined })
    try tally.set(
      item.truths.map { truth in
        VoteShares(shares: (0..<5).map { $0 == truth ? 1 : 0 }, isScored: true)
      })
    plain = try ClassificationScores(tally, ScoringSettings(intervals: nil))
    #expect(Goldens.agree(plain[.voteCrossEntropy].value, plain[.logLoss].value))
    #expect(Goldens.agree(plain[.voteDivergence].value, plain[.logLoss].value))
    #expect(plain[.expectedAccuracy].value == plain[.accuracy].value)
  }

  @Test("Votes follow their samples, and have one share per class")
  func selecting() throws {
    let item = try #require(try Goldens.load("votes", as: Content.self).cases.last)
    let tally = try tally(item)
    let part = tally.selecting([4, 10, 2])
    #expect(part.votes == [tally.votes[4], tally.votes[10], tally.votes[2]])
    var merged = part
    try merged.merge(tally)
    #expect(merged.votes == part.votes + tally.votes)
    #expect(throws: MetricError.self) { try merged.set([nil]) }
    #expect(throws: MetricError.self) {
      try merged.set(
        Array(repeating: VoteShares(shares: [1], isScored: true), count: merged.count))
    }
  }
}
