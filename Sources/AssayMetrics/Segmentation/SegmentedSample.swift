/// What is kept of one sample's truth and predicted masks: pixel counts, from which every score follows.
package struct SegmentedSample: Sendable, Hashable {
  /// *k* · *k* pixel counts over the labels, row-major: row truth, column prediction.
  package var confusion: [Int]
  /// Two counts a label, intersection and union of the boundary bands of truth and prediction; empty
  /// where they were not asked for.
  package var boundary: [Int]
  /// The number of pixels left out.
  package var void: Int

  package init(confusion: [Int], boundary: [Int] = [], void: Int = 0) {
    self.confusion = confusion
    self.boundary = boundary
    self.void = void
  }

  /// Returns whether the counts are those of `count` labels, none is negative, and measures are in their ranges.
  func fits(_ count: Int) -> Bool {
    confusion.count == count * count && (boundary.isEmpty || boundary.count == 2 * count)
      && void >= 0 && confusion.allSatisfy { $0 >= 0 } && boundary.allSatisfy { $0 >= 0 }
  }
}
