/// The counts of a tally at each of many thresholds, the same one for all classes.
///
/// A class is predicted if its score is at least the threshold, compared in the tally's precision as
/// ``LabelThresholds`` does it: the counts at a threshold are those of ``MultiLabelScores`` there.
package struct LabelSweep: Sendable, Equatable {
  /// The thresholds 0, 1/*steps*, …, 1, ascending.
  package let thresholds: [Double]
  /// The number of samples that have a class, by ordinal.
  package let truths: [Int]
  /// The number of samples all of whose classes are right, by threshold.
  package let exact: [Int]
  /// The counts by class and threshold, a class's thresholds beside each other.
  private let hits: [Int]
  private let predictions: [Int]

  /// - Parameter steps: the number of steps between 0 and 1, at least 1.
  /// - Complexity: O(*n* · *k*).
  package init(_ tally: MultiLabelTally, steps: Int = 100) {
    let thresholds = (0...steps).map { Double($0) / Double(steps) }
    let compared = LabelThresholds.compared(thresholds, in: tally.precision)
    let (classes, width) = (tally.classCount, steps + 1)
    var hits = [Int](repeating: 0, count: classes * width)
    var predictions = hits
    var truths = [Int](repeating: 0, count: classes)
    // At each place the change of the number from the threshold before.
    var exact = [Int](repeating: 0, count: width + 1)
    tally.withScores { scores in
      for sample in 0..<tally.count {
        // The thresholds from `first` to `last` make no mistake.
        var (first, last) = (0, steps)
        for category in 0..<classes {
          let score = scores[sample * classes + category]
          var place = min(max(Int(score * Double(steps)), 0), steps)
          while place < steps, compared[place + 1] <= score { place += 1 }
          while place > 0, compared[place] > score { place -= 1 }
          predictions[category * width + place] += 1
          if tally.labels.contains(category, in: sample) {
            truths[category] += 1
            hits[category * width + place] += 1
            last = min(last, place)
          } else {
            first = max(first, place + 1)
          }
        }
        guard first <= last else { continue }
        exact[first] += 1
        exact[last + 1] -= 1
      }
    }
    for category in 0..<classes {
      for place in (0..<steps).reversed() {
        hits[category * width + place] += hits[category * width + place + 1]
        predictions[category * width + place] += predictions[category * width + place + 1]
      }
    }
    var sum = 0
    self.exact = exact.dropLast().map { change in
      sum += change
      return sum
    }
    (self.thresholds, self.truths, self.hits, self.predictions) =
      (thresholds, truths, hits, predictions)
  }

  /// The numbers of samples that have a class and are predicted to have it, by threshold.
  package func hits(of category: Int) -> ArraySlice<Int> { part(of: category, hits) }

  /// The numbers of samples that are predicted to have a class, by threshold.
  package func predictions(of category: Int) -> ArraySlice<Int> { part(of: category, predictions) }

  private func part(of category: Int, _ counts: [Int]) -> ArraySlice<Int> {
    counts[category * thresholds.count..<(category + 1) * thresholds.count]
  }
}
