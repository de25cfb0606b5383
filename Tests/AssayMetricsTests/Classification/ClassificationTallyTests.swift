import Testing

@testable import AssayMetrics

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

  @Test("Confidence and margin come from the row divided by its sum")
  func normalisation() throws {
    // The row sums to 2: 1/2, 3/8, 1/8.
    let sample = try tally(0, [1, 0.75, 0.25])
    #expect(sample.confidence == 0.5)
    #expect(sample.margin == 0.125)
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
    let sample = try tally(0, [0.3])
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
