/// The samples ranked by their probability of one class (one-vs-rest): AUROC and average precision,
/// with and without weights.
///
/// Source: scikit-learn 1.9.1, `sklearn/metrics/_ranking.py` (`roc_auc_score`,
/// `average_precision_score`).
package struct ClassRanking: Sendable {
  /// The flags next to a sample's index in a step, in the three low bits.
  enum StepFlag {
    /// The ground truth of the sample is the class.
    static let positive: UInt32 = 1
    /// The next sample has a smaller probability.
    static let endsTie: UInt32 = 2
    /// The last of samples with equal probability, at least one of which is positive.
    static let endsTieWithPositive: UInt32 = 4
    /// The number of bits by which the index is shifted to make room.
    static let indexShift: UInt32 = 3
  }

  /// The maximum number of samples whose index fits next to the flags.
  static let sampleLimit = 1 << 29

  /// The number of samples of the class, and of all others.
  package let positives: Int
  package let negatives: Int
  /// The index and flags of each sample, in descending order of probability.
  let steps: [UInt32]

  /// Ranks all samples of a tally.
  ///
  /// - Parameter category: an ordinal in `0..<tally.classCount`.
  /// - Complexity: O(*n*).
  init(_ tally: ClassificationTally, category: Int) {
    let keys = tally.probabilities.withUnsafeBufferPointer { all in
      (0..<tally.count).map { all[$0 * tally.classCount + category] }
    }
    self.init(keys) { tally.truths[$0] == category }
  }

  /// Ranks the samples of a multi-label tally, which have the class or not.
  ///
  /// - Parameter category: an ordinal in `0..<tally.classCount`.
  /// - Complexity: O(*n*).
  init(_ tally: MultiLabelTally, category: Int) {
    let keys = tally.withScores { scores in
      (0..<tally.count).map { scores[$0 * tally.classCount + category] }
    }
    self.init(keys) { tally.labels.contains(category, in: $0) }
  }

  /// Ranks samples by their keys.
  ///
  /// - Parameters:
  ///   - keys: one per sample, as expected by ``DescendingOrder/of(_:)``.
  ///   - isPositive: whether the sample at an index is of the class.
  /// - Complexity: O(*n*).
  private init(_ keys: [Double], isPositive: (Int) -> Bool) {
    var steps = DescendingOrder.of(keys)
    var positives = 0
    var groupHasPositive = false
    let last = steps.count - 1
    for place in steps.indices {
      let index = Int(steps[place])
      var step = steps[place] << StepFlag.indexShift
      if isPositive(index) {
        step |= StepFlag.positive
        positives += 1
        groupHasPositive = true
      }
      if place == last || keys[Int(steps[place + 1])] != keys[index] {
        step |=
          groupHasPositive ? StepFlag.endsTie | StepFlag.endsTieWithPositive : StepFlag.endsTie
        groupHasPositive = false
      }
      steps[place] = step
    }
    self.steps = steps
    self.positives = positives
    negatives = steps.count - positives
  }

  /// The area under the ROC curve, in 0...1, ties counted as half; `nil` without samples of the
  /// class or without other samples.
  ///
  /// - Complexity: O(*n*).
  package var auroc: Double? {
    guard positives > 0, negatives > 0 else { return nil }
    // Twice the number of pairs in which the negative ranks higher, so that ties are integers.
    var lost = 0
    walk { _, above, groupPositives, groupNegatives, _ in
      lost += groupPositives * (2 * above + groupNegatives)
    }
    let pairs = 2 * Double(positives) * Double(negatives)
    return (pairs - Double(lost)) / pairs
  }

  /// Average precision: Σ (recall step) · precision over the distinct thresholds, without interpolation,
  /// in 0...1; `nil` without samples of the class.
  ///
  /// - Complexity: O(*n*).
  package var averagePrecision: Double? {
    guard positives > 0 else { return nil }
    var sum = CompensatedSum()
    walk { found, above, groupPositives, groupNegatives, _ in
      let hits = found + groupPositives
      let precision = Double(hits) / Double(hits + above + groupNegatives)
      sum.add(Double(groupPositives) / Double(positives) * precision)
    }
    return sum.value
  }

  /// The maximum F1 over all thresholds at a sample's score, in 0...1, and a sample whose score is
  /// that threshold, the highest threshold in case of ties; `nil` without samples of the class.
  ///
  /// - Complexity: O(*n*).
  var best: (f1: Double, sample: Int)? {
    guard positives > 0 else { return nil }
    var best = (hits: 0, size: 1, sample: 0)
    walk { found, above, groupPositives, groupNegatives, sample in
      let hits = found + groupPositives
      let size = positives + hits + above + groupNegatives
      // hits/size > best.hits/best.size, exactly: both are below 2³¹.
      if hits * best.size > best.hits * size {
        best = (hits, size, sample)
      }
    }
    return (Double(2 * best.hits) / Double(best.size), best.sample)
  }

  /// Visits each group of equal probability that has a positive, with the numbers of positives and
  /// negatives before it and in it, and its last sample.
  private func walk(
    _ visit: (
      _ found: Int, _ above: Int, _ positives: Int, _ negatives: Int, _ sample: Int
    ) -> Void
  ) {
    var (found, above, groupPositives, groupNegatives) = (0, 0, 0, 0)
    for step in steps {
      if step & StepFlag.positive != 0 { groupPositives += 1 } else { groupNegatives += 1 }
      guard step & StepFlag.endsTie != 0 else { continue }
      if groupPositives > 0 {
        visit(
          found, above, groupPositives, groupNegatives, Int(step >> StepFlag.indexShift))
      }
      found += groupPositives
      above += groupNegatives
      (groupPositives, groupNegatives) = (0, 0)
    }
  }
}
