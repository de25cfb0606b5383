package import AssayMetrics

/// A class that is missed and another class that is added to the same samples.
package struct LabelConfusion: Hashable, Sendable {
  /// The ordinals of both classes.
  package let missed: Int
  package let added: Int
  /// The number of samples in which the first is missed and the second added.
  package let count: Int
  /// The number of samples in which the first is missed.
  package let total: Int

  package init(missed: Int, added: Int, count: Int, total: Int) {
    self.missed = missed
    self.added = added
    self.count = count
    self.total = total
  }

  /// The share of the samples in which the first class is missed, in `0...1`.
  var share: Double { total == 0 ? 0 : Double(count) / Double(total) }

  /// Returns true if the first comes before the second: more samples, then the larger share, then
  /// the order of the classes.
  static func precedes(_ a: LabelConfusion, _ b: LabelConfusion) -> Bool {
    (b.count, b.share, a.missed, a.added) < (a.count, a.share, b.missed, b.added)
  }
}

/// The samples of a tally with the most wrong classes, and the classes that are most often missed and added
/// together.
package struct LabelMistakes: Sendable {
  /// A sample with at least one wrong class.
  package struct Sample: Sendable, Equatable {
    /// Its index in the tally.
    package let index: Int
    package let evaluated: MultiLabelTally.Evaluated
  }

  /// The samples with the most wrong classes first; ties are ordered by larger ranking loss, then
  /// by the order of the tally.
  package let worst: [Sample]
  /// The indices of all samples with a wrong class, ascending.
  package let wrong: [Int]
  /// The most frequent pairs first.
  package let confusions: [LabelConfusion]

  /// Evaluates every sample of a tally.
  ///
  /// - Parameters:
  ///   - samples: the maximum number of ``worst``.
  ///   - confusions: the maximum number of ``confusions``.
  /// - Precondition: there is one threshold per class.
  /// - Complexity: O(*n* · *k*), plus for each sample the product of its numbers of
  ///   missed and added classes.
  package init(
    _ tally: MultiLabelTally, _ thresholds: LabelThresholds,
    samples: Int = PictureLimits.mistakes, confusions limit: Int = PictureLimits.labelConfusions
  ) {
    var wrong: [(count: Int, loss: Double, index: Int)] = []
    // The added classes of the samples that also miss a class, one sample after the other.
    var added: [Int32] = []
    var starts = [0]
    var missing: [[Int32]] = Array(repeating: [], count: tally.classCount)
    var totals = Array(repeating: 0, count: tally.classCount)
    for index in 0..<tally.count {
      let evaluated = tally.evaluated(index, thresholds)
      guard evaluated.wrong > 0 else { continue }
      wrong.append((evaluated.wrong, evaluated.rankingLoss, index))
      for category in evaluated.missed { totals[category] += 1 }
      guard !evaluated.missed.isEmpty, !evaluated.added.isEmpty else { continue }
      for category in evaluated.missed {
        missing[category].append(Int32(truncatingIfNeeded: starts.count - 1))
      }
      added += evaluated.added.map { Int32(truncatingIfNeeded: $0) }
      starts.append(added.count)
    }
    self.wrong = wrong.map(\.index)
    wrong.sort { ($1.count, $1.loss, $0.index) < ($0.count, $0.loss, $1.index) }
    worst = wrong.prefix(max(0, samples)).map {
      Sample(index: $0.index, evaluated: tally.evaluated($0.index, thresholds))
    }
    var found: [LabelConfusion] = []
    var counts = Array(repeating: 0, count: tally.classCount)
    for (category, places) in missing.enumerated() where !places.isEmpty {
      for place in places.map({ Int($0) }) {
        for other in added[starts[place]..<starts[place + 1]] { counts[Int(other)] += 1 }
      }
      for (other, count) in counts.enumerated() where count > 0 {
        found.append(
          LabelConfusion(missed: category, added: other, count: count, total: totals[category]))
        counts[other] = 0
      }
      found.sort(by: LabelConfusion.precedes)
      found.removeLast(max(0, found.count - max(0, limit)))
    }
    confusions = found
  }
}
