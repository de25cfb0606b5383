/// One number of an evaluation, and how sure it is.
package struct Score: Sendable, Equatable {
  /// The value, a fraction in 0...1 where the metric is one; `nil` where it is undefined.
  package var value: Double?
  /// Its interval at 95 %; `nil` where none was asked for or none covers.
  package var interval: Interval?
  /// The reason for a missing interval; `nil` if there is another reason, or an interval.
  package var missing: MissingInterval?
  /// Of a mean over classes or samples: how many of them were defined, and how many there are.
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

  /// Undefined.
  package static let undefined = Score(nil)
}
