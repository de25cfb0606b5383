import Testing

import AssayMetrics

@Suite struct ClassificationTallyTests {
  private func tally(_ truth: Int, _ scores: [Float]) throws -> ClassifiedSample {
    var tally = try ClassificationTally(classCount: scores.count)
    try tally.add(truth: truth, scores: scores)
    return tally[0]
  }

  @Test(
    "The first largest score wins, and the truth's rank is its place in stable descending order")
  func tiesAndRanks() throws {
    #expect(try tally(1, [0.4, 0.4, 0.2]).predicted == 0)
    #expect(try tally(1, [0.4, 0.4, 0.2]).rank == 2)
    #expect(try tally(0, [0.4, 0.4, 0.2]).rank == 1)
    #expect(try tally(2, [0.25, 0.5, 0.25]).rank == 3)
    #expect(try tally(0, [0.25, 0.5, 0.25]).rank == 2)
  }

  @Test("A tally that normalizes divides each row by its sum")
  func normalization() throws {
    var tally = try ClassificationTally(classCount: 3, normalizes: true)
    // The row sums to 2: 1/2, 3/8, 1/8.
    try tally.add(truth: 0, scores: [1, 0.75, 0.25])
    #expect(tally[0].confidence == 0.5)
    #expect(tally[0].margin == 0.125)
    #expect(tally.probabilities == [0.5, 0.375, 0.125])
  }

  @Test("Rows that sum to 1 within rounding are used as given, so that equal scores stay equal")
  func asGiven() throws {
    // 0.7 + 0.2 + 0.1 is 0.9999999999999999.
    var tally = try ClassificationTally(classCount: 3)
    try tally.add(truths: [2, 0], scores: [0.7, 0.2, 0.1, 0.8, 0.1, 0.1] as [Double])
    #expect(tally.probabilities == [0.7, 0.2, 0.1, 0.8, 0.1, 0.1])
    let scores = try ClassificationScores(tally, ScoringSettings(intervals: nil))
    #expect(scores.perClass(.auroc)[2].value == 0.5)
    #expect(scores.perClass(.averagePrecision)[2].value == 0.5)
  }

  @Test(
    "Rounded probabilities pass: softmax in float32 and float16, 3 to 6 decimals, many classes",
    arguments: [
      [0.33333334, 0.33333334, 0.33333334], [0.3335, 0.3330, 0.3340], [0.9995, 0, 0],
      [0.333, 0.333, 0.333], [0.142, 0.142, 0.142, 0.142, 0.142, 0.143, 0.144],
      [0.98] + Array(repeating: 0, count: 99), [0.96] + Array(repeating: 0.0004, count: 90),
      [1.0000001, 0],
    ])
  func rounded(_ row: [Double]) throws {
    var tally = try ClassificationTally(classCount: row.count)
    try tally.add(truths: [0], scores: row)
    #expect(tally.probabilities == row)
    #expect(tally[0].confidence <= 1)
    let scores = try ClassificationScores(tally, ScoringSettings(intervals: nil))
    #expect(scores.calibration.bins.map(\.count).reduce(0, +) == 1)
  }

  @Test(
    "Rows that miss 1 by more than rounding are refused with what they look like",
    arguments: [
      // Quantized in 1/256, sigmoid, percent, positive logits, truncated to two decimals, votes for no class.
      ([0.9921875, 0], "quantized"), ([0.5, 0.25, 0.2421875], "quantized"),
      ([0.289, 0.703, 0], "quantized"), ([0.9, 0.8, 0.1], "sigmoid"), ([70, 20, 10], "percent"),
      ([3.5, 1.25, 0], "logits"), ([0.33, 0.33, 0.33], "quantized"), ([0.1, 0, 0], "quantized"),
      ([1, 1, 0], "sigmoid"), ([0.5, 0.502], "sigmoid"), ([0.3], "quantized"),
    ] as [([Double], String)])
  func notRounded(_ row: [Double], _ guess: String) throws {
    var tally = try ClassificationTally(classCount: row.count)
    let error = #expect(throws: MetricError.self) { try tally.add(truths: [0], scores: row) }
    let text = try #require(error.map { "\($0)" })
    #expect(text.contains(guess), "\(text)")
    #expect(tally.count == 0)
    var normalizing = try ClassificationTally(classCount: row.count, normalizes: true)
    try normalizing.add(truths: [0], scores: row)
    #expect(abs(normalizing.probabilities.reduce(0, +) - 1) < 1e-12)
  }

  @Test(
    "The runner-up is found whatever the order",
    arguments: [
      [0.5, 0.3, 0.2], [0.5, 0.2, 0.3], [0.3, 0.5, 0.2], [0.2, 0.5, 0.3], [0.3, 0.2, 0.5],
      [0.2, 0.3, 0.5],
    ])
  func runnerUp(_ row: [Double]) throws {
    var tally = try ClassificationTally(classCount: 3)
    try tally.add(truths: [0], scores: row)
    #expect(Goldens.agree(tally[0].margin, 0.2))
  }

  @Test("With one class the margin is the confidence")
  func oneClass() throws {
    let sample = try tally(0, [1])
    #expect(sample.confidence == 1)
    #expect(sample.margin == 1)
    #expect(sample.rank == 1)
  }

  @Test("What has no score is refused by name, and nothing is added")
  func refusals() throws {
    var tally = try ClassificationTally(classCount: 2)
    try tally.add(truth: 0, scores: [0.5, 0.5])
    let before = tally
    #expect(throws: MetricError.scoreCount(expected: 4, found: 3)) {
      try tally.add(truths: [0, 1], scores: [1, 0, 1] as [Double])
    }
    #expect(throws: MetricError.ordinalOutOfRange(sample: 2, ordinal: 2, classes: 2)) {
      try tally.add(truths: [0, 2], scores: [1, 0, 1, 0] as [Double])
    }
    #expect(throws: MetricError.notAProbability(sample: 2, category: 1, value: -1)) {
      try tally.add(truths: [0, 1], scores: [1, 0, 1, -1] as [Double])
    }
    #expect(throws: MetricError.noProbabilityMass(sample: 1)) {
      try tally.add(truths: [0], scores: [0, 0] as [Double])
    }
    #expect(throws: MetricError.notAProbability(sample: 1, category: 0, value: .infinity)) {
      try tally.add(truths: [0], scores: [.infinity, 0] as [Double])
    }
    #expect(throws: (any Error).self) { try tally.add(truths: [0], scores: [.nan, 1] as [Double]) }
    #expect(tally == before)
    #expect(throws: MetricError.classCount(0)) { try ClassificationTally(classCount: 0) }
    #expect(throws: MetricError.classCount(10_001)) { try ClassificationTally(classCount: 10_001) }
  }

  @Test("Negative scores are told apart as logits")
  func logits() {
    let error = MetricError.notAProbability(sample: 3, category: 1, value: -2.5)
    #expect("\(error)".contains("look like logits"))
  }

  @Test("A selection is the tally of these samples alone")
  func selection() throws {
    let rows: [Float] = [0.9, 0.1, 0.2, 0.8, 0.6, 0.4]
    var all = try ClassificationTally(classCount: 2)
    try all.add(truths: [0, 1, 1], scores: rows)
    var some = try ClassificationTally(classCount: 2)
    try some.add(truths: [1, 0], scores: [0.6, 0.4, 0.9, 0.1] as [Float])
    #expect(all.selecting([2, 0]) == some)
    #expect(all.selecting([]) == (try ClassificationTally(classCount: 2)))
  }
}
