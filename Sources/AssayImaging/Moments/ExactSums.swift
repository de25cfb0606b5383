/// The sum and the sum of squares of some integers, and values computed from them.
struct ExactSums {
  /// The number of integers, at least 1.
  var count: UInt64
  var sum: UInt64
  var squares: UInt64

  var mean: Double { Double(sum) / Double(count) }

  /// The population standard deviation: the variance times n² is n·Σx² − (Σx)², exact in integers;
  /// only the root and the division round.
  var deviation: Double {
    let scaled = UInt128(count) * UInt128(squares) - UInt128(sum) * UInt128(sum)
    return Double(scaled).squareRoot() / Double(count)
  }
}
