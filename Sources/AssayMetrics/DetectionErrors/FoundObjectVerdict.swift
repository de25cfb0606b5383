package import AssayCore

/// The result of matching one detection against the ground truth of its image.
package struct FoundObjectVerdict: Sendable, Hashable {
  package enum Outcome: UInt8, Sendable {
    /// The detection found an object of its class.
    case right
    /// The detection did not; ``FoundObjectVerdict/error`` has the reason.
    case wrong
    /// The detection counts as neither: it is on a crowd of its class, or beyond the maximum number
    /// of detections per class and image, or its area is outside the first area range.
    case ignored
  }

  package var outcome: Outcome
  /// The type of its error; `nil` if it is not wrong. Never ``DetectionErrorKind/missed``.
  package var error: DetectionErrorKind?
  /// The object concerned, an index into the image's ground truth: the object found; for
  /// localization and classification errors, the object that would have been found; for a
  /// duplicate, the object already found; for both, the object with the largest overlap; for a
  /// detection ignored because of a crowd, the crowd. `nil` for background and all others.
  package var truth: Int?
  /// The overlap with that object, in 0...1: intersection over union; for a crowd, over the
  /// detection's area.
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
