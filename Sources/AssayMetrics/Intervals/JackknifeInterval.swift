import RealModule

/// The jackknife interval of a score, from its values with each sample left out in turn.
///
/// The bootstrap draws samples twice, and a sample next to its copy biases average precision
/// upward; leaving samples out does not. The score is corrected for the bias that the left-out
/// values show. The interval of a fraction is computed on the logit scale.
/// Source: B. Efron, R. Tibshirani (1993), An Introduction to the Bootstrap, chapter 11.
enum JackknifeInterval {
  /// The 95 % interval of a score in 0...1, or of a difference in −1...1. It contains the score
  /// itself.
  ///
  /// - Parameters:
  ///   - value: the score of all samples.
  ///   - leftOut: the score without one sample.
  ///   - counts: the number of samples that each of these values represents; `nil` for one each.
  /// - Returns: `nil` if all values are equal: they carry no information about other samples.
  static func of(
    _ value: Double, leavingOut leftOut: [Double], counts: [Int]? = nil, isDifference: Bool
  ) -> Interval? {
    let total = Double(counts?.reduce(0, +) ?? leftOut.count)
    guard total >= 2, leftOut.allSatisfy(\.isFinite) else { return nil }
    func sum(_ term: (Double) -> Double) -> Double {
      var sum = 0.0
      for place in leftOut.indices {
        sum += Double(counts?[place] ?? 1) * term(leftOut[place] - value)
      }
      return sum
    }
    // Deviations from the score, because the values themselves are nearly equal.
    let mean = sum { $0 } / total
    let squares = sum { ($0 - mean) * ($0 - mean) }
    let error = ((total - 1) / total * squares).squareRoot()
    guard error > 1e-12 else { return nil }
    let center = value - (total - 1) * mean
    let half = WilsonInterval.normalQuantile * error
    if isDifference {
      return Interval(
        low: max(-1, min(value, center - half)), high: min(1, max(value, center + half)),
        method: .jackknife)
    }
    guard value > 0, value < 1 else { return nil }
    let inside = min(max(center, value / 2), (1 + value) / 2)
    let (place, width) = (
      Double.log(inside / (1 - inside)), half / (inside * (1 - inside))
    )
    return Interval(
      low: min(value, 1 / (1 + Double.exp(width - place))),
      high: max(value, 1 / (1 + Double.exp(-width - place))), method: .jackknife)
  }
}
