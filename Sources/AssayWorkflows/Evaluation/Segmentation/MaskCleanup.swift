package import AssayCore

/// The post-processing of a predicted mask before its evaluation, step by step in the order of the fields.
package struct MaskCleanup: Sendable, Hashable {
  /// Erode, then dilate so often by a 3 × 3 square: takes away what is thin; 0 for not at all.
  package var opening = 0
  /// Dilate, then erode so often: closes gaps; 0 for not at all.
  package var closing = 0
  /// Set the pixels that the mask encloses.
  package var fillsHoles = false
  /// Keep only the largest of the components (8 neighbors), of equal ones the first.
  package var keepsLargest = false
  /// Take away components of fewer pixels; 0 for none.
  package var minimumArea = 0

  package init() {}

  /// True if masks are evaluated without post-processing.
  package var isNone: Bool { self == MaskCleanup() }

  /// The mask after all steps; of the same size.
  package func applied(to mask: Mask) -> Mask {
    var mask = mask
    if opening > 0 { mask = mask.opened(by: opening) }
    if closing > 0 { mask = mask.closed(by: closing) }
    if fillsHoles { mask = mask.fillingHoles() }
    if keepsLargest { mask = mask.largestComponent() }
    if minimumArea > 0 { mask = mask.removingComponents(below: minimumArea) }
    return mask
  }

  /// The masks of classes that lie on a common background, after all steps on each.
  ///
  /// What a class loses goes to the background; it gains only from the background as it is then, and where
  /// several would gain a pixel the first has it. So they stay disjoint.
  ///
  /// - Parameter masks: disjoint, of one size.
  package func applied(to masks: [Mask]) -> [Mask] {
    guard !isNone, let size = masks.first?.size else { return masks }
    let after = masks.map { applied(to: $0) }
    let kept = zip(masks, after).map { $0.intersection($1) }
    var taken = Mask.union(of: kept, size: size)
    return masks.indices.map { index in
      let gained = after[index].subtracting(taken)
      taken = taken.union(gained)
      return kept[index].union(gained)
    }
  }
}
