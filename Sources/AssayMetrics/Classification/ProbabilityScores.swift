import RealModule

/// The scores that evaluate probabilities sample by sample.
package enum ProbabilityScores {
  /// Each sample's log loss: −ln of the true class's probability, clipped to [ε, 1 − ε] of float64
  /// (ε = 2⁻⁵²); from 0 to about 36.
  ///
  /// Source: scikit-learn 1.9.1, `log_loss`.
  package static func logLosses(_ tally: ClassificationTally) -> [Double] {
    tally.probabilities.withUnsafeBufferPointer { probabilities in
      (0..<tally.count).map { index in
        let own = probabilities[index * tally.classCount + Int(tally.truths[index])]
        return -Double.log(min(max(own, .ulpOfOne), 1 - .ulpOfOne))
      }
    }
  }

  /// Each sample's Brier score: Σ over the classes of (probability − indicator of the true class)²,
  /// from 0 to 2.
  ///
  /// Source: G. Brier (1950), doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.
  package static func brierScores(_ tally: ClassificationTally) -> [Double] {
    tally.probabilities.withUnsafeBufferPointer { probabilities in
      (0..<tally.count).map { index in
        let start = index * tally.classCount
        let truth = Int(tally.truths[index])
        var sum = 0.0
        for category in 0..<tally.classCount {
          let miss = probabilities[start + category] - (category == truth ? 1 : 0)
          sum += miss * miss
        }
        return sum
      }
    }
  }

  /// Each sample's number of labels whose probability reaches `accept`.
  static func acceptedCounts(_ tally: ClassificationTally, accept: Double) -> [Double] {
    (0..<tally.count).map { index in
      Double(tally.row(index).reduce(into: 0) { $0 += $1 >= accept ? 1 : 0 })
    }
  }
}
