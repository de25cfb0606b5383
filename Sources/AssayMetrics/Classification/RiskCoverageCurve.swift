/// The risk (share of wrong answers) among the samples with the largest scores, as a function of
/// the share of answered samples: the gain from answering only if a score is high.
///
/// A threshold cannot separate samples with equal scores: within such a group errors count as
/// evenly distributed, which is the average over all orders of the group.
/// Source: R. El-Yaniv, Y. Wiener (2010), JMLR 11; Y. Geifman, G. Uziel, R. El-Yaniv (2019), ICLR.
package struct RiskCoverageCurve: Sendable, Equatable {
  /// The result of a threshold: every sample with a score of at least `threshold` is answered.
  package struct Point: Sendable, Equatable {
    package var threshold: Double
    /// The number of answered samples, and the number of wrong answers among them.
    package var answered: Int
    package var errors: Int
    /// The share of wrong answers, in 0...1.
    package var risk: Double { Double(errors) / Double(answered) }
  }

  /// The number of samples *n*.
  package let count: Int
  /// One point per distinct score, thresholds descending.
  package let points: [Point]

  /// The curve of samples, each with a score and an outcome.
  ///
  /// - Parameters:
  ///   - scores: confidences or margins, finite and at least 0.
  ///   - isCorrect: whether the sample at an index is correct.
  /// - Complexity: O(*n*).
  package init(scores: [Double], isCorrect: (Int) -> Bool) {
    let order = DescendingOrder.of(scores)
    var points: [Point] = []
    points.reserveCapacity(order.count)
    var errors = 0
    for (place, index) in order.enumerated() {
      errors += isCorrect(Int(index)) ? 0 : 1
      let score = scores[Int(index)]
      if place + 1 < order.count, scores[Int(order[place + 1])] == score { continue }
      points.append(Point(threshold: score, answered: place + 1, errors: errors))
    }
    count = order.count
    self.points = points
  }

  /// The area under the curve, (1/*n*) · Σ risk at *k* for *k* = 1…*n*, in 0...1; `nil` without
  /// samples.
  package var area: Double? {
    guard count > 0 else { return nil }
    var sum = CompensatedSum()
    var (answered, errors) = (0, 0)
    for point in points {
      let group = Double(point.answered - answered)
      let groupErrors = Double(point.errors - errors)
      for place in 1...(point.answered - answered) {
        sum.add((Double(errors) + Double(place) * groupErrors / group) / Double(answered + place))
      }
      (answered, errors) = (point.answered, point.errors)
    }
    return sum.value / Double(count)
  }

  /// The expected accuracy if a share of the samples is answered, those with the largest scores
  /// first; `nil` without samples or for a coverage outside (0, 1].
  ///
  /// The number of answered samples is `coverage` · *n*, rounded up.
  package func accuracy(atCoverage coverage: Double) -> Double? {
    guard count > 0, coverage > 0, coverage <= 1 else { return nil }
    let answered = min(count, max(1, Int((coverage * Double(count)).rounded(.up))))
    var before = Point(threshold: .infinity, answered: 0, errors: 0)
    for point in points {
      if point.answered >= answered {
        let share = Double(answered - before.answered) / Double(point.answered - before.answered)
        let errors = Double(before.errors) + share * Double(point.errors - before.errors)
        return 1 - errors / Double(answered)
      }
      before = point
    }
    return nil
  }

  /// The point with the largest coverage whose risk is at most `risk`; `nil` if no threshold
  /// achieves that.
  package func point(atRisk risk: Double) -> Point? { points.last { $0.risk <= risk } }

  /// The share of samples that are answered at a point.
  package func coverage(of point: Point) -> Double { Double(point.answered) / Double(count) }

  /// At most `limit` of the points (at least 2), evenly distributed over the coverage, including
  /// the first and the last: enough to draw the curve.
  package func thinned(to limit: Int) -> [Point] {
    guard points.count > max(2, limit) else { return points }
    let steps = max(2, limit) - 1
    var chosen: [Point] = []
    var step = 0
    for point in points where point.answered * steps >= step * count || step == 0 {
      chosen.append(point)
      step = point.answered * steps / count + 1
    }
    if chosen.last != points.last, let last = points.last { chosen[chosen.count - 1] = last }
    return chosen
  }
}
