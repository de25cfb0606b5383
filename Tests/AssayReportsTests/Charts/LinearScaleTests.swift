import Testing

@testable import AssayReports

@Suite struct LinearScaleTests {
  @Test("A value lies where its share of the domain is")
  func place() {
    // An axis that grows upwards: 0 at 200, 10 at 100; 2.5 is a quarter of the way.
    let scale = LinearScale(0...10, start: 200, end: 100)
    #expect(scale(0) == 200)
    #expect(scale(10) == 100)
    #expect(scale(2.5) == 175)
  }

  @Test(
    "Ticks are round and inside the domain",
    arguments: [
      (0.0...1.0, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]),
      (0...1, 4, [0, 0.25, 0.5, 0.75, 1]),
      (0...1_200, 5, [0, 250, 500, 750, 1_000]),
      (0.13...0.41, 3, [0.2, 0.3, 0.4]),
      (-1...1, 4, [-1, -0.5, 0, 0.5, 1]),
    ])
  func ticks(domain: ClosedRange<Double>, count: Int, expected: [Double]) {
    let ticks = LinearScale(domain, start: 0, end: 100).ticks(count)
    #expect(ticks.count == expected.count)
    for (tick, value) in zip(ticks, expected) { #expect((tick - value).magnitude < 1e-12) }
  }

  @Test(
    "A scale from zero ends at the first tick that holds the largest value",
    arguments: [
      (895.0, 1_000.0), (1_000, 1_000), (1_001, 1_250), (0.41, 0.5), (3, 3),
    ])
  func upTo(largest: Double, end: Double) {
    let scale = LinearScale(upTo: largest, ticks: 5, start: 0, end: 1)
    #expect(scale.domain.lowerBound == 0)
    #expect((scale.domain.upperBound - end).magnitude < 1e-9)
  }

  @Test("A domain without extent and one of nothing still have places")
  func empty() {
    #expect(LinearScale(3...3, start: 0, end: 10)(3) == 0)
    #expect(LinearScale(upTo: 0, ticks: 5, start: 0, end: 10)(0) == 0)
  }
}
