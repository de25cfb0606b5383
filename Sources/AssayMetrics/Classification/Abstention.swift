/// The rule that decides which samples are answered: the largest probability and its margin over
/// the second largest must each reach a threshold.
package struct AbstentionRule: Sendable, Hashable {
  /// The minimum confidence of an answer, in 0...1; also the minimum probability of an accepted
  /// label.
  package var accept: Double
  /// The minimum margin (largest minus second largest probability) of an answer, in 0...1.
  package var margin: Double

  package init(accept: Double, margin: Double = 0) {
    self.accept = accept
    self.margin = margin
  }

  /// Returns whether a sample with this confidence and margin is answered.
  package func answers(confidence: Double, margin: Double) -> Bool {
    confidence >= accept && margin >= self.margin
  }
}

/// The scores of an abstention rule on a set of samples.
package struct AbstentionScores: Sendable, Equatable {
  package var rule: AbstentionRule
  /// The number of samples *n*, the number of answered samples, and the number of correct answers.
  package var count: Int
  package var answered: Int
  package var right: Int
  /// The mean number of labels per sample whose probability reaches `rule.accept`; `nil` without
  /// samples.
  package var meanAccepted: Double?

  /// Applies a rule to all samples of a tally.
  ///
  /// - Complexity: O(*n* · *k*).
  package init(_ tally: ClassificationTally, rule: AbstentionRule) {
    self.rule = rule
    count = tally.count
    answered = 0
    right = 0
    for index in 0..<tally.count
    where rule.answers(confidence: tally.confidences[index], margin: tally.margins[index]) {
      answered += 1
      if tally.truths[index] == tally.predictions[index] { right += 1 }
    }
    let labels = tally.probabilities.reduce(into: 0) { $0 += $1 >= rule.accept ? 1 : 0 }
    meanAccepted = count == 0 ? nil : Double(labels) / Double(count)
  }

  /// The share of answered samples, in 0...1; `nil` without samples.
  package var share: Double? { count == 0 ? nil : Double(answered) / Double(count) }

  /// The accuracy of the answered samples, in 0...1; `nil` if there are none.
  package var accuracy: Double? { answered == 0 ? nil : Double(right) / Double(answered) }
}
