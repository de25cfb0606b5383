/// Per class: how often it was the truth, was predicted, and both at once.
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
}
