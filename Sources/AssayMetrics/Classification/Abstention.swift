/// A rule when to answer: the largest probability reaches one threshold, its lead over the runner-up
/// another.
package struct AbstentionRule: Sendable, Hashable {
  /// The least confidence to answer with, in 0...1; also the least probability of an accepted label.
  package var accept: Double
  /// The least margin (largest less second largest probability) to answer with, in 0...1.
  package var margin: Double

  package init(accept: Double, margin: Double = 0) {
    self.accept = accept
    self.margin = margin
  }

  /// Returns whether a sample of this confidence and margin is answered.
  package func answers(confidence: Double, margin: Double) -> Bool {
    confidence >= accept && margin >= self.margin
  }
}

/// The scores of an abstention rule on a set of samples.
package struct AbstentionScores: Sendable, Equatable {
  package var rule: AbstentionRule
  /// The number of samples *n*, how many of them are answered, and how many of those rightly.
  package var count: Int
  package var answered: Int
  package var right: Int
  /// The mean number of labels a sample whose probability reaches `rule.accept`; `nil` of no samples.
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

  /// The share answered, in 0...1; `nil` of no samples.
  package var share: Double? { count == 0 ? nil : Double(answered) / Double(count) }

  /// The accuracy of what is answered, in 0...1; `nil` where nothing is.
  package var accuracy: Double? { answered == 0 ? nil : Double(right) / Double(answered) }
}
