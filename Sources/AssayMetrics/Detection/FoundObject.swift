package import AssayCore

/// A detection as it is evaluated.
package struct FoundObject: Sendable {
  /// An index into the evaluation's classes.
  package var `class`: Int
  /// The score that ranks the detections; finite.
  package var score: Double
  package var box: Box
  /// The area that determines its size class, in pixels: for a box its width times its height; for
  /// a region its number of pixels, or the box's area if the reference uses that.
  package var area: Double
  /// Its region; `nil` if overlaps are those of boxes.
  package var mask: Mask?
  /// Three numbers per keypoint: x, y in pixels and a score; `nil` if they are not compared, or if it
  /// has none.
  package var keypoints: [Double]?

  package init(
    class: Int, score: Double, box: Box, area: Double, mask: Mask? = nil,
    keypoints: [Double]? = nil
  ) {
    self.class = `class`
    self.score = score
    self.box = box
    self.area = area
    self.mask = mask
    self.keypoints = keypoints
  }
}
