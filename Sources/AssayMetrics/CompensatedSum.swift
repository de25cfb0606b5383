/// A running sum of float64 that carries its rounding error along, so that a million terms lose no
/// digit that matters.
///
/// Source: A. Neumaier (1974), doi:10.1002/zamm.19740540106.
struct CompensatedSum {
  private var sum = 0.0
  private var lost = 0.0

  /// Takes in one finite term.
  mutating func add(_ term: Double) {
    let next = sum + term
    lost += abs(sum) >= abs(term) ? (sum - next) + term : (term - next) + sum
    sum = next
  }

  /// The sum so far; 0 for none.
  var value: Double { sum + lost }
}

extension Sequence<Double> {
  /// The sum with the rounding errors carried along.
  func compensatedSum() -> Double {
    var sum = CompensatedSum()
    for term in self { sum.add(term) }
    return sum.value
  }

  /// The arithmetic mean; `nil` of nothing.
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
