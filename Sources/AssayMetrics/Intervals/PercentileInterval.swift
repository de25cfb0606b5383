/// The middle 95 % of a bootstrap's draws.
enum PercentileInterval {
  /// The percentiles 2.5 and 97.5, linear between neighbours as numpy's `percentile`.
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

  private static func percentile(_ share: Double, of sorted: [Double]) -> Double {
    let place = share * Double(sorted.count - 1)
    let below = Int(place)
    guard below + 1 < sorted.count else { return sorted[sorted.count - 1] }
    return sorted[below] + (place - Double(below)) * (sorted[below + 1] - sorted[below])
  }
}
