/// The middle 95 % of a bootstrap's draws.
enum PercentileInterval {
  /// The percentiles 2.5 and 97.5, linear between neighbors as numpy's `percentile`.
  ///
  /// - Parameter draws: one value a draw, `nil` where the metric was undefined in it.
  /// - Returns: `nil` of no draws, where more than 5 % are undefined, or where all are one value: a draw
  ///   without spread (a perfect score, say) tells nothing about the next sample.
  static func of(_ draws: some Sequence<Double?>) -> Interval? {
    var total = 0
    var values: [Double] = []
    for draw in draws {
      total += 1
      if let draw { values.append(draw) }
    }
    guard !values.isEmpty, Double(values.count) >= 0.95 * Double(total) else { return nil }
    values.sort()
    guard values[0] < values[values.count - 1] else { return nil }
    return Interval(
      low: percentile(0.025, of: values), high: percentile(0.975, of: values), method: .bootstrap)
  }

  /// The same of a score that noise makes too high or too low: moved by what the draws show of that, and by
  /// twice as much again for what the score itself has of it; cut to `bounds`, and wide enough to hold the
  /// score.
  ///
  /// The draws are as noisy again as the samples, in squares. So a bias that grows with the noise is
  /// 1/(√2 − 1) = 2.4 times what they show, one that grows with its square as much as they show.
  static func unbiased(
    _ draws: some Sequence<Double?>, _ value: Double, in bounds: ClosedRange<Double>
  ) -> Interval? {
    guard let plain = of(draws), let mean = draws.lazy.compactMap({ $0 }).mean() else { return nil }
    let shift = 3 * (mean - value)
    return Interval(
      low: min(value, max(bounds.lowerBound, plain.low - shift)),
      high: max(value, min(bounds.upperBound, plain.high - shift)), method: .shiftedBootstrap)
  }

  private static func percentile(_ share: Double, of sorted: [Double]) -> Double {
    let place = share * Double(sorted.count - 1)
    let below = Int(place)
    guard below + 1 < sorted.count else { return sorted[sorted.count - 1] }
    return sorted[below] + (place - Double(below)) * (sorted[below + 1] - sorted[below])
  }
}
