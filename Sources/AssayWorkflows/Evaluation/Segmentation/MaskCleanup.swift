package import AssayCore

/// The post-processing of a predicted mask before its evaluation; the steps are applied in the
/// order of the fields.
package struct MaskCleanup: Sendable, Hashable {
  /// The number of erosions by a 3 × 3 square, followed by as many dilations; removes thin
  /// structures; 0 for none.
  package var opening = 0
  /// The number of dilations, followed by as many erosions; closes gaps; 0 for none.
  package var closing = 0
  /// True to fill holes.
  package var fillsHoles = false
  /// True to keep only the largest component (8-connected); the first one among equals.
  package var keepsLargest = false
  /// The minimum area in pixels; smaller components are removed; 0 for no limit.
  package var minimumArea = 0

  package init() {}

  /// True if masks are evaluated without post-processing.
  package var isNone: Bool { self == MaskCleanup() }

  /// The mask after all steps, with the same size.
  package func applied(to mask: Mask) -> Mask {
    var mask = mask
    if opening > 0 { mask = mask.opened(by: opening) }
    if closing > 0 { mask = mask.closed(by: closing) }
    if fillsHoles { mask = mask.fillingHoles() }
    if keepsLargest { mask = mask.largestComponent() }
    if minimumArea > 0 { mask = mask.removingComponents(below: minimumArea) }
    return mask
  }

  /// The masks of several classes over a common background, with all steps applied to each.
  ///
  /// Pixels that a class loses become background. A class gains only pixels that are background
  /// after that; if several classes would gain a pixel, the first one gets it. The masks therefore
  /// stay disjoint.
  ///
  /// - Parameter masks: disjoint masks of the same size.
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
