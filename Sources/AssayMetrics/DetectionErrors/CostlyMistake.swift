package import AssayCore

/// One error to inspect.
package struct CostlyMistake: Sendable, Hashable {
  package var kind: DetectionErrorKind
  /// The index of the image, in the order in which images were added.
  package var image: Int
  /// An index into the image's detections; `nil` for a missed object.
  package var found: Int?
  /// The object concerned, an index into the image's ground truth; `nil` for the background.
  package var truth: Int?
  /// The detection's class, or the class of a missed object.
  package var `class`: Int
  /// The class of the object concerned; `nil` for the background.
  package var truthClass: Int?
  /// The detection's score; `nil` for a missed object.
  package var score: Double?
  /// The overlap with the object concerned, in 0...1; `nil` if there is none.
  package var overlap: Double?
  /// The area of a missed object in pixels, else `nil`.
  package var area: Double?
}
