import AssayCore
import Testing

@testable import AssayMetrics

@Suite struct RandomDrawsTests {
  @Test("Neighboring draws share no stretch of random numbers")
  func independentStreams() {
    var seen: Set<UInt64> = []
    for draw in 0..<50 {
      var random = SplitMix64(seed: 0, draw: draw)
      for _ in 0..<100 { seen.insert(random.next()) }
    }
    #expect(seen.count == 5_000)
  }

  @Test("Certain and impossible successes are not drawn")
  func edges() {
    var random = SplitMix64(seed: 1)
    #expect(random.nextBinomial(trials: 10, probability: 0) == 0)
    #expect(random.nextBinomial(trials: 10, probability: 1) == 10)
    #expect(random.nextBinomial(trials: 0, probability: 0.5) == 0)
  }

  @Test("Indices stay below their bound and reach all of it")
  func indices() {
    var random = SplitMix64(seed: 2)
    let drawn = Set((0..<1000).map { _ in random.nextIndex(below: 7) })
    #expect(drawn == Set(0..<7))
  }
}
