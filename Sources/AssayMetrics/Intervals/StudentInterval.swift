import RealModule

/// Student's t interval of a mean, for too few samples for a bootstrap.
///
/// Source: Student (1908), doi:10.1093/biomet/6.1.1.
package enum StudentInterval {
  /// The 95 % interval of the mean of `values`; `nil` for fewer than 2 values or if all are equal
  /// (their spread then carries no information).
  package static func of(_ values: [Double]) -> Interval? {
    guard values.count >= 2, let mean = values.mean() else { return nil }
    let squares = values.map { ($0 - mean) * ($0 - mean) }.compensatedSum()
    guard squares > 0 else { return nil }
    let freedom = values.count - 1
    let error = (squares / Double(freedom) / Double(values.count)).squareRoot()
    let half = quantile(freedom: freedom) * error
    return Interval(low: mean - half, high: mean + half, method: .student)
  }

  /// The 97.5 % quantile of Student's t with `freedom` degrees, at least 1.
  ///
  /// - Complexity: O(*freedom*): bisection of the distribution's finite series.
  package static func quantile(freedom: Int) -> Double {
    // In the angle θ = atan(t/√ν) the distribution rises from 0 to 1 over a bounded interval.
    var (low, high) = (0.0, Double.pi / 2)
    while true {
      let middle = (low + high) / 2
      if middle <= low || middle >= high { break }
      if centralProbability(angle: middle, freedom: freedom) < 0.95 {
        low = middle
      } else {
        high = middle
      }
    }
    return Double.tan(low) * Double(max(1, freedom)).squareRoot()
  }

  /// P(|T| ≤ √ν · tan θ). Source: Abramowitz and Stegun, 26.7.3 and 26.7.4.
  private static func centralProbability(angle: Double, freedom: Int) -> Double {
    let (sine, cosine) = (Double.sin(angle), Double.cos(angle))
    let isOdd = freedom % 2 == 1
    var term = isOdd ? cosine : 1
    var sum = 0.0
    var power = isOdd ? 1 : 0
    while power <= freedom - 2 {
      sum += term
      term *= cosine * cosine * Double(power + 1) / Double(power + 2)
      power += 2
    }
    return isOdd ? 2 / Double.pi * (angle + sine * sum) : sine * sum
  }
}
