import Testing

import AssayMetrics

@Suite struct RiskCoverageCurveTests {
  private func curve(_ scores: [Double], _ right: [Bool]) -> RiskCoverageCurve {
    RiskCoverageCurve(scores: scores) { right[$0] }
  }

  @Test("The area is the mean risk over all numbers answered")
  func area() {
    // In order 0.9 correct, 0.8 wrong, 0.5 correct: risks 0, 1/2, 1/3.
    let curve = curve([0.5, 0.9, 0.8], [true, true, false])
    #expect(Goldens.agree(curve.area, (0 + 0.5 + 1.0 / 3) / 3))
    #expect(curve.points.map(\.answered) == [1, 2, 3])
    #expect(curve.points.map(\.errors) == [0, 1, 1])
  }

  @Test("Samples of one score count as in the average over their orders")
  func ties() {
    // One wrong of two tied: 1/2 each at k = 1 and 2, whichever comes first.
    let expected = (0.5 / 1 + 1.0 / 2) / 2
    #expect(curve([0.7, 0.7], [true, false]).area == expected)
    #expect(curve([0.7, 0.7], [false, true]).area == expected)
    #expect(curve([0.7, 0.7], [false, true]).points.count == 1)
  }

  @Test("Accuracy at a coverage counts the answered part of a tie evenly")
  func accuracyAtCoverage() {
    // Four samples: 0.9 correct; 0.6, 0.6 one wrong; 0.1 wrong.
    let curve = curve([0.9, 0.6, 0.6, 0.1], [true, false, true, false])
    #expect(curve.accuracy(atCoverage: 0.25) == 1)
    // Two answered: half an error.
    #expect(curve.accuracy(atCoverage: 0.5) == 0.75)
    #expect(Goldens.agree(curve.accuracy(atCoverage: 0.75), 2.0 / 3))
    #expect(curve.accuracy(atCoverage: 1) == 0.5)
    // Rounded up to two.
    #expect(curve.accuracy(atCoverage: 0.26) == 0.75)
    #expect(curve.accuracy(atCoverage: 0) == nil)
    #expect(curve.accuracy(atCoverage: 1.01) == nil)
  }

  @Test("Coverage at a risk is the largest that a threshold can reach")
  func coverageAtRisk() throws {
    let curve = curve([0.9, 0.6, 0.6, 0.1], [true, false, true, false])
    let point = try #require(curve.point(atRisk: 0.35))
    #expect(point.threshold == 0.6)
    #expect(curve.coverage(of: point) == 0.75)
    #expect(curve.point(atRisk: 0.1)?.answered == 1)
    #expect(self.curve([0.9], [false]).point(atRisk: 0.5) == nil)
  }

  @Test("A thinned curve keeps its ends and never has more points than asked")
  func thinned() {
    let scores = (0..<1000).map { Double($0) / 1000 }
    let curve = RiskCoverageCurve(scores: scores) { $0 % 3 == 0 }
    for limit in [2, 3, 10, 999] {
      let points = curve.thinned(to: limit)
      #expect(points.count <= limit)
      #expect(points.count >= min(limit, 2))
      #expect(points.first == curve.points.first)
      #expect(points.last == curve.points.last)
      #expect(zip(points, points.dropFirst()).allSatisfy { $0.answered < $1.answered })
    }
    #expect(curve.thinned(to: 1000) == curve.points)
  }

  @Test("No samples have no curve")
  func empty() {
    let curve = curve([], [])
    #expect(curve.area == nil)
    #expect(curve.points.isEmpty)
    #expect(curve.accuracy(atCoverage: 1) == nil)
  }
}
