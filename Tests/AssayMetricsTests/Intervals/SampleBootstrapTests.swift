import Testing

@testable import AssayMetrics

@Suite struct SampleBootstrapTests {
  @Test("The same seed gives the same draws, whatever the number of workers")
  func deterministic() throws {
    let bootstrap = SampleBootstrap(means: [(0..<60).map { Double($0) }])
    let settings = Bootstrap(draws: 50, seed: 11)
    let alone = try bootstrap.run(samples: 60, settings, workers: 1).means
    #expect(alone[0].count == 50)
    #expect(try bootstrap.run(samples: 60, settings, workers: 3).means == alone)
    let other = Bootstrap(draws: 50, seed: 12)
    #expect(try bootstrap.run(samples: 60, other, workers: 1).means != alone)
  }

  @Test("A mean's draws spread like its standard error")
  func spread() throws {
    // 100 values, half 0 and half 1: the standard error is 0.05.
    let bootstrap = SampleBootstrap(means: [(0..<100).map { Double($0 % 2) }])
    let draws = try bootstrap.run(samples: 100, Bootstrap(draws: 1_000, seed: 1), workers: 2)
    let interval = try #require(PercentileInterval.of(draws.means[0]))
    // ± 1.96 standard errors, within the 0.01 between possible means.
    #expect(abs(interval.low - 0.402) < 0.015)
    #expect(abs(interval.high - 0.598) < 0.015)
  }
}
