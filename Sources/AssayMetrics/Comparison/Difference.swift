/// The scores of two runs on the same samples, and their difference.
package struct Difference: Sendable, Equatable {
  /// The scores of both runs; `nil` if undefined.
  package var first: Double?
  package var second: Double?
  /// The 95 % confidence interval of second − first; `nil` if none has valid coverage.
  package var interval: Interval?
  /// The reason for a missing interval; `nil` if there is another reason, or an interval.
  package var missing: MissingInterval?
  /// The number of classes whose intervals hold simultaneously at 95 %; 1 for a single interval.
  package fileprivate(set) var simultaneous = 1

  package init(first: Double?, second: Double?, interval: Interval? = nil) {
    self.first = first
    self.second = second
    self.interval = interval
  }

  /// - Parameter interval: ignored if either score is undefined.
  init(
    _ first: Score, _ second: Score, _ interval: Interval?, missing: MissingInterval? = nil
  ) {
    let isDefined = first.value != nil && second.value != nil
    self.init(first: first.value, second: second.value, interval: isDefined ? interval : nil)
    self.missing = isDefined && interval == nil ? missing : nil
  }

  /// Second − first; `nil` if either is undefined.
  package var value: Double? {
    guard let first, let second else { return nil }
    return second - first
  }

  /// True if the interval excludes 0; `nil` without an interval.
  package var isClear: Bool? { interval.map { !$0.contains(0) } }
}

extension [Difference] {
  /// The differences of all classes with their intervals widened to hold simultaneously at 95 %.
  ///
  /// - Parameter pValues: p-values of the same differences, corrected over the classes: if one is
  ///   0.05 or more, the interval is extended to include 0, so that it does not contradict the
  ///   test.
  func simultaneous(pValues: [Double?] = []) -> [Difference] {
    // A class in which the runs do not differ was compared, too.
    let classes = count {
      $0.value != nil && ($0.missing == nil || $0.missing == .difference)
    }
    return enumerated().map { category, difference in
      guard let value = difference.value,
        var interval = difference.interval?.widened(around: value, classes: classes)
      else { return difference }
      if category < pValues.count, let pValue = pValues[category], pValue >= 0.05 {
        interval.low = Swift.min(0, interval.low)
        interval.high = Swift.max(0, interval.high)
      }
      var difference = difference
      difference.interval = interval
      difference.simultaneous = classes
      return difference
    }
  }
}
