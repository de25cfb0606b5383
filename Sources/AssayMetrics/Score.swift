/// One value of an evaluation, with its confidence interval.
package struct Score: Sendable, Equatable {
  /// The value, in 0...1 if the metric is a fraction; `nil` if it is undefined.
  package var value: Double?
  /// Its 95 % confidence interval; `nil` if none was requested or none has valid coverage.
  package var interval: Interval?
  /// The reason for a missing interval; `nil` if there is another reason, or an interval.
  package var missing: MissingInterval?
  /// The number of classes or samples with a defined value, and their total, for a mean over them.
  package var defined: Int?
  package var total: Int?

  package init(
    _ value: Double?, interval: Interval? = nil, defined: Int? = nil, total: Int? = nil
  ) {
    self.value = value
    self.interval = interval
    self.defined = defined
    self.total = total
  }

  /// A score without a value.
  package static let undefined = Score(nil)
}
