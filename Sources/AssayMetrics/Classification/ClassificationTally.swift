/// An accumulator for classified samples, from which scores are computed.
///
/// A row of scores has one nonnegative value per class, and sums to 1 as defined by
/// ``ProbabilityRow``. Rows are converted to float64 and otherwise used as given, as in
/// scikit-learn; ties go to the first largest score. A tally that normalizes accepts rows of any
/// sum and divides them by it; prediction and ranks still come from the original row.
package struct ClassificationTally: Sendable, Equatable {
  /// The maximum number of classes of a tally.
  package static let classLimit = 10_000

  /// The number of classes *k*.
  package let classCount: Int
  /// True if rows are divided by their sums; otherwise they must sum to 1.
  package let normalizes: Bool
  /// False if the rows are 1 for the predicted class and 0 for the others because only classes were
  /// predicted: scores that evaluate probabilities or ranks are then undefined.
  package let hasProbabilities: Bool
  package private(set) var confusion: ConfusionMatrix
  /// One value per sample, as in ``ClassifiedSample``.
  package private(set) var truths: [Int32] = []
  package private(set) var predictions: [Int32] = []
  package private(set) var ranks: [Int32] = []
  package private(set) var confidences: [Double] = []
  package private(set) var margins: [Double] = []
  /// The rows, *n* · *k* values in sample order; divided by their sums if the tally normalizes.
  package private(set) var probabilities: [Double] = []
  /// The votes of people for each sample; `nil` for a sample without votes, empty if no sample has
  /// any.
  package private(set) var votes: [VoteShares?] = []

  /// An empty tally.
  ///
  /// - Throws: ``MetricError/classCount(_:)``.
  package init(
    classCount: Int, normalizes: Bool = false, hasProbabilities: Bool = true
  ) throws(MetricError) {
    guard (1...Self.classLimit).contains(classCount) else { throw .classCount(classCount) }
    self.classCount = classCount
    self.normalizes = normalizes
    self.hasProbabilities = hasProbabilities
    confusion = ConfusionMatrix(classCount: classCount)
  }

  /// The number of samples *n*.
  package var count: Int { truths.count }

  /// The data stored for sample `index`, in `0..<count`.
  package subscript(index: Int) -> ClassifiedSample {
    ClassifiedSample(
      truth: Int(truths[index]), predicted: Int(predictions[index]), rank: Int(ranks[index]),
      confidence: confidences[index], margin: margins[index])
  }

  /// The probabilities of sample `index`, in `0..<count`.
  package func row(_ index: Int) -> ArraySlice<Double> {
    probabilities[index * classCount..<(index + 1) * classCount]
  }

  /// Adds samples with float32 scores: one row of *k* scores per ground-truth label.
  ///
  /// - Throws: ``MetricError``; then nothing was added.
  package mutating func add(truths: [Int], scores: [Float]) throws(MetricError) {
    try add(truths: truths, scores: scores.map(Double.init))
  }

  /// Adds samples with float64 scores: one row of *k* scores per ground-truth label.
  ///
  /// - Throws: ``MetricError``; then nothing was added.
  /// - Complexity: O(*n* · *k*).
  package mutating func add(truths added: [Int], scores: [Double]) throws(MetricError) {
    let (expected, overflow) = added.count.multipliedReportingOverflow(by: classCount)
    guard !overflow, scores.count == expected else {
      throw .scoreCount(expected: expected, found: scores.count)
    }
    let before = count
    reserve(added.count)
    do {
      try scores.withUnsafeBufferPointer { scores throws(MetricError) in
        for (index, truth) in added.enumerated() {
          let row = UnsafeBufferPointer(
            rebasing: scores[index * classCount..<(index + 1) * classCount])
          try append(truth: truth, row: row, sample: before + index)
        }
      }
    } catch {
      removeLast(count - before)
      throw error
    }
    for index in before..<count {
      confusion.add(truth: Int(truths[index]), predicted: Int(predictions[index]))
    }
  }

  /// Adds one sample.
  ///
  /// - Throws: ``MetricError``; then nothing was added.
  package mutating func add(truth: Int, scores: [Float]) throws(MetricError) {
    try add(truths: [truth], scores: scores)
  }

  /// Sets the votes of all samples.
  ///
  /// - Parameter votes: one element per sample, with one share per class.
  /// - Throws: ``MetricError/scoreCount(expected:found:)``.
  package mutating func set(_ votes: [VoteShares?]) throws(MetricError) {
    guard votes.count == count else { throw .scoreCount(expected: count, found: votes.count) }
    for shares in votes {
      guard let shares, shares.shares.count != classCount else { continue }
      throw .scoreCount(expected: classCount, found: shares.shares.count)
    }
    self.votes = votes.contains { $0 != nil } ? votes : []
  }

  /// Appends all samples of another tally.
  ///
  /// - Throws: ``MetricError/classMismatch(_:_:)``.
  package mutating func merge(_ other: ClassificationTally) throws(MetricError) {
    try confusion.merge(other.confusion)
    if !votes.isEmpty || !other.votes.isEmpty {
      func padded(_ tally: ClassificationTally) -> [VoteShares?] {
        tally.votes.isEmpty ? Array(repeating: nil, count: tally.count) : tally.votes
      }
      votes = padded(self) + padded(other)
    }
    truths += other.truths
    predictions += other.predictions
    ranks += other.ranks
    confidences += other.confidences
    margins += other.margins
    probabilities += other.probabilities
  }

  /// The tally of some of the samples, given by their indices in `0..<count`.
  package func selecting(_ indices: [Int]) -> ClassificationTally {
    var part = self
    part.removeLast(count)
    part.confusion = ConfusionMatrix(classCount: classCount)
    part.reserve(indices.count)
    for index in indices {
      part.truths.append(truths[index])
      part.predictions.append(predictions[index])
      part.ranks.append(ranks[index])
      part.confidences.append(confidences[index])
      part.margins.append(margins[index])
      part.probabilities += row(index)
      if !votes.isEmpty { part.votes.append(votes[index]) }
      part.confusion.add(truth: Int(truths[index]), predicted: Int(predictions[index]))
    }
    return part
  }

  private mutating func append(
    truth: Int, row: UnsafeBufferPointer<Double>, sample: Int
  ) throws(MetricError) {
    guard (0..<classCount).contains(truth) else {
      throw .ordinalOutOfRange(sample: sample, ordinal: truth, classes: classCount)
    }
    let own = row[truth]
    var (first, second, rank) = (0, -1, 1)
    for category in row.indices {
      let score = row[category]
      guard score >= 0, score < .infinity else {
        throw .notAProbability(sample: sample, category: category, value: score)
      }
      if score > own || (score == own && category < truth) { rank += 1 }
      if category == 0 { continue }
      if score > row[first] {
        (first, second) = (category, first)
      } else if second < 0 || score > row[second] {
        second = category
      }
    }
    let sum = RowSum.of(row)
    guard sum > 0, sum < .infinity else { throw .noProbabilityMass(sample: sample) }
    guard normalizes || ProbabilityRow.sumsToOne(row, sum: sum) else {
      throw .notNormalized(sample: sample, sum: sum, largest: row[first])
    }
    // Dividing by 1 does not change any bit.
    let divisor = normalizes ? sum : 1
    // Adding 0 turns −0 into 0, whose bit pattern sorts correctly.
    for score in row { probabilities.append(score / divisor + 0) }
    // Rounded probabilities can exceed 1, where the bins of confidence end.
    let confidence = min(1, row[first] / divisor)
    truths.append(Int32(truncatingIfNeeded: truth))
    predictions.append(Int32(truncatingIfNeeded: first))
    ranks.append(Int32(truncatingIfNeeded: rank))
    confidences.append(confidence)
    margins.append(second < 0 ? confidence : confidence - row[second] / divisor)
  }

  private mutating func reserve(_ more: Int) {
    // Only for larger numbers: reserving room for one more each time would copy everything each
    // time.
    guard more > 64 else { return }
    truths.reserveCapacity(count + more)
    predictions.reserveCapacity(count + more)
    ranks.reserveCapacity(count + more)
    confidences.reserveCapacity(count + more)
    margins.reserveCapacity(count + more)
    probabilities.reserveCapacity(probabilities.count + more * classCount)
  }

  private mutating func removeLast(_ samples: Int) {
    let left = count - samples
    truths.removeLast(samples)
    predictions.removeLast(samples)
    ranks.removeLast(samples)
    confidences.removeLast(samples)
    margins.removeLast(samples)
    votes = Array(votes.prefix(left))
    probabilities.removeLast(probabilities.count - left * classCount)
  }
}

/// The data that an evaluation stores for one sample: sufficient for every count, rank and
/// calibration score, so that aggregates, slices and comparisons can be computed from it.
package struct ClassifiedSample: Sendable, Hashable {
  /// The true class's ordinal.
  package var truth: Int
  /// The ordinal of the first largest score.
  package var predicted: Int
  /// The rank of the true class when the scores are sorted stably in descending order, starting at
  /// 1.
  package var rank: Int
  /// The largest probability, in 0...1.
  package var confidence: Double
  /// The largest probability minus the second largest, in 0...1; the largest if there is only one
  /// class.
  package var margin: Double

  package init(truth: Int, predicted: Int, rank: Int, confidence: Double, margin: Double) {
    self.truth = truth
    self.predicted = predicted
    self.rank = rank
    self.confidence = confidence
    self.margin = margin
  }

  /// True if the prediction equals the ground truth.
  package var isCorrect: Bool { truth == predicted }
}
