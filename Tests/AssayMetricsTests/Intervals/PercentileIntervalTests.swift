import Testing

@testable import AssayMetrics

@Suite struct PercentileIntervalTests {
  @Test("More than one undefined draw in twenty leaves no interval")
  func undefinedDraws() {
    let defined = (0..<95).map { Optional(Double($0)) }
    let five = [Double?](repeating: nil, count: 5)
    #expect(PercentileInterval.of(defined + five) != nil)
    #expect(PercentileInterval.of(defined + five + [nil]) == nil)
  }

  @Test("Draws of one value have no spread, so no interval")
  func constant() {
    #expect(PercentileInterval.of([Double?](repeating: 1, count: 100)) == nil)
    #expect(PercentileInterval.of([Double?]()) == nil)
  }
}
