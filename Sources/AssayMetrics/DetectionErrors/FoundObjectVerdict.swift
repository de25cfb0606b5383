package import AssayCore

/// The result of matching one detection against the ground truth of its image.
package struct FoundObjectVerdict: Sendable, Hashable {
  package enum Outcome: UInt8, Sendable {
    /// It found an object of its class.
    case right
    /// It did not; ``FoundObjectVerdict/error`` says why.
    case wrong
    /// It counts as neither: it lies on a crowd of its class, or is beyond the most detections of a class
    /// that count in an image, or its area is outside the first area range.
    case ignored
  }

  package var outcome: Outcome
  /// The type of its error; `nil` if it is not wrong. Never ``DetectionErrorKind/missed``.
  package var error: DetectionErrorKind?
  /// The truth that it is about, an index into the image's truth: the one it found; where it is wrong in
  /// class or place, the one it would have found; of a duplicate, the one found already; of both, the one it
  /// overlaps most; where it is ignored for a crowd, the crowd. `nil` of the background and for the rest.
  package var truth: Int?
  /// Its overlap with that truth, in 0...1: intersection over union, and with a crowd over its own area.
  package var overlap: Double?

  package init(
    outcome: Outcome, error: DetectionErrorKind? = nil, truth: Int? = nil, overlap: Double? = nil
  ) {
    self.outcome = outcome
    self.error = error
    self.truth = truth
    self.overlap = overlap
  }
}
