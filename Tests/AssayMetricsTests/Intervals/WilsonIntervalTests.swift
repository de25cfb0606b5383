import Testing

import AssayMetrics

@Suite struct WilsonIntervalTests {
  @Test("A rate of nothing has no interval")
  func empty() {
    #expect(WilsonInterval.of(0, in: 0) == nil)
    #expect(WilsonInterval.of(3, in: 2) == nil)
    #expect(WilsonInterval.of(-1, in: 2) == nil)
  }

  @Test("The interval holds the rate and stays within 0...1", arguments: [1, 2, 50, 10_000])
  func bounds(_ total: Int) throws {
    for hits in Set([0, 1, total / 2, total]) {
      let interval = try #require(WilsonInterval.of(hits, in: total))
      #expect(interval.contains(Double(hits) / Double(total)))
      #expect(interval.low >= 0 && interval.high <= 1)
      #expect(interval.low < interval.high)
    }
  }
}
