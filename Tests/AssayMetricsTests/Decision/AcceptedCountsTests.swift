import AssayCore
import Testing

import AssayMetrics

@Suite("Coverage and risk of decisions on sets of labels and objects")
struct AcceptedCountsTests {
  @Test(
    "Labels: accepted are those from the threshold of their class on, errors those that the sample lacks"
  )
  func labels() throws {
    var tally = try MultiLabelTally(classCount: 3, precision: .single)
    try tally.add(
      labelSets: [[0], [1, 2], []], scores: [0.9, 0.5, 0.5, 0.5, 0.4, 0.9, 0.5, 0.5, 0.5])
    var settings = ScoringSettings(intervals: nil)
    settings.decision = AcceptanceRule(thresholds: [0.5, 0.5, nil])
    let scores = try MultiLabelScores(tally, LabelThresholds(classCount: 3), settings)
    // Of class 0 all three, of which one is right; of class 1 two, both wrong; of class 2 none.
    #expect(scores[.coverage].value == 5.0 / 9)
    #expect(scores[.selectiveRisk].value == 4.0 / 5)
    settings.decision = nil
    let without = try MultiLabelScores(tally, LabelThresholds(classCount: 3), settings)
    #expect(without[.coverage].value == nil && without[.selectiveRisk].value == nil)
  }

  @Test("Objects: those of crowds do not count, and scores are compared as float32")
  func objects() throws {
    let crowd = TruthObject.of([50, 0, 40, 40], isCrowd: true)
    let truth = [TruthObject.of([0, 0, 20, 20], class: 0), crowd]
    let found = [
      FoundObject.of([0, 0, 20, 20], class: 0, score: 0.9),
      .of([55, 5, 20, 20], class: 0, score: 0.8),
      .of([0, 60, 20, 20], class: 0, score: 0.6),
      .of([0, 60, 20, 20], class: 0, score: 0.3),
    ]
    let settings = DetectionSettings()
    var tally = try DetectionTally(classCount: 1, settings)
    try tally.add(ImageMatches(truth: truth, found: found, settings))
    var scoring = ScoringSettings(intervals: nil)
    scoring.decision = AcceptanceRule(thresholds: [0.6])
    let scores = try DetectionScores(tally, scoring)
    #expect(scores[.coverage].value == 2.0 / 3)
    #expect(scores[.selectiveRisk].value == 1.0 / 2)
  }

  @Test("Below 50 samples, and for values of 0 and 1, the interval is left out with the reason")
  func missing() throws {
    func scores(_ count: Int) throws -> MultiLabelScores {
      var tally = try MultiLabelTally(classCount: 1, precision: .single)
      try tally.add(
        labelSets: (0..<count).map { _ in [0] }, scores: (0..<count).map { $0 % 2 == 0 ? 0.9 : 0.1 }
      )
      var settings = ScoringSettings(intervals: Bootstrap(draws: 8))
      settings.decision = AcceptanceRule(thresholds: [0.5])
      return try MultiLabelScores(tally, LabelThresholds(classCount: 1), settings)
    }
    let few = try scores(20)
    #expect(few[.coverage].interval == nil && few[.coverage].missing == .samples(20))
    let many = try scores(200)
    #expect(many[.coverage].interval?.contains(0.5) == true)
    #expect(many[.selectiveRisk].value == 0 && many[.selectiveRisk].missing == .value(0))
  }
}
