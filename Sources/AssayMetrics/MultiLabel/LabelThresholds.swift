/// The minimum score at which each class is predicted.
package struct LabelThresholds: Sendable, Hashable {
  /// The threshold of every class unless another is given.
  package static let usual = 0.5

  /// The thresholds by class, each in 0...1.
  package let values: [Double]

  /// The same threshold for all classes.
  ///
  /// - Throws: ``MetricError/threshold(_:)`` unless it is in 0...1.
  package init(
    _ threshold: Double = LabelThresholds.usual, classCount: Int
  ) throws(MetricError) {
    try self.init(perClass: Array(repeating: threshold, count: max(0, classCount)))
  }

  /// One threshold per class.
  ///
  /// - Throws: ``MetricError/threshold(_:)`` unless each is in 0...1.
  package init(perClass values: [Double]) throws(MetricError) {
    for value in values where !(value >= 0 && value <= 1) { throw .threshold(value) }
    self.values = values
  }

  /// Returns the ordinals of the classes that float32 scores predict, ascending: those whose score
  /// is at least the threshold, which is rounded to float32 first.
  ///
  /// - Parameter scores: at most one per class.
  package func predicted(_ scores: [Float]) -> [Int] {
    zip(scores, compared(in: .single)).enumerated().filter { Double($1.0) >= $1.1 }.map(\.offset)
  }

  /// The thresholds, converted to a precision for comparison with scores.
  func compared(in precision: MultiLabelTally.Precision) -> [Double] {
    Self.compared(values, in: precision)
  }

  /// Thresholds, converted to a precision for comparison with scores.
  static func compared(
    _ values: [Double], in precision: MultiLabelTally.Precision
  ) -> [Double] {
    precision == .single ? values.map { Double(Float($0)) } : values
  }

  /// Rejects thresholds for a different number of classes.
  ///
  /// - Throws: ``MetricError/classMismatch(_:_:)``.
  func check(classCount: Int) throws(MetricError) {
    guard values.count == classCount else { throw .classMismatch(classCount, values.count) }
  }
}
