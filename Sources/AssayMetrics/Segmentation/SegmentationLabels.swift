/// The labels for the evaluation of pixels, in the order of their values: label 0 first.
package struct SegmentationLabels: Sendable, Hashable {
  /// One name per label, 1 to ``limit`` of them.
  package let names: [String]
  /// True if label 0 is the background: counted in the confusion matrix and in the pixel accuracy, but not
  /// evaluated as a class.
  package let hasBackground: Bool

  /// The maximum number of labels: a pixel's label is one byte.
  package static let limit = 256

  /// - Throws: ``MetricError/labelCount(_:)`` without a label to evaluate, or for more than
  ///   ``limit``.
  package init(names: [String], hasBackground: Bool) throws(MetricError) {
    guard (hasBackground ? 2 : 1)...Self.limit ~= names.count else {
      throw .labelCount(names.count)
    }
    self.names = names
    self.hasBackground = hasBackground
  }

  /// Creates labels for background and one class, as in binary masks.
  package init(foreground name: String) {
    names = ["background", name]
    hasBackground = true
  }

  /// The number of labels *k*, background included.
  package var count: Int { names.count }

  /// The labels that are evaluated as classes.
  package var evaluated: Range<Int> { (hasBackground ? 1 : 0)..<names.count }

  /// True if exactly one class is evaluated, so that its scores are the run's.
  package var isBinary: Bool { evaluated.count == 1 }
}
