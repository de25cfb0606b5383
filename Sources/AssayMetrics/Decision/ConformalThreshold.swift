/// The threshold of split conformal prediction sets: the set of a sample has all classes whose
/// probability is at least the threshold.
///
/// The score of a sample is 1 − probability of its true class (LAC), and the quantile of *n* scores the
/// ⌈(*n* + 1)(1 − *α*)⌉-th smallest. A set of a new sample, exchangeable with these, contains its true
/// class with a probability of at least 1 − *α*, on average over the draws of both (marginal
/// coverage). Source: M. Sadinle, J. Lei, L. Wasserman (2019), doi:10.1080/01621459.2017.1395341;
/// A. Angelopoulos, S. Bates (2021), arXiv:2107.07511.
package enum ConformalThreshold {
  /// The rank of the quantile, ⌈(*n* + 1)(1 − *α*)⌉; *n* + 1 if there are too few samples, whose set
  /// then has all classes.
  package static func rank(of count: Int, risk: Double) -> Int {
    // (n + 1)(1 − α) can miss a whole number by rounding.
    let exact = Double(count + 1) * (1 - risk)
    let whole = exact.rounded()
    return Int(abs(exact - whole) <= 1e-9 * max(1, whole) ? whole : exact.rounded(.up))
  }

  /// The minimum number of samples with which a set can leave out a class.
  package static func leastCount(risk: Double) -> Int {
    let guess = max(0, Int(min((1 / risk).rounded(.down), 1e9)) - 3)
    return (guess...guess + 6).first { rank(of: $0, risk: risk) <= $0 } ?? guess + 6
  }

  /// The minimum probability of a class of a set; 0 if there are too few samples.
  ///
  /// - Parameter own: the probability of the true class of each sample.
  package static func of(_ own: [Float], risk: Double) -> Float {
    let rank = rank(of: own.count, risk: risk)
    guard rank <= own.count, rank > 0 else { return 0 }
    return own.sorted(by: >)[rank - 1]
  }
}
