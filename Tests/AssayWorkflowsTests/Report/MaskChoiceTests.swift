import AssayMetrics
import AssayReports
import Testing

@testable import AssayWorkflows

@Suite struct MaskChoiceTests {
  /// Samples of 100 pixels: `right` object pixels found, `missed` not.
  private func tally(_ samples: [(right: Int, missed: Int)]) throws -> SegmentationTally {
    var tally = SegmentationTally(labels: SegmentationLabels(foreground: "person"))
    for (right, missed) in samples {
      try tally.add(
        SegmentedSample(confusion: [100 - right - missed, 0, missed, right], boundary: [], void: 0))
    }
    return tally
  }

  private func choice(_ samples: [(right: Int, missed: Int)]) throws -> MaskChoice {
    let tally = try tally(samples)
    let scores = try SegmentationScores(tally, ScoringSettings(intervals: nil))
    return MaskChoice(tally, scores.samples)
  }

  @Test("Of a small set all samples are shown, lowest IoU first, those without one last")
  func small() throws {
    let choice = try choice([(10, 0), (0, 0), (0, 10), (5, 5)])
    #expect(choice.all == [2, 3, 0, 1])
    #expect(choice.shown == [0, 1, 2, 3])
    #expect(choice.worst.isEmpty && choice.random.isEmpty)
  }

  @Test("Worst, median and best follow the IoU; the draw by chance is the same every time")
  func large() throws {
    // IoU i/50 for i in 1...50, in shuffled order; and one undefined.
    let order = (0..<50).map { ($0 * 37) % 50 }
    let choice = try choice(order.map { ($0 + 1, 49 - $0) } + [(0, 0)])
    func rank(_ indices: [Int]) -> [Int] { indices.map { order[$0] } }
    #expect(rank(choice.worst) == Array(0..<9))
    #expect(rank(choice.best) == [49, 48, 47, 46, 45, 44])
    #expect(rank(choice.median) == [22, 23, 24, 25, 26, 27])
    #expect(choice.random.count == 9 && Set(choice.random).count == 9)
    #expect(choice.random == choice.random.sorted())
    #expect(choice.all.isEmpty)
    let again = try self.choice(order.map { ($0 + 1, 49 - $0) } + [(0, 0)])
    #expect(again.random == choice.random)
  }

  @Test("Of many samples with nothing right those with the most wrong pixels come first")
  func ties() throws {
    let choice = try choice((0..<30).map { (0, ($0 * 7) % 30 + 1) })
    #expect(choice.worst.map { ($0 * 7) % 30 + 1 } == [30, 29, 28, 27, 26, 25, 24, 23, 22])
  }
}
