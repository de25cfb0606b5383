package import AssayCore

/// A detection as it is judged.
package struct FoundObject: Sendable {
  /// An index into the evaluation's classes.
  package var `class`: Int
  /// Finite; ranks the detections.
  package var score: Double
  package var box: Box
  /// The area that its size class follows from, in pixels: of a box its width times its height; of a region
  /// its pixels, or the box's area where the reference takes that.
  package var area: Double
  /// Its region; `nil` where overlaps are taken of boxes.
  package var mask: Mask?

  package init(class: Int, score: Double, box: Box, area: Double, mask: Mask? = nil) {
    self.class = `class`
    self.score = score
    self.box = box
    self.area = area
    self.mask = mask
  }
}
