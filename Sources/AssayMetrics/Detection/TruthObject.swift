package import AssayCore

/// An object of an image as annotated.
package struct TruthObject: Sendable {
  /// An index into the evaluation's classes.
  package var `class`: Int
  package var box: Box
  /// The annotation's own area, in pixels: never recomputed.
  package var area: Double
  /// True if the object is a crowd annotation: detections on it are neither right nor wrong.
  package var isCrowd: Bool
  /// Its region; `nil` if overlaps are those of boxes.
  package var mask: Mask?
  /// Its keypoints; `nil` if they are not compared, or if it has none.
  package var keypoints: ObjectKeypoints?
  /// True if the object does not have to be found, although it is no crowd: one without labeled
  /// keypoints.
  package var isIgnored: Bool
  /// True if the object counts as never matched, as in pycocotools for annotation id 0.
  package var countsAsUnmatched: Bool

  package init(
    class: Int, box: Box, area: Double, isCrowd: Bool = false, mask: Mask? = nil,
    keypoints: ObjectKeypoints? = nil, isIgnored: Bool = false, countsAsUnmatched: Bool = false
  ) {
    self.class = `class`
    self.box = box
    self.area = area
    self.isCrowd = isCrowd
    self.mask = mask
    self.keypoints = keypoints
    self.isIgnored = isIgnored
    self.countsAsUnmatched = countsAsUnmatched
  }
}
