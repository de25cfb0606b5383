import AssayCore
import AssayMetrics
import Testing

@Suite struct DetectionComparisonTests {
  /// Images with one object each; the detector finds all of them except those for which `isMissed`
  /// is true.
  private static func tally(
    _ images: Int, isMissed: @escaping @Sendable (Int) -> Bool
  ) throws -> DetectionTally {
    try DetectionTally.matching(classCount: 1, images: images) { index in
      let box = Box(x: 0, y: 0, width: 50, height: 50)
      let found = FoundObject(
        class: 0, score: Double(index % 7) / 7, box: box, area: box.area)
      return (
        [TruthObject(class: 0, box: box, area: box.area)], isMissed(index) ? [] : [found]
      )
    }
  }

  private static let settings = ScoringSettings(
    intervals: Bootstrap(draws: 200, seed: 1), workers: 2)

  @Test("The difference is second less first, with an interval that holds it")
  func difference() throws {
    let first = try Self.tally(100) { $0 % 2 == 0 }
    let second = try Self.tally(100) { $0 % 4 == 0 }
    let comparison = try DetectionComparison(first: first, second: second, Self.settings)
    #expect(comparison.count == 100)
    let recall = try #require(comparison[.ar100])
    // 50 of 100 objects, then 75 of 100.
    #expect(recall.first == 0.5)
    #expect(recall.second == 0.75)
    let interval = try #require(recall.interval)
    #expect(interval.contains(0.25))
    #expect(recall.isClear == true)
    // Each draw has about a quarter of improved images: √(0.25 · 0.75 / 100) = 0.043.
    #expect(interval.low > 0.1 && interval.high < 0.4)
    #expect(comparison.perClass(.perCategoryAP).count == 1)
    #expect(comparison.perClass(.perCategoryAP)[0].isClear == true)
  }

  @Test("A run against itself differs by 0, and no interval claims otherwise")
  func itself() throws {
    let tally = try Self.tally(100) { $0 % 3 == 0 }
    let comparison = try DetectionComparison(first: tally, second: tally, Self.settings)
    for kind in DetectionScores.kinds(.box) {
      let difference = try #require(comparison[kind])
      if let value = difference.value { #expect(value == 0) }
      #expect(difference.isClear != true)
    }
  }

  @Test("Another truth, another number of images or classes is an error")
  func mismatch() throws {
    let tally = try Self.tally(60) { _ in false }
    #expect(throws: MetricError.sampleMismatch(60, 59)) {
      try DetectionComparison(
        first: tally, second: tally.selecting(Array(0..<59)), Self.settings)
    }
    let other = try DetectionTally.matching(classCount: 1, images: 60) { _ in ([], []) }
    #expect(throws: MetricError.truthMismatch(sample: 0)) {
      try DetectionComparison(first: tally, second: other, Self.settings)
    }
    #expect(throws: MetricError.classMismatch(1, 2)) {
      try DetectionComparison(
        first: tally, second: DetectionTally(classCount: 2), Self.settings)
    }
  }
}
