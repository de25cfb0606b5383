import AssayCore
import Testing

@testable import AssayMetrics

@Suite struct ErrorIntervalsTests {
  /// Many images with all types of errors.
  private func tally(from first: Int = 0) throws -> ErrorTally {
    var tally = ErrorTally(classCount: 4)
    for seed in first..<first + 30 where seed % 4 != 0 {
      let set = RandomDetections(seed: seed)
      for image in set.images {
        try tally.add(ImageErrors(truth: image.truth, found: image.found, set.settings))
      }
    }
    return tally
  }

  @Test("A draw gives what the images give, each as often as it was drawn, without matching again")
  func draws() throws {
    let tally = try tally()
    let bootstrap = Bootstrap(draws: 16, seed: 3)
    let draws = try ErrorReduction(tally, workingScore: 0.3, workers: 2)
      .draws(bootstrap, hasCosts: true, workers: 2)
    #expect(draws.count == 16)
    for (index, draw) in draws.enumerated() {
      let weights = DrawWeights(samples: tally.count, seed: 3, block: index / DrawWeights.lanes)
      let drawn = weights.counts.enumerated().flatMap { image, counts in
        Array(repeating: image, count: Int(counts[index % DrawWeights.lanes]))
      }
      #expect(drawn.count == tally.count)
      let scores = try ErrorScores(tally.selecting(drawn))
      #expect(Goldens.agree(draw.averagePrecision, scores.averagePrecision))
      for kind in DetectionErrorKind.allCases {
        #expect(Goldens.agree(draw.cost(kind), scores.cost(kind).value))
      }
      for kind in ErrorReduction.Values.classKinds {
        for category in 0..<4 {
          #expect(
            Goldens.agree(
              draw.value(kind, category), scores.perClass(kind)[category].value))
        }
      }
    }
  }

  @Test("Intervals hold their values, do not depend on the workers, and need 50 images")
  func intervals() throws {
    let tally = try tally()
    try #require(tally.count >= Bootstrap.leastSamples)
    let settings = ScoringSettings(intervals: Bootstrap(draws: 200), workers: 1)
    let scores = try ErrorScores(tally, settings)
    for kind in ErrorReduction.Values.classKinds {
      for score in scores.perClass(kind) {
        let (value, interval) = (try #require(score.value), try #require(score.interval))
        #expect(interval.contains(value), "\(kind): \(value) in \(interval)")
      }
    }
    // These have no reliable interval.
    for kind in ErrorScores.kinds { #expect(scores[kind].interval == nil) }
    #expect(scores.perClass(.bestThreshold).allSatisfy { $0.interval == nil })
    var parallel = settings
    parallel.workers = 3
    #expect(try ErrorScores(tally, parallel) == scores)
    let few = tally.selecting(Array(0..<Bootstrap.leastSamples - 1))
    #expect(try ErrorScores(few, settings).perClass(.f1)[0].interval == nil)
  }

  @Test("A run compared with itself differs nowhere, and is sure of it in no interval")
  func same() throws {
    let tally = try tally()
    let comparison = try ErrorComparison(
      tally, tally, ScoringSettings(intervals: Bootstrap(draws: 40)))
    for kind in ErrorScores.kinds {
      #expect(comparison[kind].value == 0)
      #expect(comparison[kind].interval == nil)
    }
    #expect(comparison.perClass(.f1).count == 4)
    #expect(comparison.lost.isEmpty)
    #expect(comparison.won.isEmpty)
  }

  @Test("Objects that only one of two runs finds are lost or won")
  func lostAndWon() throws {
    func tally(_ found: [FoundObject]) throws -> ErrorTally {
      try ErrorTally.evaluating(classCount: 1, images: 1) { _ in
        ([.of([0, 0, 10, 10]), .of([20, 0, 10, 10]), .of([40, 0, 10, 10])], found)
      }
    }
    let first = try tally([
      .of([0, 0, 10, 10], score: 0.9), .of([20, 0, 10, 10], score: 0.9),
      .of([40, 0, 10, 10], score: 0.2),
    ])
    let second = try tally([
      .of([0, 0, 10, 10], score: 0.9), .of([20, 0, 10, 10], score: 0.2),
      .of([40, 0, 10, 10], score: 0.4),
    ])
    let comparison = try ErrorComparison(first, second)
    #expect(comparison.lost == [ErrorComparison.Place(image: 0, truth: 1)])
    #expect(comparison.won == [ErrorComparison.Place(image: 0, truth: 2)])
  }

  @Test("Runs over other images or another truth are not compared")
  func mismatches() throws {
    let tally = try tally()
    let fewer = tally.selecting(Array(0..<5))
    #expect(throws: MetricError.sampleMismatch(tally.count, 5)) {
      try ErrorComparison(tally, fewer)
    }
    #expect(throws: MetricError.classMismatch(4, 3)) {
      try ErrorComparison(tally, ErrorTally(classCount: 3))
    }
    let full = try #require((0..<tally.count).first { !tally[$0].truths.isEmpty })
    var bare = ErrorTally(classCount: 4)
    try bare.add(ImageErrors(founds: [], truths: []))
    #expect(throws: MetricError.truthMismatch(sample: 0)) {
      try ErrorComparison(tally.selecting([full]), bare)
    }
  }

  @Test("An improvement is seen in the costs, with an interval that leaves out 0")
  func improvement() throws {
    // The second run mislocates every third object, the first every other.
    func tally(every: Int) throws -> ErrorTally {
      try ErrorTally.evaluating(classCount: 1, images: 120) { image in
        let height = image % every == 0 ? 4 : 10
        return (
          [.of([0, 0, 10, 10])], [.of([0, 0, 10, height], score: Double(image % 50) / 50)]
        )
      }
    }
    let comparison = try ErrorComparison(tally(every: 2), tally(every: 3))
    let difference = comparison[.localizationErrorCost]
    #expect(try #require(difference.value) < 0)
    #expect(difference.isClear == true)
    #expect(comparison[.classificationErrorCost].interval == nil)
  }
}
