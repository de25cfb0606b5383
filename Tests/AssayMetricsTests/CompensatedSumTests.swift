import Testing

@testable import AssayMetrics

@Suite struct CompensatedSumTests {
  @Test("Small terms beside large ones are not lost")
  func compensated() {
    // Left to right this gives 0.
    #expect([1, 1e100, 1, -1e100].compensatedSum() == 2)
  }

  @Test("Nothing has the sum 0 and no mean")
  func empty() {
    #expect([Double]().compensatedSum() == 0)
    #expect([Double]().mean() == nil)
  }
}
