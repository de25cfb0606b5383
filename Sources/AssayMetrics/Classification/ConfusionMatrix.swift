/// The number of times each class was predicted as each class: rows ground truth, columns
/// prediction, in taxonomy order, including classes without samples.
package struct ConfusionMatrix: Sendable, Equatable {
  /// The number of classes *k*, at least 0.
  package let classCount: Int
  /// *k* · *k* counts, row-major.
  package private(set) var counts: [Int]

  /// A matrix of zeros.
  ///
  /// - Precondition: `classCount` is at least 0 and its square fits an `Int`.
  package init(classCount: Int) {
    self.classCount = classCount
    counts = Array(repeating: 0, count: classCount * classCount)
  }

  /// The matrix with the given counts.
  ///
  /// - Throws: ``MetricError/scoreCount(expected:found:)`` if their number is not the square of
  ///   `classCount`.
  package init(classCount: Int, counts: [Int]) throws(MetricError) {
    guard classCount >= 0, classCount <= ClassificationTally.classLimit else {
      throw .classCount(classCount)
    }
    guard counts.count == classCount * classCount else {
      throw .scoreCount(expected: classCount * classCount, found: counts.count)
    }
    self.classCount = classCount
    self.counts = counts
  }

  /// The count of `truth` predicted as `predicted`, both in `0..<classCount`.
  package subscript(truth: Int, predicted: Int) -> Int {
    counts[truth * classCount + predicted]
  }

  /// Counts one sample, or several; both ordinals are in `0..<classCount`.
  package mutating func add(truth: Int, predicted: Int, count: Int = 1) {
    counts[truth * classCount + predicted] += count
  }

  /// Adds the counts of another matrix.
  ///
  /// - Throws: ``MetricError/classMismatch(_:_:)``.
  package mutating func merge(_ other: ConfusionMatrix) throws(MetricError) {
    guard other.classCount == classCount else {
      throw .classMismatch(classCount, other.classCount)
    }
    for index in counts.indices { counts[index] += other.counts[index] }
  }

  /// The counts as rows.
  package var rows: [[Int]] {
    (0..<classCount).map { Array(counts[$0 * classCount..<($0 + 1) * classCount]) }
  }

  /// The sum of all counts.
  package var total: Int { counts.reduce(0, +) }

  /// The diagonal and the margins, from which every score of the matrix follows.
  package var totals: ClassTotals {
    var totals = ClassTotals(classCount: classCount)
    for truth in 0..<classCount {
      for predicted in 0..<classCount {
        totals.add(truth: truth, predicted: predicted, count: self[truth, predicted])
      }
    }
    return totals
  }

  /// The scores of the matrix.
  package func score() -> ConfusionScores { ConfusionScores(totals) }
}
