package import AssayCore

/// The result of matching the detections of an image against one ground-truth object.
package struct TruthObjectVerdict: Sendable, Hashable {
  package enum Outcome: UInt8, Sendable {
    /// A detection of its class found it.
    case found
    /// No detection found it, but one with a classification or localization error would have: the
    /// error is reported there.
    case mistaken
    /// No detection found it, and none would have.
    case missed
    /// It is a crowd, or its area is outside the first area range: it does not have to be found.
    case ignored
  }

  package var outcome: Outcome
  /// The detection that found it or, for a mistaken one, the best of those that would have; an
  /// index into the image's detections.
  package var found: Int?

  package init(outcome: Outcome, found: Int? = nil) {
    self.outcome = outcome
    self.found = found
  }

  /// ``DetectionErrorKind/missed`` if it was missed.
  package var error: DetectionErrorKind? { outcome == .missed ? .missed : nil }
}
