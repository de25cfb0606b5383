import Testing

@testable import AssayMetrics

struct DisagreementGolden: Decodable {
  struct Labels: Decodable {
    var classes: Int
    var labels: [Int]
    var scores: [Float]
    var thresholds: [Double]
    var likelyWrong: [Bool]
    var margins: [Double]
    var selfConfidences: [Double]
    var planted: [Int]
  }
  struct Votes: Decodable {
    var votes: [Int]
    var entropy: Double
  }
  var labels: [Labels]
  var votes: [Votes]
}

struct LabelDoubtTests {
  @Test(
    "A label is likely wrong where the likeliest class that reaches its threshold is another one")
  func byHand() throws {
    // Class 0 (samples 0, 1): (0.9 + 0.3) / 2 = 0.6. Class 1 (samples 2, 3): (0.5 + 0.3) / 2 = 0.4.
    let scores: [Float] = [0.9, 0.1, 0.3, 0.7, 0.5, 0.5, 0.7, 0.3]
    let doubts = try #require(
      LabelDoubt.all(labels: [0, 0, 1, 1], scores: scores, classCount: 2))
    #expect(
      LabelDoubt.thresholds(labels: [0, 0, 1, 1], scores: scores, classCount: 2)
        .map { $0.map { ($0 * 1e6).rounded() / 1e6 } } == [0.6, 0.4])
    #expect(doubts.map(\.isLikelyWrong) == [false, true, false, true])
    #expect(doubts.map(\.predicted) == [0, 1, 0, 0])
    // Per class, 1 of 2 confident samples contradicts the label.
    #expect(
      LabelDoubt.estimatedErrors(labels: [0, 0, 1, 1], scores: scores, classCount: 2) == 2)
    #expect(
      LabelDoubt.estimatedErrors(labels: [0, 2], scores: [1, 0, 1, 0], classCount: 2) == nil)
    // 0.9 − 0.1, 0.3 − 0.7, 0.5 − 0.5, 0.3 − 0.7.
    #expect(doubts.map { ($0.margin * 1e6).rounded() / 1e6 } == [0.8, -0.4, 0, -0.4])
  }

  @Test("A label that the model predicts is never likely wrong")
  func agreed() throws {
    // Class 0: (0.9 + 0.9 + 0.45) / 3 = 0.75, class 1: 0.3. Sample 2 reaches only that of class 1.
    let scores: [Float] = [0.9, 0.05, 0.05, 0.9, 0.05, 0.05, 0.45, 0.44, 0.11, 0.1, 0.3, 0.6]
    let doubts = try #require(
      LabelDoubt.all(labels: [0, 0, 0, 1], scores: scores, classCount: 3))
    #expect(doubts[2].predicted == 0)
    #expect(!doubts[2].isLikelyWrong)
  }

  @Test("Thresholds, margins, self-confidence and likely errors are cleanlab's")
  func golden() throws {
    let golden = try Goldens.load("disagreement", as: DisagreementGolden.self)
    #expect(golden.labels.count == 3)
    for set in golden.labels {
      let doubts = try #require(
        LabelDoubt.all(labels: set.labels, scores: set.scores, classCount: set.classes))
      let thresholds = LabelDoubt.thresholds(
        labels: set.labels, scores: set.scores, classCount: set.classes)
      for (value, expected) in zip(thresholds, set.thresholds) {
        #expect(Goldens.agree(value, expected, 1e-9))
      }
      #expect(doubts.map(\.isLikelyWrong) == set.likelyWrong)
      for (doubt, margin) in zip(doubts, set.margins) {
        #expect(Goldens.agree(doubt.margin, margin, 1e-9))
      }
      for (doubt, confidence) in zip(doubts, set.selfConfidences) {
        #expect(Goldens.agree(doubt.selfConfidence, confidence, 1e-9))
      }
    }
  }

  @Test("Planted label errors come before right labels")
  func planted() throws {
    let set = try Goldens.load("disagreement", as: DisagreementGolden.self).labels[1]
    let doubts = try #require(
      LabelDoubt.all(labels: set.labels, scores: set.scores, classCount: set.classes))
    let order = doubts.indices.sorted { doubts[$0].selfConfidence < doubts[$1].selfConfidence }
    let found = Set(order.prefix(set.planted.count)).intersection(set.planted)
    #expect(found.count >= set.planted.count * 4 / 5)
  }

  @Test("What cannot be doubted gives nothing")
  func nothing() {
    #expect(LabelDoubt.all(labels: [0], scores: [1], classCount: 1) == nil)
    #expect(LabelDoubt.all(labels: [0, 1], scores: [1, 0, 1], classCount: 2) == nil)
    #expect(LabelDoubt.all(labels: [2], scores: [1, 0], classCount: 2) == nil)
    #expect(LabelDoubt.all(labels: [-1], scores: [1, 0], classCount: 2) == nil)
    #expect(LabelDoubt.all(labels: [], scores: [], classCount: 2) == [])
  }

  @Test("A class that no sample has is never the confident one")
  func absentClass() throws {
    let doubts = try #require(
      LabelDoubt.all(labels: [0], scores: [0.1, 0.9], classCount: 2))
    #expect(doubts.map(\.isLikelyWrong) == [false])
    #expect(doubts.map(\.predicted) == [1])
    #expect(doubts[0].margin < -0.79)
  }
}

struct VoteEntropyTests {
  @Test("The entropy of votes is that of numpy")
  func golden() throws {
    let golden = try Goldens.load("disagreement", as: DisagreementGolden.self)
    #expect(golden.votes.count == 7)
    for vote in golden.votes {
      #expect(Goldens.agree(VoteEntropy.of(vote.votes), vote.entropy))
    }
  }

  @Test("Agreement is exactly 0, a voice each exactly 1, one voice nothing")
  func ends() {
    #expect(VoteEntropy.of([4, 4, 4]) == 0)
    #expect(VoteEntropy.of([7, 1]) == 1)
    #expect(VoteEntropy.of([3]) == nil)
    #expect(VoteEntropy.of([]) == nil)
  }
}

struct RankAverageTests {
  @Test("Ranks are averaged, whatever the scales")
  func twoScales() {
    // Shares of smaller values: first column 1, ½, 0; second 0, 1, ½.
    #expect(RankAverage.of([[0.3, 0.2, 0.1], [10, 9000, 30]]) == [0.5, 0.75, 0.25])
  }

  @Test("Equal numbers share their rank")
  func ties() {
    // Of four, two equal ones in the middle: (1 + ½) / 3.
    #expect(RankAverage.shares([5, 1, 5, 9]) == [0.5, 0, 0.5, 1])
  }

  @Test("A number that is missing does not count for or against")
  func missing() {
    #expect(RankAverage.of([[1, 2, nil], [nil, 5, nil]]) == [0, 0.75, nil])
    #expect(RankAverage.shares([nil, 3]) == [nil, 0.5])
    #expect(RankAverage.of([]) == [])
  }
}
