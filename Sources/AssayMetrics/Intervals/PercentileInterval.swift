/// The middle 95 % of a bootstrap's draws.
enum PercentileInterval {
  /// The percentiles 2.5 and 97.5, linearly interpolated as in numpy's `percentile`.
  ///
  /// - Parameter draws: one value per draw, `nil` if the metric was undefined in it.
  /// - Returns: `nil` without draws, if more than 5 % are undefined, or if all have the same value:
  ///   draws without spread (of a perfect score, for example) carry no information about the next
  ///   sample.
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

  /// The same for a score that noise biases upward or downward: shifted by the bias that the draws
  /// show, and by twice as much again for the bias of the score itself; clipped to `bounds`, and
  /// wide enough to contain the score.
  ///
  /// The draws add as much noise variance again as the samples have. Therefore a bias that grows
  /// with the noise is 1/(√2 − 1) = 2.4 times the bias that the draws show, and one that grows with
  /// its square is equal to it.
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
