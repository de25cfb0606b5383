/// A detection of an image in COCO's evaluation: ranked in its class, and matched at every IoU
/// threshold.
package struct RankedResult: Sendable, Equatable {
  /// An index into the evaluation's classes.
  package var `class`: Int
  /// Its position in the image's detections as given.
  package var found: Int
  package var score: Double
  /// Its rank within its class in this image, from 0, by descending score.
  package var rank: Int
  /// A bit for each IoU threshold at which it matches an object, in the first area range; if the
  /// working IoU is not one of the settings' thresholds, it has an additional bit after them.
  package var matched: UInt64
  /// A bit for each IoU threshold at which it is neither right nor wrong, in the first area range.
  package var ignored: UInt64
  /// The object it matches at the working IoU in the first area range, as a position in the ground
  /// truth as given; possibly one that does not have to be found, such as a crowd. `nil` if it
  /// matches none.
  package var truth: Int?
}
