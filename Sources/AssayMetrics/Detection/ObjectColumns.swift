package import AssayCore

/// The ground-truth objects of many images, column by column, in any order; those of one image and
/// class in the order of the file, which decides equal overlaps. An object whose image or class is
/// out of range is ignored.
package struct TruthColumns: Sendable {
  /// Indices into the images, which are in the order of their ids.
  package var images: [Int32]
  package var classes: [Int32]
  package var boxes: [Box]
  /// The annotations' own areas.
  package var areas: [Double]
  package var isCrowd: [Bool]
  /// True for objects that do not have to be found, although they are no crowds; empty if there are
  /// none.
  package var isIgnored: [Bool]
  /// The positions of the objects that the reference counts as never matched.
  package var unmatched: Set<Int>

  /// All columns have the same length.
  package init(
    images: [Int32] = [], classes: [Int32] = [], boxes: [Box] = [], areas: [Double] = [],
    isCrowd: [Bool] = [], isIgnored: [Bool] = [], unmatched: Set<Int> = []
  ) {
    self.images = images
    self.classes = classes
    self.boxes = boxes
    self.areas = areas
    self.isCrowd = isCrowd
    self.isIgnored = isIgnored
    self.unmatched = unmatched
  }
}

/// The detections of many images, column by column, in any order; equal scores of one image and
/// class rank in the given order. A detection whose image or class is out of range is ignored.
package struct FoundColumns: Sendable {
  package var images: [Int32]
  package var classes: [Int32]
  /// The scores, all finite.
  package var scores: [Double]
  package var boxes: [Box]
  /// The areas; empty if a detection's area is that of its box or, with regions, its region.
  package var areas: [Double]

  /// All columns have the same length, except areas.
  package init(
    images: [Int32] = [], classes: [Int32] = [], scores: [Double] = [], boxes: [Box] = [],
    areas: [Double] = []
  ) {
    self.images = images
    self.classes = classes
    self.scores = scores
    self.boxes = boxes
    self.areas = areas
  }
}

/// The functions that return the regions of columns. They are called concurrently by several
/// threads, at most once for each region, and only if a region is needed.
package struct MaskColumns: Sendable {
  /// Takes a position in the columns; returns `nil` if there is no region, which overlaps nothing.
  package var truth: @Sendable (Int) -> Mask?
  package var found: @Sendable (Int) -> Mask?

  package init(
    truth: @escaping @Sendable (Int) -> Mask?, found: @escaping @Sendable (Int) -> Mask?
  ) {
    self.truth = truth
    self.found = found
  }
}

/// The functions that return the keypoints of columns; the same rules as for ``MaskColumns`` apply.
package struct KeypointColumns: Sendable {
  /// Takes a position in the columns; returns `nil` if there are no keypoints, which are similar to
  /// nothing.
  package var truth: @Sendable (Int) -> ObjectKeypoints?
  package var found: @Sendable (Int) -> [Double]?

  package init(
    truth: @escaping @Sendable (Int) -> ObjectKeypoints?,
    found: @escaping @Sendable (Int) -> [Double]?
  ) {
    self.truth = truth
    self.found = found
  }
}
