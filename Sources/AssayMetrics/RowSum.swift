/// The sum of a float64 row in numpy's order of additions.
///
/// Normalized rows are divided by it, and equality of two quotients determines ties in AUROC and
/// average precision: another order would give other ties than the reference.
/// Source: numpy 2.4.6, `numpy/_core/src/umath/loops_utils.h.src`, `DOUBLE_pairwise_sum`.
enum RowSum {
  /// - Complexity: O(*n*).
  static func of(_ row: UnsafeBufferPointer<Double>) -> Double {
    let count = row.count
    if count < 8 {
      var sum = -0.0
      for value in row { sum += value }
      return sum
    }
    guard count <= 128 else {
      let half = count / 2 - count / 2 % 8
      return of(UnsafeBufferPointer(rebasing: row[..<half]))
        + of(UnsafeBufferPointer(rebasing: row[half...]))
    }
    var lanes = (row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7])
    var index = 8
    while index < count - count % 8 {
      lanes.0 += row[index]
      lanes.1 += row[index + 1]
      lanes.2 += row[index + 2]
      lanes.3 += row[index + 3]
      lanes.4 += row[index + 4]
      lanes.5 += row[index + 5]
      lanes.6 += row[index + 6]
      lanes.7 += row[index + 7]
      index += 8
    }
    var sum =
      ((lanes.0 + lanes.1) + (lanes.2 + lanes.3)) + ((lanes.4 + lanes.5) + (lanes.6 + lanes.7))
    while index < count {
      sum += row[index]
      index += 1
    }
    return sum
  }
}
