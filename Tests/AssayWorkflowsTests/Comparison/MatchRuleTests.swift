import AssayCore
import AssayStore
import Testing

@testable import AssayWorkflows

@Suite struct MatchRuleTests {
  /// The second of the thresholds, and a minimum score of 0.3.
  private let rule = MatchRule(bit: 0b10, score: 0.3)

  private func row(
    _ prediction: Int?, _ annotation: Int?, category: Int = 0, score: Double = 0.9,
    iou: Double = 0.6, error: DetectionErrorKind? = nil, matched: UInt64 = 0, ignored: UInt64 = 0
  ) -> MatchRecord {
    MatchRecord(
      prediction: prediction, annotation: annotation, class: category, confidence: score, iou: iou,
      error: error, matched: matched, ignored: ignored)
  }

  @Test("An object is found by a match at the working IoU with at least the least score")
  func found() {
    let answers = rule.answers([
      row(0, 4, score: 0.3, matched: 0b11), row(1, 5, score: 0.299, matched: 0b11),
      row(2, 6, matched: 0b01), row(nil, 6, error: .missed),
    ])
    #expect(
      answers[4]
        == ObjectAnswer(.found, prediction: 0, category: 0, confidence: 0.3, iou: 0.6))
    #expect(answers[5]?.outcome == .unsure)
    // Matched at another IoU, and without an error: no answer.
    #expect(answers[6] == nil)
  }

  @Test("What lies on a crowd finds nothing")
  func crowds() {
    #expect(rule.answers([row(0, 4, matched: 0b11, ignored: 0b11)]).isEmpty)
  }

  @Test(
    "An error about an object tells why it was not found, the surest first, if it is sure enough")
  func errors() {
    let answers = rule.answers([
      row(0, 4, category: 1, score: 0.8, error: .class), row(1, 4, score: 0.9, error: .place),
      row(2, 5, category: 2, score: 0.7, error: .both), row(3, 6, score: 0.2, error: .place),
      row(4, 7, score: 0.9, error: .duplicate), row(5, nil, score: 0.9, error: .background),
    ])
    #expect(answers[4]?.outcome == .place)
    #expect(answers[5]?.outcome == .both)
    #expect(answers[5]?.category == 2)
    #expect(Set(answers.keys) == [4, 5])
  }

  @Test("A match that was not sure enough explains more than a sure error")
  func unsure() {
    let answers = rule.answers([
      row(0, 4, category: 1, score: 0.8, error: .class), row(1, 4, score: 0.1, matched: 0b10),
    ])
    #expect(answers[4]?.outcome == .unsure)
    #expect(answers[4]?.prediction == 1)
  }
}
