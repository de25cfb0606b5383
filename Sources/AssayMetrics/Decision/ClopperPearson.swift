import RealModule

/// Exact bounds of the rate of a binomial count.
///
/// Source: C. Clopper, E. Pearson (1934), doi:10.1093/biomet/26.4.404.
package enum ClopperPearson {
  /// The upper bound that the true rate exceeds with a probability of at most `level`; 1 if all
  /// trials are hits, `nil` without trials.
  ///
  /// - Parameter level: 1 − confidence, in 0..<1 and above 0.
  package static func upper(_ hits: Int, in total: Int, level: Double) -> Double? {
    guard total > 0, (0...total).contains(hits) else { return nil }
    guard hits < total else { return 1 }
    return solve { atMost(hits, in: total, rate: $0) > level }
  }

  /// The lower bound that the true rate is below of with a probability of at most `level`; 0 without
  /// hits, `nil` without trials.
  package static func lower(_ hits: Int, in total: Int, level: Double) -> Double? {
    guard total > 0, (0...total).contains(hits) else { return nil }
    return upper(total - hits, in: total, level: level).map { 1 - $0 }
  }

  /// The two-sided 95 % interval; `nil` without trials.
  package static func interval(_ hits: Int, in total: Int) -> ClosedRange<Double>? {
    guard let low = lower(hits, in: total, level: 0.025),
      let high = upper(hits, in: total, level: 0.025)
    else { return nil }
    return low...max(low, high)
  }

  /// The probability of at most `hits` hits in `total` trials, at a rate in 0...1.
  package static func atMost(_ hits: Int, in total: Int, rate: Double) -> Double {
    guard hits < total else { return 1 }
    guard hits >= 0 else { return 0 }
    return IncompleteBeta.regularized(
      1 - rate, complement: rate, Double(total - hits), Double(hits + 1))
  }

  /// The rate in 0...1 up to which a condition holds.
  private static func solve(_ holds: (Double) -> Bool) -> Double {
    var (low, high) = (0.0, 1.0)
    while true {
      let middle = (low + high) / 2
      if middle <= low || middle >= high { return high }
      if holds(middle) { low = middle } else { high = middle }
    }
  }
}

/// The regularized incomplete beta function.
enum IncompleteBeta {
  /// *I*ₓ(*a*, *b*) for *x* in 0...1, *a* and *b* above 0.
  ///
  /// Source: the continued fraction of DLMF 8.17.22, evaluated by Lentz's method.
  ///
  /// - Parameter complement: 1 − *x*, without the rounding of the difference.
  static func regularized(_ x: Double, complement: Double, _ a: Double, _ b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard complement > 0 else { return 1 }
    // The fraction converges fast on one side of the mean.
    guard x <= (a + 1) / (a + b + 2) else {
      return 1 - regularized(complement, complement: x, b, a)
    }
    let logarithm =
      Double.logGamma(a + b) - Double.logGamma(a) - Double.logGamma(b) + a * Double.log(x)
      + b * Double.log(complement)
    return min(1, Double.exp(logarithm) / a * fraction(x, a, b))
  }

  private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    func guarded(_ value: Double) -> Double { abs(value) < 1e-300 ? 1e-300 : value }
    var c = 1.0
    var d = 1 / guarded(1 - (a + b) * x / (a + 1))
    var result = d
    // The number of steps grows with the root of the larger parameter.
    for step in 1...100_000 {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = 1 / guarded(1 + even * d)
      c = guarded(1 + even / c)
      result *= d * c
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / guarded(1 + odd * d)
      c = guarded(1 + odd / c)
      let factor = d * c
      result *= factor
      if abs(factor - 1) < 1e-15 { break }
    }
    return result
  }
}
