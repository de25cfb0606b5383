import RealModule

/// The search for the lowest threshold on a score whose promise about the risk among accepted
/// predictions holds with a stated confidence.
///
/// A promise about a threshold that was chosen on the samples has to cover the choice. The
/// thresholds are a grid that does not depend on the samples, and each of them is one hypothesis,
/// “the risk is above the target”. They are tested in sequence from the strictest to the loosest
/// with the exact binomial test (A. Angelopoulos et al. (2021), Learn then Test, arXiv:2110.01052).
/// The sequence has several starts, since few samples reach the strictest thresholds: the level *δ* is
/// divided equally among ``starts``; a rejected hypothesis passes its level on to the next one, where
/// a start's own share is added, and a failed test loses it (the fallback procedure: B. Wiens (2003),
/// doi:10.1002/pst.64; B. Wiens, A. Dmitrienko (2005), doi:10.1080/10543400500265660). The probability
/// that any rejected hypothesis is true is at most *δ*, however the tests depend on each other and
/// whether or not the risk falls with the score.
package struct ThresholdSearch: Sendable {
  /// The maximum risk to be promised, and the probability *δ* with which the promise may fail.
  package let risk: Double
  package let level: Double

  /// - Parameters:
  ///   - risk: above 0 and below 1.
  ///   - level: above 0 and below 1.
  package init(risk: Double, level: Double) {
    self.risk = risk
    self.level = level
  }

  /// The grid: 0.999 to 0.991 in steps of 0.001, 0.99 to 0 in steps of 0.01; descending.
  package static let grid: [Float] =
    (1...9).map { Float(Double(1_000 - $0) / 1_000) }
    + (0...99).map { Float(Double(99 - $0) / 100) }

  /// The thresholds of the grid at which the sequence starts, each with an equal share of the level.
  package static let starts: [Float] = [0.999, 0.99, 0.95, 0.9, 0.8, 0.5]

  /// A threshold and what it accepts.
  package struct Point: Sendable, Hashable {
    /// A prediction is accepted if its score is at least this.
    package var threshold: Float
    /// The number of accepted predictions, and of errors among them.
    package var accepted: Int
    package var errors: Int
    /// The level of its test, and the upper bound of the risk at this level.
    package var level: Double
    package var upper: Double
  }

  /// The result of a search.
  package struct Choice: Sendable, Hashable {
    /// The number of predictions.
    package var count: Int
    /// The lowest threshold that keeps the promise; `nil` if none does.
    package var chosen: Point?
    /// Without one, the tested threshold with the smallest upper bound; `nil` without predictions.
    package var closest: Point?
  }

  /// The minimum number of predictions without error from which a sequence can start:
  /// ⌈ln(*δ* / number of starts) / ln(1 − risk)⌉.
  package var leastCount: Int {
    let needed = Double.log(level / Double(Self.starts.count)) / Double.log(onePlus: -risk)
    return Int(min(needed.rounded(.up), 1e15))
  }

  /// Searches the threshold of predictions.
  ///
  /// - Parameters:
  ///   - scores: one per prediction, finite.
  ///   - isError: whether the prediction at an index is wrong.
  /// - Complexity: O(*n* · log *n*).
  package func choose(_ scores: [Float], isError: (Int) -> Bool) -> Choice {
    let order = scores.indices.sorted { scores[$0] > scores[$1] }
    var choice = Choice(count: scores.count)
    var (accepted, errors, carried) = (0, 0, 0.0)
    // The bound takes much longer than the test, so it is computed only for what is returned.
    var failed: [() -> Point] = []
    var rejected: (() -> Point)?
    for threshold in Self.grid {
      // Equal scores are all accepted or none.
      while accepted < order.count, scores[order[accepted]] >= threshold {
        errors += isError(order[accepted]) ? 1 : 0
        accepted += 1
      }
      let own = Self.starts.contains(threshold) ? level / Double(Self.starts.count) : 0
      let tested = carried + own
      carried = 0
      guard tested > 0, accepted > 0 else { continue }
      let tried = { [accepted, errors] in point(threshold, accepted, errors, tested) }
      if ClopperPearson.atMost(errors, in: accepted, rate: risk) <= tested {
        (carried, rejected) = (tested, tried)
      } else if rejected == nil {
        failed.append(tried)
      }
    }
    if let rejected {
      choice.chosen = rejected()
    } else {
      // Of equal bounds the first one.
      choice.closest = failed.map { $0() }.min { $0.upper < $1.upper }
    }
    return choice
  }

  private func point(_ threshold: Float, _ accepted: Int, _ errors: Int, _ level: Double) -> Point {
    Point(
      threshold: threshold, accepted: accepted, errors: errors, level: level,
      upper: ClopperPearson.upper(errors, in: accepted, level: level) ?? 1)
  }
}
