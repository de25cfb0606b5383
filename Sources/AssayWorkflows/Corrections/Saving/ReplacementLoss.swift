package import AssayCore

/// The objects that a class would lose if a run's prediction became the ground truth: masks that
/// boxes replace, or all its objects.
package struct ReplacementLoss: Hashable, Sendable {
  package var category: String
  /// The numbers of objects with pixels and of box-only objects, before and after.
  package var masksBefore = 0
  package var boxesBefore = 0
  package var masksAfter: Int
  package var boxesAfter: Int

  /// - Parameters:
  ///   - objects: the sample's objects; those of other classes, and labels of the image, lines and
  ///     points are ignored, because a prediction does not replace them.
  ///   - masks: the number of objects with pixels that the run has for the class; `boxes`: the
  ///     number without pixels.
  /// - Returns: `nil` if nothing is lost: fewer masks are not a loss as long as no box replaces
  ///   them and at least one object of the class is left.
  package init?(of category: String, in objects: [AnnotatedObject], masks: Int, boxes: Int) {
    self.category = category
    masksAfter = masks
    boxesAfter = boxes
    for object in objects where object.category == category && object.shape.isRegion {
      if object.shape == .box { boxesBefore += 1 } else { masksBefore += 1 }
    }
    let isEmptied = masksBefore + boxesBefore > 0 && masks + boxes == 0
    guard isEmptied || (boxes > 0 && masks < masksBefore) else { return nil }
  }
}

extension ReplacementLoss: CustomStringConvertible {
  /// `replace 12 masks of “person” with 12 boxes, which have no pixels`
  package var description: String {
    let before = Self.counted(masksBefore, boxesBefore)
    if masksAfter + boxesAfter == 0 { return "remove \(before) of “\(category)”" }
    return "replace \(before) of “\(category)” with \(Self.counted(masksAfter, boxesAfter))"
      + (masksAfter == 0 ? ", which \(boxesAfter == 1 ? "has" : "have") no pixels" : "")
  }

  private static func counted(_ masks: Int, _ boxes: Int) -> String {
    [(masks, "mask", "masks"), (boxes, "box", "boxes")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }.joined(separator: " and ")
  }
}
