import RealModule

/// Wilson's score interval of a simple rate.
///
/// Source: E. Wilson (1927), doi:10.1080/01621459.1927.10502953.
package enum WilsonInterval {
  /// The 97.5 % quantile of the standard normal distribution.
  static let normalQuantile = 1.959963984540054

  /// The value that a standard normal variable exceeds in absolute value with a probability in
  /// 0..<1.
  static func normalQuantile(exceeding probability: Double) -> Double {
    var (low, high) = (0.0, 40.0)
    while true {
      let middle = (low + high) / 2
      if middle <= low || middle >= high { return low }
      if Double.erfc(middle / 2.0.squareRoot()) > probability {
        low = middle
      } else {
        high = middle
      }
    }
  }

  /// The 95 % interval of `hits` in `total`, within 0...1; `nil` if `total` is 0 or `hits` is not
  /// in `0...total`.
  package static func of(_ hits: Int, in total: Int) -> Interval? {
    guard total > 0, (0...total).contains(hits) else { return nil }
    let (n, z) = (Double(total), normalQuantile)
    let rate = Double(hits) / n
    let scale = 1 + z * z / n
    let center = (rate + z * z / (2 * n)) / scale
    let half = z / scale * (rate * (1 - rate) / n + z * z / (4 * n * n)).squareRoot()
    return Interval(
      low: hits == 0 ? 0 : max(0, center - half), high: hits == total ? 1 : min(1, center + half),
      method: .wilson)
  }
}
