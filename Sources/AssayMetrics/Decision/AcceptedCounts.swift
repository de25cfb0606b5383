/// The numbers of predictions that a decision accepts, of many samples that can each have several: labels of a
/// multi-label model, or detections.
///
/// The predictions of a sample depend on each other, so the intervals are over samples.
package struct AcceptedCounts: Sendable, Equatable {
  // One entry per sample.
  /// The numbers of predictions, of accepted ones, and of errors among these.
  private(set) var predictions: [Int] = []
  private(set) var accepted: [Int] = []
  private(set) var errors: [Int] = []

  package init() {}

  /// Adds a sample.
  mutating func add(predictions: Int, accepted: Int, errors: Int) {
    self.predictions.append(predictions)
    self.accepted.append(accepted)
    self.errors.append(errors)
  }

  /// The accepted share of all predictions; undefined without predictions.
  package func coverage(withInterval: Bool) -> Score {
    Self.share(accepted, of: predictions, withInterval)
  }

  /// The share of errors among the accepted predictions; undefined if none is accepted.
  package func risk(withInterval: Bool) -> Score {
    Self.share(errors, of: accepted, withInterval)
  }

  /// A ratio of sums over samples with its jackknife interval.
  private static func share(_ parts: [Int], of wholes: [Int], _ withInterval: Bool) -> Score {
    let (part, whole) = (parts.reduce(0, +), wholes.reduce(0, +))
    guard whole > 0 else { return .undefined }
    let value = Double(part) / Double(whole)
    var score = Score(value)
    guard withInterval else { return score }
    let count = wholes.count { $0 > 0 }
    guard count >= Bootstrap.leastSamples else {
      score.missing = .samples(count)
      return score
    }
    // Samples without predictions change nothing.
    let leftOut = wholes.indices.filter { wholes[$0] > 0 }.map {
      Double(part - parts[$0]) / Double(whole - wholes[$0])
    }
    score.interval = JackknifeInterval.of(value, leavingOut: leftOut, isDifference: false)
    if score.interval == nil { score.missing = .value(value) }
    return score
  }
}

extension MultiLabelTally {
  /// The labels that a decision accepts; an error is an accepted label that the sample does not have.
  ///
  /// - Parameter rule: the thresholds of the tally's classes.
  package func accepted(by rule: AcceptanceRule) -> AcceptedCounts {
    var counts = AcceptedCounts()
    for index in 0..<count {
      let scores = row(index)
      var (accepted, errors) = (0, 0)
      for category in 0..<classCount
      where rule.accepts(category, score: scores[category]) {
        accepted += 1
        errors += labels.contains(category, in: index) ? 0 : 1
      }
      counts.add(predictions: classCount, accepted: accepted, errors: errors)
    }
    return counts
  }
}

extension DetectionTally {
  /// The detections that a decision accepts; an error is an accepted detection that matches no object at the working
  /// IoU. Detections of ignored objects do not count.
  ///
  /// - Parameter rule: the thresholds of the tally's classes, which are compared with scores as float32.
  package func accepted(by rule: AcceptanceRule) -> AcceptedCounts {
    let bit: UInt64 = 1 << UInt64(matcher.working)
    var counts = AcceptedCounts()
    for index in 0..<count {
      var (all, accepted, errors) = (0, 0, 0)
      for result in columns[index].results where result.ignored & bit == 0 {
        all += 1
        guard rule.accepts(result.class, score: Double(Float(result.score))) else { continue }
        accepted += 1
        errors += result.matched & bit == 0 ? 1 : 0
      }
      counts.add(predictions: all, accepted: accepted, errors: errors)
    }
    return counts
  }
}
