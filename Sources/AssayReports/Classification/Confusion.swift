package import AssayMetrics

/// One kind of error: a true class that is predicted as another class.
package struct Confusion: Hashable, Sendable {
  /// The ordinals of both classes.
  package let truth: Int
  package let predicted: Int
  /// The number of times the true class was predicted as the other class.
  let count: Int
  /// The number of times the true class occurs.
  let total: Int

  /// The share of the true class, in `0...1`.
  var share: Double { total == 0 ? 0 : Double(count) / Double(total) }

  /// Returns all confusions that occur, the most frequent first; ties are ordered by larger share,
  /// then by the order of the classes.
  package static func all(in matrix: ConfusionMatrix) -> [Confusion] {
    let totals = matrix.rows.map { $0.reduce(0, +) }
    var found: [Confusion] = []
    for truth in 0..<matrix.classCount {
      for predicted in 0..<matrix.classCount where predicted != truth {
        let count = matrix[truth, predicted]
        if count > 0 {
          found.append(
            Confusion(truth: truth, predicted: predicted, count: count, total: totals[truth]))
        }
      }
    }
    return found.sorted { a, b in
      (b.count, b.share, a.truth, a.predicted) < (a.count, a.share, b.truth, b.predicted)
    }
  }
}
