/// A score of two runs over the same samples, and what lies between them.
package struct Difference: Sendable, Equatable {
  /// The score of either run; `nil` where undefined.
  package var first: Double?
  package var second: Double?
  /// The interval at 95 % of second − first; `nil` where none is honest.
  package var interval: Interval?

  package init(first: Double?, second: Double?, interval: Interval? = nil) {
    self.first = first
    self.second = second
    self.interval = interval
  }

  /// - Parameter interval: left out where either score is undefined.
  init(_ first: Score, _ second: Score, _ interval: Interval?) {
    let isDefined = first.value != nil && second.value != nil
    self.init(first: first.value, second: second.value, interval: isDefined ? interval : nil)
  }

  /// Second − first; `nil` where either is undefined.
  package var value: Double? {
    guard let first, let second else { return nil }
    return second - first
  }

  /// Whether the interval leaves out 0; `nil` without an interval.
  package var isClear: Bool? { interval.map { !$0.contains(0) } }
}
