import AssayCore
import Testing

@testable import AssayMetrics

@Suite struct DetectionIntervalsTests {
  private static func sets(_ seeds: Range<UInt64>, _ kind: OverlapKind = .box) throws
    -> DetectionTally
  {
    // Only sets with the same number of classes, one after another.
    var tally = try DetectionTally(classCount: 3, DetectionSettings(overlap: kind))
    for seed in seeds {
      let set = try RandomCOCO(seed: seed, kind)
      guard set.classCount == 3 else { continue }
      try tally.merge(set.tally())
    }
    return tally
  }

  private static func draws(_ tally: DetectionTally, _ weights: DrawWeights) throws -> [SIMD8<
    Double
  >] {
    try DetectionDraws(tally).row(weights)
  }

  @Test("A draw that takes every image once gives the scores themselves")
  func once() throws {
    let tally = try Self.sets(0..<60)
    let scores = try DetectionScores(tally, ScoringSettings(intervals: nil))
    let row = try Self.draws(
      tally, DrawWeights(counts: Array(repeating: SIMD8(repeating: 1), count: tally.count)))
    let expected =
      DetectionScores.kinds(.box).map { scores[$0].value }
      + DetectionScores.classKinds.flatMap { scores.perClass($0).map(\.value) }
    #expect(row.count == expected.count)
    for (value, expected) in zip(row, expected) {
      let defined = value[5].isNaN ? nil : value[5]
      #expect(Goldens.agree(defined, expected))
    }
  }

  @Test("A weight counts as so many copies of an image")
  func copies() throws {
    let tally = try Self.sets(0..<40)
    var random = SplitMix64(seed: 7)
    let counts = (0..<tally.count).map { _ in random.nextIndex(below: 4) }
    // If scores are equal in several images, copies have another order than weights: the scores
    // must be distinct.
    let unequal = try Self.distinct(tally)
    let repeated = unequal.selecting(
      counts.enumerated().flatMap { Array(repeating: $0, count: $1) })
    let scores = try DetectionScores(repeated, ScoringSettings(intervals: nil))
    let row = try Self.draws(
      unequal, DrawWeights(counts: counts.map { SIMD8(repeating: UInt8($0)) }))
    for (value, kind) in zip(row, DetectionScores.kinds(.box)) {
      #expect(Goldens.agree(value[0].isNaN ? nil : value[0], scores[kind].value), "\(kind)")
    }
  }

  /// The same images with distinct scores.
  private static func distinct(_ tally: DetectionTally) throws -> DetectionTally {
    var columns = tally.columns
    for place in columns.scores.indices { columns.scores[place] -= Double(place) * 1e-9 }
    return DetectionTally(classCount: tally.classCount, tally.matcher, columns)
  }

  @Test("An interval of precision is moved by three times what the draws are too high by")
  func moved() throws {
    // 0.5, 0.501, … 0.6: mean 0.55, percentiles 0.5025 and 0.5975.
    let draws = (500...600).map { Double?(Double($0) / 1000) }
    func interval(_ value: Double, _ bounds: ClosedRange<Double> = 0...1) throws -> [Double] {
      let interval = try #require(PercentileInterval.unbiased(draws, value, in: bounds))
      return [interval.low, interval.high]
    }
    func agree(_ first: [Double], _ second: [Double]) -> Bool {
      zip(first, second).allSatisfy { abs($0 - $1) < 1e-12 }
    }
    // No bias, a bias of 0.01, and one of −0.01.
    #expect(try agree(interval(0.55), [0.5025, 0.5975]))
    #expect(try agree(interval(0.54), [0.4725, 0.5675]))
    #expect(try agree(interval(0.56), [0.5325, 0.6275]))
    // Clipped to the range of the score, and never without the score: 3 · 0.05 = 0.15 shifts it
    // down to 0.4475.
    #expect(try agree(interval(0.54, 0.48...0.56), [0.48, 0.56]))
    #expect(try agree(interval(0.5), [0.3525, 0.5]))
    #expect(PercentileInterval.unbiased([0.5, 0.5], 0.5, in: 0...1) == nil)
  }

  @Test("Intervals hold the score, are the same for any number of workers, and need 50 images")
  func intervals() throws {
    let tally = try Self.sets(0..<120)
    #expect(tally.count >= Bootstrap.leastSamples)
    let bootstrap = Bootstrap(draws: 100, seed: 3)
    let one = try DetectionScores(tally, ScoringSettings(intervals: bootstrap, workers: 1))
    let two = try DetectionScores(tally, ScoringSettings(intervals: bootstrap, workers: 2))
    var given = 0
    for kind in DetectionScores.kinds(.box) {
      #expect(one[kind] == two[kind])
      guard one[kind].missing == nil else {
        #expect(one[kind].interval == nil, "\(kind)")
        continue
      }
      let interval = try #require(one[kind].interval, "\(kind)")
      #expect(interval.contains(try #require(one[kind].value)), "\(kind)")
      given += 1
    }
    #expect(given >= 6)
    #expect(one.perClass(.perCategoryAP) == two.perClass(.perCategoryAP))
    let few = try DetectionScores(
      tally.selecting(Array(0..<49)), ScoringSettings(intervals: bootstrap))
    for kind in DetectionScores.kinds(.box) {
      #expect(few[kind].interval == nil)
      #expect(few[kind].missing == .samples(49))
    }
  }

  /// Images of one object, every fifth missed; every tenth image, or `rare` in total, of the second
  /// class.
  private static func twoClasses(_ images: Int, rare: Int) throws -> DetectionTally {
    try DetectionTally.matching(classCount: 3, images: images) { index in
      let box = Box(x: 0, y: 0, width: 50, height: 50)
      let category = index < rare ? 1 : 0
      let found = FoundObject(
        class: category, score: Double(index * 7 % 101) / 101, box: box, area: box.area)
      return (
        [TruthObject(class: category, box: box, area: box.area)], index % 5 == 0 ? [] : [found]
      )
    }
  }

  @Test("Means over classes with few objects of a class have no interval; what is given is shifted")
  func rareClasses() throws {
    let settings = ScoringSettings(intervals: Bootstrap(draws: 80))
    let rare = try DetectionScores(Self.twoClasses(200, rare: 4), settings)
    #expect(rare[.ap].missing == .rareClass(1, positives: 4))
    #expect(rare[.ap].interval == nil && rare[.ar100].interval == nil)
    #expect(rare.perClass(.perCategoryAP)[1].missing == .positives(4))
    #expect(rare.perClass(.perCategoryAP)[0].interval?.method == .shiftedBootstrap)
    // 2 / (1/20 + 1/180) = 36; 2 / (1/30 + 1/170) = 51.
    let few = try DetectionScores(Self.twoClasses(200, rare: 20), settings)
    guard case .harmonicMean(let mean, _)? = few[.ap].missing else {
      Issue.record("\(String(describing: few[.ap].missing))")
      return
    }
    #expect(Goldens.agree(mean, 36))
    let enough = try DetectionScores(Self.twoClasses(200, rare: 30), settings)
    #expect(enough[.ap].interval?.method == .shiftedBootstrap)
    #expect(enough[.ar100].interval?.method == .bootstrap)
    #expect(enough[.ap].missing == nil)
    // No object is small: there is no value and no reason.
    #expect(enough[.apSmall].value == nil && enough[.apSmall].missing == nil)
    let pair = try DetectionComparison(
      first: Self.twoClasses(200, rare: 4), second: Self.twoClasses(200, rare: 4), settings)
    #expect(pair[.ap]?.missing == .rareClass(1, positives: 4))
  }
}
