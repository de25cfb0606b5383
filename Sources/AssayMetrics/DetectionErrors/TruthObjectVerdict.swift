package import AssayCore

/// The result of matching the detections of an image against one ground-truth object.
package struct TruthObjectVerdict: Sendable, Hashable {
  package enum Outcome: UInt8, Sendable {
    /// A detection of its class found it.
    case found
    /// None did, but one that is wrong in class or place would have: its error is told there.
    case mistaken
    /// None did, and none would have.
    case missed
    /// It stands for a crowd, or its area is outside the first area range: it need not be found.
    case ignored
  }

  package var outcome: Outcome
  /// The detection that found it or, of a mistaken one, the best of those that would have; an index into
  /// the image's detections.
  package var found: Int?

  package init(outcome: Outcome, found: Int? = nil) {
    self.outcome = outcome
    self.found = found
  }

  /// ``DetectionErrorKind/missed`` where it was missed.
  package var error: DetectionErrorKind? { outcome == .missed ? .missed : nil }
}
