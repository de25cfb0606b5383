import Testing

@testable import AssayMetrics

/// Bounds and tails, compared with scipy's `beta.ppf` and `binom.cdf`.
@Suite struct ClopperPearsonTests {
  struct Content: Decodable {
    struct Case: Decodable {
      var errors: Int
      var count: Int
      var upper: [String: Double]
      var low: Double
      var high: Double
      var tail: Double
    }
    var bounds: [Case]
  }

  @Test("Bounds and tails equal those of scipy")
  func goldens() throws {
    let cases = try Goldens.load("decision", as: Content.self).bounds
    #expect(cases.count > 40)
    for item in cases {
      for (level, upper) in item.upper {
        let found = ClopperPearson.upper(
          item.errors, in: item.count, level: try #require(Double(level)))
        #expect(Goldens.agree(found, upper, 1e-9), "\(item) \(level): \(found ?? -1)")
      }
      let interval = try #require(ClopperPearson.interval(item.errors, in: item.count))
      #expect(Goldens.agree(interval.lowerBound, item.low, 1e-9), "\(item): \(interval)")
      #expect(Goldens.agree(interval.upperBound, item.high, 1e-9), "\(item): \(interval)")
      let tail = ClopperPearson.atMost(item.errors, in: item.count, rate: 0.1)
      // Small tails decide tests, so they are compared relatively.
      #expect(abs(tail - item.tail) <= 1e-8 * item.tail + 1e-300, "\(item): \(tail)")
    }
  }

  @Test("Without trials there is no bound; with errors only it is 1")
  func limits() {
    #expect(ClopperPearson.upper(0, in: 0, level: 0.05) == nil)
    #expect(ClopperPearson.upper(3, in: 2, level: 0.05) == nil)
    #expect(ClopperPearson.upper(4, in: 4, level: 0.05) == 1)
    #expect(ClopperPearson.lower(0, in: 4, level: 0.05) == 0)
    #expect(ClopperPearson.interval(0, in: 0) == nil)
  }
}
