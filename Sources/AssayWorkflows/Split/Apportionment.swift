/// Divides a number of samples among parts, with exact totals.
///
/// Source: the largest-remainder method (A. Hamilton, 1792); ties go to the lower ordinal.
package enum Apportionment {
  /// Integers that add up to `total` and differ from their quotas by less than 1.
  ///
  /// - Parameters:
  ///   - total: the total, at least 0.
  ///   - weights: the weights, at least 0 and not all 0; `total` times their sum must fit an `Int`.
  package static func divide(_ total: Int, by weights: [Int]) -> [Int] {
    let sum = weights.reduce(0, +)
    guard sum > 0 else { return weights.map { _ in 0 } }
    return settle(
      weights.map { ($0 * total, sum) }, total: total, limits: weights.map { _ in total })
  }

  /// The number of samples of each class in each part.
  ///
  /// Every part has exactly the same total as without regard to classes, all samples of every class
  /// are distributed, and within a part the classes share the total by the largest remainder.
  ///
  /// - Parameters:
  ///   - classes: the number of samples of each class, at least 0.
  ///   - weights: the weights of the parts, greater than 0; with the limit of ``divide(_:by:)``.
  package static func stratify(_ classes: [Int], by weights: [Int]) -> [[Int]] {
    let totals = divide(classes.reduce(0, +), by: weights)
    var rest = classes
    var restWeight = weights.reduce(0, +)
    return zip(totals, weights).map { total, weight in
      let counts =
        weight == restWeight
        ? rest
        : settle(rest.map { ($0 * weight, restWeight) }, total: total, limits: rest)
      rest = zip(rest, counts).map { $0 - $1 }
      restWeight -= weight
      return counts
    }
  }

  /// Integers near the quotas, within `0...limit`, that add up to `total` if possible.
  private static func settle(
    _ quotas: [(numerator: Int, denominator: Int)], total: Int, limits: [Int]
  ) -> [Int] {
    var counts = quotas.map { $0.numerator / $0.denominator }
    let order = quotas.indices.sorted { a, b in
      let (x, y) = (quotas[a], quotas[b])
      // All quotas of a call have the same denominator.
      return (y.numerator % y.denominator, a) < (x.numerator % x.denominator, b)
    }
    var missing = total - counts.reduce(0, +)
    while missing != 0 {
      let before = missing
      for place in missing > 0 ? order : order.reversed() where missing != 0 {
        let step = missing.signum()
        guard 0...limits[place] ~= counts[place] + step else { continue }
        counts[place] += step
        missing -= step
      }
      if missing == before { break }
    }
    return counts
  }
}
