/// The rule that decides whether a row of scores contains the probabilities of one image's classes.
///
/// The sum must be 1 up to rounding: within ``tolerance``; or, if all numbers are multiples of 10⁻ᵈ
/// with *d* in 3...6, within half a unit of that decimal per class, at most ``decimalTolerance``.
/// For example, 7 classes with 3 decimals can sum to 0.9965 to 1.0035. An accepted row is used as
/// given: dividing it by its sum would change which scores are equal, and therefore AUROC and
/// average precision.
package enum ProbabilityRow {
  /// The maximum |sum − 1| of any row, enough for a float16 softmax.
  package static let tolerance = 0.001
  /// The maximum |sum − 1| of a row of decimals.
  package static let decimalTolerance = 0.05

  /// The rule in words, to show with an error.
  package static let rule = """
    a row counts as probabilities if its sum is 1 within 0.001; with numbers of 3 to 6 decimals, within \
    half a unit of the last decimal per class, at most 0.05
    """

  /// The sum of a row, in numpy's order of additions.
  package static func sum(_ row: some Sequence<Double>) -> Double {
    Array(row).withUnsafeBufferPointer { RowSum.of($0) }
  }

  /// Returns whether a row with this sum counts as probabilities.
  ///
  /// - Parameter row: finite, nonnegative numbers.
  package static func sumsToOne(_ row: some Collection<Double>, sum: Double) -> Bool {
    let miss = abs(sum - 1)
    if miss <= tolerance { return true }
    guard miss <= decimalTolerance, let unit = decimalUnit(of: row) else { return false }
    // The sum of decimals has a small rounding error.
    return miss <= Double(row.count) * unit / 2 + 1e-6
  }

  /// The largest of 10⁻³ … 10⁻⁶ of which all numbers are multiples, within float32 precision; `nil`
  /// if there is none.
  private static func decimalUnit(of row: some Collection<Double>) -> Double? {
    [1e3, 1e4, 1e5, 1e6].first { scale in
      row.allSatisfy { value in
        let scaled = value * scale
        return abs(scaled - scaled.rounded()) <= scaled * 1e-7
      }
    }.map { 1 / $0 }
  }

  /// Returns a guess about the kind of scores in a row that does not sum to 1, in one clause.
  ///
  /// - Parameters:
  ///   - sum: the sum of the row, greater than 0.
  ///   - largest: its largest score.
  package static func guess(sum: Double, largest: Double) -> String {
    if largest > 1 {
      return abs(sum - 100) <= 1
        ? "they look like percentages: divide them by 100"
        : "scores over 1 look like logits: apply a softmax first"
    }
    return sum > 1
      ? "they look like independent (sigmoid) scores, not like probabilities of one class per image"
      : "they look quantized or truncated, or a class has no column"
  }

  /// A sum as shown in errors: at most six decimals.
  package static func text(_ sum: Double) -> String {
    let rounded = (sum * 1e6).rounded() / 1e6
    return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
  }
}
