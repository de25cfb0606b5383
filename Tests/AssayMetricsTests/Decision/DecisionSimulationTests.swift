import AssayCore
import AssayTestSupport
import Testing

@testable import AssayMetrics

/// The promise of a decision: validation sets are drawn from populations whose risk at each threshold
/// is known, and the chosen threshold breaks the promise in at most a share of 1 − confidence of them.
///
/// `ASSAY_LONG_TESTS=1` draws ten times as many sets.
@Suite struct DecisionSimulationTests {
  /// A population: shares and error rates of scores.
  struct Population: Sendable {
    var scores: [Float]
    var errorRates: [Double]

    /// Scores at the centers of 400 intervals of equal share between `low` and 1.
    init(from low: Double, _ rate: (Double) -> Double) {
      let centers = (0..<400).map { low + (1 - low) * (Double($0) + 0.5) / 400 }
      scores = centers.map { Float($0) }
      errorRates = centers.map(rate)
    }

    /// The risk among accepted predictions; 0 if nothing is accepted.
    func risk(at threshold: Float) -> Double {
      let accepted = scores.indices.filter { scores[$0] >= threshold }
      guard !accepted.isEmpty else { return 0 }
      return accepted.reduce(0) { $0 + errorRates[$1] } / Double(accepted.count)
    }

    func draw(_ count: Int, _ random: inout SplitMix64) -> (scores: [Float], wrong: [Bool]) {
      var (drawn, wrong) = ([Float](), [Bool]())
      for _ in 0..<count {
        let place = random.nextIndex(below: scores.count)
        drawn.append(scores[place])
        wrong.append(random.nextUnit() < errorRates[place])
      }
      return (drawn, wrong)
    }
  }

  private static let risk = 0.1
  private static let level = 0.05
  private static let sets = LongTests.areOn ? 20_000 : 2_000
  /// The number of sets that may break the promise: the expected number, and three standard deviations.
  private static let allowed =
    Double(sets) * level + 3 * (Double(sets) * level * (1 - level)).squareRoot()

  /// Calibrated scores; fewer errors than the scores say; an error rate slightly above the target everywhere; the most confident
  /// predictions are the worst, as with mislabeled or adversarial images; errors in the middle.
  private static let populations: [(name: String, population: Population)] = [
    ("calibrated", Population(from: 0.4) { 1 - $0 }),
    ("few errors", Population(from: 0.4) { 0.4 * (1 - $0) }),
    ("flat", Population(from: 0.4) { _ in 0.105 }),
    ("confident errors", Population(from: 0.4) { $0 > 0.95 ? 0.4 : 0.08 }),
    ("errors in the middle", Population(from: 0.2) { (0.6...0.8).contains($0) ? 0.3 : 0.02 }),
  ]

  @Test("The promise is broken in at most 5 % of validation sets", arguments: [150, 600])
  func promise(_ samples: Int) {
    let search = ThresholdSearch(risk: Self.risk, level: Self.level)
    for (name, population) in Self.populations {
      var (broken, chosen) = (0, 0)
      for set in 0..<Self.sets {
        var random = SplitMix64(seed: 5, draw: set)
        let (scores, wrong) = population.draw(samples, &random)
        guard let point = search.choose(scores, isError: { wrong[$0] }).chosen else { continue }
        chosen += 1
        broken += population.risk(at: point.threshold) > Self.risk ? 1 : 0
      }
      #expect(Double(broken) <= Self.allowed, "\(name), \(samples): \(broken) of \(Self.sets)")
      if name == "few errors", samples == 600 {
        #expect(chosen > Self.sets * 9 / 10, "\(chosen) of \(Self.sets) have a threshold")
      }
      if LongTests.areOn { print(name, samples, "chosen", chosen, "broken", broken) }
    }
  }

  @Test("The lowest threshold whose own bound looks good breaks it more often")
  func naive() {
    let population = Self.populations[2].population
    var broken = 0
    for set in 0..<Self.sets {
      var random = SplitMix64(seed: 5, draw: set)
      let (scores, wrong) = population.draw(600, &random)
      let isChosen = ThresholdSearch.grid.contains { threshold in
        let accepted = scores.indices.filter { scores[$0] >= threshold }
        let errors = accepted.count { wrong[$0] }
        return !accepted.isEmpty
          && ClopperPearson.atMost(errors, in: accepted.count, rate: Self.risk) <= Self.level
      }
      broken += isChosen ? 1 : 0
    }
    #expect(Double(broken) > 2 * Self.allowed, "\(broken) of \(Self.sets)")
  }

  @Test("With a threshold per class, all promises hold together")
  func classes() {
    let parts = Self.populations.map(\.population)
    let search = ThresholdSearch(risk: Self.risk, level: Self.level / Double(parts.count))
    var broken = 0
    for set in 0..<Self.sets {
      var random = SplitMix64(seed: 6, draw: set)
      // The number of predictions of a class is random, too.
      let samples = parts.map { _ in 100 + random.nextIndex(below: 400) }
      let isBroken = zip(parts, samples).map { population, samples in
        let (scores, wrong) = population.draw(samples, &random)
        let point = search.choose(scores, isError: { wrong[$0] }).chosen
        return point.map { population.risk(at: $0.threshold) > Self.risk } ?? false
      }
      broken += isBroken.contains(true) ? 1 : 0
    }
    #expect(Double(broken) <= Self.allowed, "\(broken) of \(Self.sets)")
    if LongTests.areOn { print("per class: broken", broken) }
  }

  @Test("Prediction sets contain the true class as often as promised, on average")
  func sets() {
    let risk = 0.1
    var covered = 0
    for set in 0..<Self.sets {
      var random = SplitMix64(seed: 7, draw: set)
      // Any continuous distribution of the true class’s probability.
      let own = (0..<50).map { _ in Float(random.nextUnit() * random.nextUnit()) }
      let threshold = ConformalThreshold.of(own, risk: risk)
      covered += Float(random.nextUnit() * random.nextUnit()) >= threshold ? 1 : 0
    }
    let (expected, count) = (1 - risk, Double(Self.sets))
    let deviation = (risk * expected / count).squareRoot()
    #expect(Double(covered) / count >= expected - 3 * deviation, "\(covered) of \(count)")
    // With continuous scores it is at most 1/(n + 1) above.
    #expect(Double(covered) / count <= expected + 1.0 / 51 + 3 * deviation)
  }
}
