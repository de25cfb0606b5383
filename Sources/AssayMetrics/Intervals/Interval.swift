/// A 95 % confidence interval: it contains the true value in 95 % of such evaluations.
package struct Interval: Sendable, Hashable {
  package var low: Double
  package var high: Double
  /// The method by which it was computed.
  package var method: IntervalMethod

  package init(low: Double, high: Double, method: IntervalMethod) {
    self.low = low
    self.high = high
    self.method = method
  }

  /// The interval that, together with those of all other compared classes, contains the true values
  /// in 95 % of such comparisons (Bonferroni): the distances of its ends from the value are scaled
  /// by the ratio of the normal quantiles.
  ///
  /// - Parameters:
  ///   - value: the difference that the interval belongs to, in −1...1.
  ///   - classes: the number of classes, at least 1.
  package func widened(around value: Double, classes: Int) -> Interval {
    guard classes > 1 else { return self }
    let factor =
      WilsonInterval.normalQuantile(exceeding: 0.05 / Double(classes))
      / WilsonInterval.normalQuantile
    return Interval(
      low: max(-1, value - max(0, value - low) * factor),
      high: min(1, value + max(0, high - value) * factor), method: method)
  }

  /// Returns whether a value is in the interval, ends included.
  package func contains(_ value: Double) -> Bool { low <= value && value <= high }
}

/// The method by which an interval was computed. The raw value is its name in JSON.
package enum IntervalMethod: String, Sendable, Codable, CaseIterable {
  /// Wilson's score interval of a simple rate.
  case wilson
  /// The bootstrap over samples, percentiles 2.5 and 97.5.
  case bootstrap
  /// The same, shifted by 3 × (mean of draws − score) to correct the bias of average precision.
  case shiftedBootstrap = "shifted_bootstrap"
  /// The delete-one jackknife with bias correction, on the logit scale for fractions.
  case jackknife
  /// Student's t on the values of the samples.
  case student
}

/// The settings of an evaluation's intervals: the number of bootstrap draws and their seed.
package struct Bootstrap: Sendable, Hashable {
  /// The number of draws.
  package var draws: Int
  /// The seed; the same seed gives the same intervals, regardless of the number of workers.
  package var seed: UInt64

  package init(draws: Int = 1_000, seed: UInt64 = 0) {
    self.draws = max(0, draws)
    self.seed = seed
  }

  /// The minimum number of samples for a bootstrap; below it coverage is too low: 84 % at 20
  /// samples instead of 95 %.
  package static let leastSamples = 50

  /// The maximum number of samples for which intervals are computed by default; above it only on
  /// request.
  package static let mostSamplesUnasked = 20_000
}
