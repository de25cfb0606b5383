import AssayCore
import Testing

@testable import AssayMetrics

@Suite struct ConfusionBootstrapTests {
  @Test("Every draw has as many samples as there were, and only in cells that were seen")
  func totals() throws {
    let matrix = try ConfusionMatrix(classCount: 3, counts: [50, 3, 0, 2, 40, 0, 0, 0, 0])
    let bootstrap = ConfusionBootstrap(matrix)
    var random = SplitMix64(seed: 4)
    for _ in 0..<100 {
      let totals = bootstrap.totals(&random)[0]
      #expect(totals.truth.reduce(0, +) == 95)
      #expect(totals.truth[2] == 0)
      #expect(totals.predicted[2] == 0)
    }
  }

  @Test("A cell's draws have its mean and the multinomial's variance")
  func moments() throws {
    let matrix = try ConfusionMatrix(classCount: 2, counts: [30, 10, 20, 40])
    let bootstrap = ConfusionBootstrap(matrix)
    var random = SplitMix64(seed: 6)
    let hits = (0..<4_000).map { _ in Double(bootstrap.totals(&random)[0].hits[1]) }
    let mean = hits.reduce(0, +) / 4_000
    let variance = hits.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / 4_000
    // n p = 40, n p (1 − p) = 24; the standard errors are 0.08 and 0.54.
    #expect(abs(mean - 40) < 0.32)
    #expect(abs(variance - 24) < 2.2)
  }

  @Test("The draws do not depend on the number of workers")
  func deterministic() throws {
    let matrix = try ConfusionMatrix(classCount: 2, counts: [30, 10, 20, 40])
    let bootstrap = ConfusionBootstrap(matrix)
    let settings = Bootstrap(draws: 40, seed: 7)
    let alone = try bootstrap.run(settings, workers: 1) { $0[0].accuracy }
    #expect(try bootstrap.run(settings, workers: 4) { $0[0].accuracy } == alone)
  }
}
