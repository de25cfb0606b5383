import AssayCore
import Testing

@testable import AssayMetrics

@Suite("Statistics equal scipy's")
struct ScipyGoldenTests {
  struct File: Decodable {
    var wilson: [[Double]]
    var student: [[Double]]
    var mcnemar: [[Double]]
    var means: [Sample]
    var percentile: Sample
    var binomial: [Binomial]
  }

  /// Values, and the bounds of an interval.
  struct Sample: Decodable {
    var values: [Double]
    var low: Double
    var high: Double

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      values = try list.decode([Double].self)
      low = try list.decode(Double.self)
      high = try list.decode(Double.self)
    }
  }

  struct Binomial: Decodable {
    var trials: Int
    var probability: Double
    var masses: [Double]

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      trials = try list.decode(Int.self)
      probability = try list.decode(Double.self)
      masses = try list.decode([Double].self)
    }
  }

  private let golden: File

  init() throws { golden = try Goldens.load("statistics", as: File.self) }

  @Test("Wilson's interval (binomtest)")
  func wilson() throws {
    for row in golden.wilson {
      let interval = try #require(WilsonInterval.of(Int(row[0]), in: Int(row[1])))
      #expect(Goldens.agree(interval.low, row[2]), "\(row)")
      #expect(Goldens.agree(interval.high, row[3]), "\(row)")
    }
  }

  @Test("Student's quantile (t.ppf)")
  func student() {
    for row in golden.student {
      #expect(Goldens.agree(StudentInterval.quantile(freedom: Int(row[0])), row[1]), "\(row)")
    }
  }

  @Test("Student's interval of a mean (t.interval)")
  func means() throws {
    for sample in golden.means {
      let interval = try #require(StudentInterval.of(sample.values))
      #expect(Goldens.agree(interval.low, sample.low))
      #expect(Goldens.agree(interval.high, sample.high))
    }
  }

  @Test("McNemar's test (binomtest and chi2.sf)")
  func mcNemar() {
    for row in golden.mcnemar {
      let test = McNemar(onlyFirst: Int(row[0]), onlySecond: Int(row[1]))
      #expect(Goldens.agree(test.pValue, row[2]), "\(row)")
    }
  }

  @Test("The percentile interval (numpy.percentile)")
  func percentile() throws {
    let interval = try #require(PercentileInterval.of(golden.percentile.values))
    #expect(Goldens.agree(interval.low, golden.percentile.low))
    #expect(Goldens.agree(interval.high, golden.percentile.high))
  }

  @Test("Drawn binomials follow the distribution (binom.pmf)")
  func binomial() {
    for golden in golden.binomial {
      let draws = 20_000
      var random = SplitMix64(seed: 9)
      var counts = Array(repeating: 0, count: golden.trials + 1)
      for _ in 0..<draws {
        counts[random.nextBinomial(trials: golden.trials, probability: golden.probability)] += 1
      }
      // χ² over the outcomes expected at least five times; its mean is their number, and a correct
      // sampler practically never exceeds that by five standard deviations.
      var (statistic, outcomes) = (0.0, 0.0)
      for (count, mass) in zip(counts, golden.masses) {
        let expected = mass * Double(draws)
        if expected < 5 {
          #expect(count < 25)
          continue
        }
        statistic += (Double(count) - expected) * (Double(count) - expected) / expected
        outcomes += 1
      }
      #expect(
        statistic < outcomes + 5 * (2 * outcomes).squareRoot(),
        "\(golden.trials), \(golden.probability): \(statistic) of \(outcomes)")
    }
  }
}
