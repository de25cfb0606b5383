import AssayCore
import AssayMetrics
import Testing

@Suite("Average precision pooled over the classes")
struct PooledPrecisionTests {
  private static let settings = ScoringSettings(
    intervals: Bootstrap(draws: 200, seed: 1), workers: 2)

  @Test("It is that of pycocotools' matches ranked together, for random sets")
  func golden() throws {
    let expected = try Goldens.load("pooled", as: [Double?].self)
    var compared = 0
    for (seed, value) in expected.enumerated() {
      guard let value else { continue }
      let tally = try RandomCOCO(seed: UInt64(seed), .box).tally()
      let found = try PooledPrecision.compare(tally, tally, Self.settings)
      if value < 0 {
        #expect(found.first == nil, "\(seed)")
      } else {
        #expect(abs(try #require(found.first) - value) < 1e-12, "\(seed)")
        #expect(found.value == 0 && found.interval == nil)
        compared += 1
      }
    }
    #expect(compared >= 40)
  }

  @Test("With one class it is AP")
  func single() throws {
    var compared = 0
    for seed in 0..<60 {
      let set = try RandomCOCO(seed: UInt64(seed), .box)
      guard set.classCount == 1 else { continue }
      let tally = try set.tally()
      let scores = try DetectionScores(tally, ScoringSettings())
      let pooled = try PooledPrecision.compare(tally, tally, Self.settings).first
      let ap = scores[.ap].value
      #expect((pooled == nil) == (ap == nil), "\(seed)")
      // The sums are in another order.
      if let pooled, let ap { #expect(abs(pooled - ap) < 1e-12, "\(seed)") }
      compared += 1
    }
    #expect(compared > 5)
  }

  /// Images with an object each, of 30 classes in turn; a detection is in its place unless `isMoved`.
  private static func tally(_ images: Int, isMoved: @escaping @Sendable (Int) -> Bool) throws
    -> DetectionTally
  {
    try DetectionTally.matching(classCount: 30, images: images) { index in
      let box = Box(x: 0, y: 0, width: 50, height: 50)
      let place = Box(x: isMoved(index) ? 200 : 0, y: 0, width: 50, height: 50)
      let found = FoundObject(
        class: index % 30, score: Double(index % 7) / 7, box: place, area: place.area)
      return ([TruthObject(class: index % 30, box: box, area: box.area)], [found])
    }
  }

  @Test("Rare classes: a clear difference has an interval that holds it, where AP has none")
  func interval() throws {
    let first = try Self.tally(90) { $0 % 2 == 0 }
    let second = try Self.tally(90) { $0 % 4 == 0 }
    let difference = try PooledPrecision.compare(first, second, Self.settings)
    let value = try #require(difference.value)
    #expect(value > 0.1 && difference.isClear == true)
    #expect(try #require(difference.interval).contains(value))
    #expect(
      try DetectionComparison(first: first, second: second, Self.settings)[.ap]?.interval == nil)
    let back = try PooledPrecision.compare(second, first, Self.settings)
    #expect(back.value == -value)
  }

  @Test("Fewer than 50 images or 40 objects have no interval; other truths are refused")
  func few() throws {
    let first = try Self.tally(49) { $0 % 2 == 0 }
    let second = try Self.tally(49) { $0 % 4 == 0 }
    #expect(try PooledPrecision.compare(first, second, Self.settings).interval == nil)
    let empty = try DetectionTally.matching(classCount: 30, images: 90) { _ in ([], []) }
    #expect(try PooledPrecision.compare(empty, empty, Self.settings).value == nil)
    #expect(throws: MetricError.sampleMismatch(49, 90)) {
      try PooledPrecision.compare(first, empty, Self.settings)
    }
  }
}
