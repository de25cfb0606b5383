package import AssayCore

/// One mistake, to be looked at.
package struct CostlyMistake: Sendable, Hashable {
  package var kind: DetectionErrorKind
  /// The image, in the order in which images were added.
  package var image: Int
  /// An index into the image's detections; `nil` of a missed object.
  package var found: Int?
  /// The object concerned, an index into the image's truth; `nil` of the background.
  package var truth: Int?
  /// The detection's class or, of a missed object, its own.
  package var `class`: Int
  /// The class of the object concerned; `nil` of the background.
  package var truthClass: Int?
  /// The detection's score; `nil` of a missed object.
  package var score: Double?
  /// The overlap with the object concerned, in 0...1; `nil` where there is none.
  package var overlap: Double?
  /// The object's area where one was missed, in pixels, else `nil`.
  package var area: Double?
}
