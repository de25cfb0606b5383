/// A detection of an image as COCO's evaluation sees it: ranked in its class, and matched at every IoU
/// threshold.
package struct RankedResult: Sendable, Equatable {
  /// An index into the evaluation's classes.
  package var `class`: Int
  /// Its place in the image's detections as they were given.
  package var found: Int
  package var score: Double
  /// Its place among its class in this image, from 0, by descending score.
  package var rank: Int
  /// A bit for each IoU threshold at which it takes an object, in the first area range; where the working
  /// IoU is none of the settings' thresholds it is one more, behind them.
  package var matched: UInt64
  /// A bit for each IoU threshold at which it is neither right nor wrong, in the first area range.
  package var ignored: UInt64
  /// The object it takes at the working IoU in the first area range, as a place in the truth as it was
  /// given; also one that need not be found, such as a crowd. `nil` where it takes none.
  package var truth: Int?
}
