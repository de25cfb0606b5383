package import AssayCore

/// An object that one of two detectors found, and the other did not.
package struct ObjectChange: Hashable, Sendable {
  /// The sample, an index into those of the pairing.
  package var sample: Int
  /// The annotation's ordinal in its sample.
  package var annotation: Int
  package var sourceID: SourceID?
  /// The object's class, an index into those of the pairing.
  package var category: Int
  /// In pixels.
  package var box: Box
  package var area: Double
  /// What either says about it; one is ``ObjectAnswer/Outcome/found``.
  package var first: ObjectAnswer
  package var second: ObjectAnswer

  /// How sure the detector is that found it.
  package var confidence: Double {
    (first.isFound ? first.confidence : second.confidence) ?? 0
  }
}
