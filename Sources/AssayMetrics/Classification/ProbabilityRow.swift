/// The rule that decides whether a row of scores holds the probabilities of one image's classes.
///
/// The sum must be 1 within rounding: within ``tolerance``, or, where all numbers are multiples of 10⁻ᵈ with
/// *d* in 3...6, within half a unit of that decimal a class, at most ``decimalTolerance``. So 7 classes with
/// 3 decimals may sum to 0.9965 to 1.0035. A row that passes is used as given: dividing it by its sum would
/// change which scores are equal, and so AUROC and average precision.
package enum ProbabilityRow {
  /// The largest |sum − 1| of a row, whatever its numbers are: what float16 softmax keeps.
  package static let tolerance = 0.001
  /// The largest |sum − 1| of a row of decimals.
  package static let decimalTolerance = 0.05

  /// The rule in words, to stand beside a refusal.
  package static let rule = """
    a row counts as probabilities if its sum is 1 within 0.001; with numbers of 3 to 6 decimals, within \
    half a unit of the last decimal per class, at most 0.05
    """

  /// The sum of a row, in numpy's order of additions.
  package static func sum(_ row: some Sequence<Double>) -> Double {
    Array(row).withUnsafeBufferPointer { RowSum.of($0) }
  }

  /// Returns whether a row of this sum counts as probabilities.
  ///
  /// - Parameter row: finite numbers, none negative.
  package static func sumsToOne(_ row: some Collection<Double>, sum: Double) -> Bool {
    let miss = abs(sum - 1)
    if miss <= tolerance { return true }
    guard miss <= decimalTolerance, let unit = decimalUnit(of: row) else { return false }
    // The sum of decimals misses theirs by a little.
    return miss <= Double(row.count) * unit / 2 + 1e-6
  }

  /// The largest of 10⁻³ … 10⁻⁶ of which all numbers are multiples, as far as float32 holds them; `nil`
  /// where there is none.
  private static func decimalUnit(of row: some Collection<Double>) -> Double? {
    [1e3, 1e4, 1e5, 1e6].first { scale in
      row.allSatisfy { value in
        let scaled = value * scale
        return abs(scaled - scaled.rounded()) <= scaled * 1e-7
      }
    }.map { 1 / $0 }
  }

  /// Returns a guess about the scores of a row that does not sum to 1, in one clause.
  ///
  /// - Parameters:
  ///   - sum: of the row, more than 0.
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

  /// A sum as refusals show it: six digits behind the point at most.
  package static func text(_ sum: Double) -> String {
    let rounded = (sum * 1e6).rounded() / 1e6
    return Int(exactly: rounded).map(String.init) ?? "\(rounded)"
  }
}
