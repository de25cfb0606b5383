package import AssayCore

/// An object that only one of two detectors found.
package struct ObjectChange: Hashable, Sendable {
  /// The index of the sample in the pairing.
  package var sample: Int
  /// The annotation's ordinal in its sample.
  package var annotation: Int
  package var sourceID: SourceID?
  /// The index of the object's class in the pairing.
  package var category: Int
  /// The object's box in pixels.
  package var box: Box
  package var area: Double
  /// The outcomes of the two detectors for the object; one of them is ``ObjectAnswer/Outcome/found``.
  package var first: ObjectAnswer
  package var second: ObjectAnswer

  /// The confidence of the detector that found the object.
  package var confidence: Double {
    (first.isFound ? first.confidence : second.confidence) ?? 0
  }
}
