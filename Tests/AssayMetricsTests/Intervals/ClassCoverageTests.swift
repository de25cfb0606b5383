import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayMetrics

/// The coverage of the intervals of means over classes, if they are given, for a known population:
/// classes as in FER-2013, skewed, 5 % positives, three equal ones, twenty by Zipf's law.
///
/// `ASSAY_LONG_TESTS=1` draws 1,000 sets of each and requires 88 to 98.5 % each and 93 % on
/// average. The short version draws 40 sets of some, and requires 90 % on average.
@Suite struct ClassCoverageTests {
  private static let isLong = LongTests.areOn

  struct Population: Sendable, CustomTestStringConvertible {
    var name: String
    var shares: [Double]
    var sizes: [Int]
    var testDescription: String { name }

    /// A tally of `count` samples: the logit of the sample's class is higher by 1.6, with unit normal noise on
    /// all.
    func tally(_ count: Int, seed: Int) throws -> ClassificationTally {
      var random = SplitMix64(seed: 31, draw: seed)
      func normal() -> Double {
        (-2 * log(1 - random.nextUnit())).squareRoot() * cos(2 * .pi * random.nextUnit())
      }
      var tally = try ClassificationTally(classCount: shares.count)
      for _ in 0..<count {
        var place = random.nextUnit() * shares.reduce(0, +)
        var truth = 0
        while truth + 1 < shares.count, place >= shares[truth] {
          place -= shares[truth]
          truth += 1
        }
        let scores = shares.indices.map {
          exp(normal() + ($0 == truth ? 1.6 : 0) + 0.5 * log(shares[$0]))
        }
        let sum = scores.reduce(0, +)
        try tally.add(truth: truth, scores: scores.map { Float($0 / sum) })
      }
      return tally
    }
  }

  private static let populations = [
    Population(
      name: "FER-like", shares: [0.137, 0.0153, 0.138, 0.2485, 0.1745, 0.1113, 0.1754],
      sizes: isLong ? [50, 100, 200, 1_000, 2_000] : [100, 1_000]),
    Population(
      name: "skewed", shares: [0.6, 0.2, 0.1, 0.05, 0.03, 0.015, 0.005],
      sizes: isLong ? [50, 200, 1_000, 4_000] : [200]),
    Population(
      name: "5 % positives", shares: [0.95, 0.05],
      sizes: isLong ? [50, 200, 400, 1_000] : [100, 800]),
    Population(
      name: "three even classes", shares: [1, 1, 1],
      sizes: isLong ? [50, 100, 200, 1_000] : [200]),
    Population(
      name: "twenty Zipf classes", shares: (1...20).map { 1 / Double($0) },
      sizes: isLong ? [200, 1_000, 2_000] : [200]),
  ]

  @Test("Intervals of means over classes cover where they are given", arguments: populations)
  func coverage(_ population: Population) throws {
    let sets = Self.isLong ? 1_000 : 40
    let kinds: [MetricKind] = [
      .balancedAccuracy, .macroF1Defined, .macroAUROC, .meanAveragePrecision,
    ]
    let truth = try ClassificationScores(
      population.tally(Self.isLong ? 200_000 : 20_000, seed: -1),
      ScoringSettings(intervals: nil, workers: 2))
    var shares: [Double] = []
    for size in population.sizes {
      let rows = try IndexedWork.map(sets, workers: 2) { set -> [Bool?] in
        guard
          let scores = try? ClassificationScores(
            population.tally(size, seed: set),
            ScoringSettings(intervals: Bootstrap(draws: 8), workers: 1))
        else { return [] }
        return kinds.map { kind in
          guard let interval = scores[kind].interval, let value = truth[kind].value,
            scores[kind].defined ?? 0 == scores[kind].total ?? 0
          else { return nil }
          return interval.contains(value)
        }
      }
      for (place, kind) in kinds.enumerated() {
        let given = rows.compactMap { $0.count == kinds.count ? $0[place] : nil }
        if Self.isLong {
          print(
            population.name, size, kind.rawValue, "given", given.count, "covers",
            given.isEmpty ? "-" : "\(Double(given.count { $0 }) / Double(given.count))")
        }
        // If fewer have one, they are sets with more of the rarest class than the population has.
        guard given.count * 2 >= sets else { continue }
        let share = Double(given.count { $0 }) / Double(given.count)
        shares.append(share)
        if Self.isLong {
          #expect(
            (0.88...0.985).contains(share), "\(population.name), \(kind.rawValue) at \(size)")
        }
      }
    }
    let mean = shares.isEmpty ? 1 : shares.reduce(0, +) / Double(shares.count)
    #expect(mean >= (Self.isLong ? 0.93 : 0.9), "\(population.name): \(shares)")
  }

  @Test("With 100 samples of FER-2013's classes no mean over classes has an interval")
  func withheld() throws {
    for seed in 0..<20 {
      let scores = try ClassificationScores(
        Self.populations[0].tally(100, seed: seed),
        ScoringSettings(intervals: Bootstrap(draws: 8)))
      for kind in [MetricKind.macroF1Defined, .macroAUROC, .meanAveragePrecision] {
        #expect(scores[kind].interval == nil && scores[kind].missing != nil)
      }
    }
  }
}
