import AssayCore
import Testing

@testable import AssayMetrics

@Suite("Counts at many thresholds")
struct LabelSweepTests {
  @Test(
    "They are those of the scores at each threshold",
    arguments: [MultiLabelTally.Precision.single, .double], [0, 0.01, 0.1])
  func equality(_ precision: MultiLabelTally.Precision, _ step: Double) throws {
    let tally = try RandomLabels.make(
      count: 80, classes: 5, seed: 11, step: step, precision: precision)
    let sweep = LabelSweep(tally)
    #expect(sweep.thresholds.count == 101)
    #expect(sweep.thresholds[30] == 0.3)
    for (place, threshold) in sweep.thresholds.enumerated() {
      let thresholds = try LabelThresholds(threshold, classCount: 5)
      let scores = try MultiLabelScores(tally, thresholds, ScoringSettings(intervals: nil))
      for category in 0..<5 {
        let counts = scores.counts(of: category)
        let hits = sweep.hits(of: category)
        let predictions = sweep.predictions(of: category)
        #expect(hits[hits.startIndex + place] == counts.truePositives)
        #expect(
          predictions[predictions.startIndex + place]
            == counts.truePositives + counts.falsePositives)
        #expect(sweep.truths[category] == counts.truePositives + counts.falseNegatives)
      }
      let exact = (0..<tally.count).count {
        let sample = tally.evaluated($0, thresholds)
        return sample.missed.isEmpty && sample.added.isEmpty
      }
      #expect(sweep.exact[place] == exact)
    }
  }

  @Test("Scores at the ends, sets that are empty or full, and no samples")
  func ends() throws {
    var tally = try MultiLabelTally(classCount: 2)
    #expect(LabelSweep(tally).exact == Array(repeating: 0, count: 101))
    try tally.add(labels: [], scores: [0, 1])
    try tally.add(labels: [0, 1], scores: [1, 1])
    let sweep = LabelSweep(tally, steps: 2)
    #expect(sweep.thresholds == [0, 0.5, 1])
    #expect(Array(sweep.predictions(of: 0)) == [2, 1, 1])
    #expect(Array(sweep.predictions(of: 1)) == [2, 2, 2])
    #expect(Array(sweep.hits(of: 0)) == [1, 1, 1])
    #expect(sweep.exact == [1, 1, 1])
  }
}
