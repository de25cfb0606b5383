package import AssayCore
import RealModule

/// The shares of the votes of people for the classes of one sample.
package struct VoteShares: Sendable, Hashable {
  /// One share per class, at least 0; their sum is 1, less the shares of classes that are unknown.
  package var shares: [Double]
  /// True if every class with a share has scores; cross-entropy is infinite otherwise.
  package var isScored: Bool

  package init(shares: [Double], isScored: Bool) {
    self.shares = shares
    self.isScored = isScored
  }
}

/// The scores of predictions against the votes of people.
struct VoteScores: Sendable {
  /// The metrics that are defined for samples with votes.
  static let kinds: [MetricKind] = [.voteCrossEntropy, .expectedAccuracy, .voteDivergence]

  /// The values of each metric, one per sample that has one.
  private(set) var values: [MetricKind: [Double]] = [:]
  /// The number of samples.
  let total: Int

  init(_ tally: ClassificationTally) {
    total = tally.count
    guard !tally.votes.isEmpty else { return }
    var (entropies, accuracies, divergences) = ([Double](), [Double](), [Double]())
    for (index, votes) in tally.votes.enumerated() {
      guard let votes else { continue }
      accuracies.append(votes.shares[Int(tally.predictions[index])])
      guard votes.isScored else { continue }
      var (crossEntropy, entropy) = (0.0, 0.0)
      for (share, probability) in zip(votes.shares, tally.row(index)) where share > 0 {
        // The limits are those of the log loss.
        let probability = min(max(probability, .ulpOfOne), 1 - .ulpOfOne)
        crossEntropy -= share * Double.log(probability)
        entropy -= share * Double.log(share)
      }
      entropies.append(crossEntropy)
      divergences.append(crossEntropy - entropy)
    }
    values = [
      .voteCrossEntropy: entropies, .expectedAccuracy: accuracies, .voteDivergence: divergences,
    ]
  }

  /// The mean of a metric over the samples that have it; undefined if none has.
  func score(_ kind: MetricKind) -> Score {
    guard let values = values[kind], let mean = values.mean() else { return .undefined }
    // A row that sums to a little more than 1 can have a divergence below 0.
    return Score(max(0, mean), defined: values.count, total: total)
  }

  /// The interval of a metric: a bootstrap over the samples that have it, below
  /// ``Bootstrap/leastSamples`` of them Student's t within the metric's range.
  func interval(of kind: MetricKind, _ bootstrap: Bootstrap, workers: Int) throws -> Interval? {
    guard let values = values[kind], !values.isEmpty else { return nil }
    let range = kind.facts.range
    guard values.count >= Bootstrap.leastSamples else {
      return StudentInterval.of(values).map {
        Interval(
          low: max($0.low, range.lowerBound), high: min($0.high, range.upperBound),
          method: $0.method)
      }
    }
    let draws = try SampleBootstrap(means: [values])
      .run(samples: values.count, bootstrap, workers: workers)
    return PercentileInterval.of(draws.means[0]).map {
      Interval(low: max($0.low, range.lowerBound), high: $0.high, method: $0.method)
    }
  }
}
