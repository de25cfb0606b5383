/// A running float64 sum with compensation of its rounding error, so that a million terms do not
/// lose a significant digit.
///
/// Source: A. Neumaier (1974), doi:10.1002/zamm.19740540106.
struct CompensatedSum {
  private var sum = 0.0
  private var lost = 0.0

  /// Adds one finite term.
  mutating func add(_ term: Double) {
    let next = sum + term
    lost += abs(sum) >= abs(term) ? (sum - next) + term : (term - next) + sum
    sum = next
  }

  /// The sum so far; 0 for none.
  var value: Double { sum + lost }
}

extension Sequence<Double> {
  /// The sum with compensated rounding errors.
  func compensatedSum() -> Double {
    var sum = CompensatedSum()
    for term in self { sum.add(term) }
    return sum.value
  }

  /// The arithmetic mean; `nil` for no values.
  func mean() -> Double? {
    var sum = CompensatedSum()
    var count = 0
    for term in self {
      sum.add(term)
      count += 1
    }
    return count == 0 ? nil : sum.value / Double(count)
  }
}
