/// The thresholds of a decision on predictions, by class.
package struct AcceptanceRule: Sendable, Hashable {
  /// The minimum score of an accepted prediction of each class; `nil` for a class that is never
  /// accepted.
  package var thresholds: [Float?]

  package init(thresholds: [Float?]) { self.thresholds = thresholds }

  /// Returns whether a prediction of a class with this score is accepted.
  package func accepts(_ category: Int, score: Double) -> Bool {
    guard thresholds.indices.contains(category), let threshold = thresholds[category] else {
      return false
    }
    return score >= Double(threshold)
  }
}

extension ClassificationTally {
  /// The number of accepted predictions of a decision, and of errors among them.
  package func accepted(by rule: AcceptanceRule) -> (count: Int, errors: Int) {
    var (accepted, errors) = (0, 0)
    for index in 0..<count
    where rule.accepts(Int(predictions[index]), score: confidences[index]) {
      accepted += 1
      errors += truths[index] == predictions[index] ? 0 : 1
    }
    return (accepted, errors)
  }
}
