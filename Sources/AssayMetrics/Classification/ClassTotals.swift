/// The numbers of ground-truth samples, predictions, and correct predictions per class.
package struct ClassTotals: Sendable, Equatable {
  package private(set) var hits: [Int]
  package private(set) var truth: [Int]
  package private(set) var predicted: [Int]

  package init(classCount: Int) {
    hits = Array(repeating: 0, count: classCount)
    truth = hits
    predicted = hits
  }

  /// Counts `count` samples of one cell of a confusion matrix.
  package mutating func add(truth: Int, predicted: Int, count: Int) {
    self.truth[truth] += count
    self.predicted[predicted] += count
    if truth == predicted { hits[truth] += count }
  }

  /// Counts a sample for one class only: whether it has the class, and whether the class is
  /// predicted.
  mutating func add(_ category: Int, isTrue: Bool, isPredicted: Bool) {
    truth[category] += isTrue ? 1 : 0
    predicted[category] += isPredicted ? 1 : 0
    hits[category] += isTrue && isPredicted ? 1 : 0
  }

  /// Adds the counts of another value with the same number of classes.
  mutating func merge(_ other: ClassTotals) {
    for category in hits.indices {
      hits[category] += other.hits[category]
      truth[category] += other.truth[category]
      predicted[category] += other.predicted[category]
    }
  }
}
