package import AssayCore
package import AssayImaging

/// A box that a detector found.
package struct DetectedBox: Hashable, Sendable {
  /// The ordinal of the class in the model.
  package var `class`: Int
  package var score: Float
  /// The edges in pixels of the model's input.
  package var edges: BoxEdges
  /// The scores of all classes that are high enough for this box, highest first; empty if only the
  /// score of its own class is kept.
  package var scores: [Detection.ClassScore]

  /// The box in the original image's pixels, clipped to the image; `nil` if it is completely
  /// outside.
  ///
  /// - Parameter plan: the resize from the image to the model's input.
  package func detection(through plan: ResizePlan) -> Detection? {
    let first = plan.sourcePoint(x: edges.left, y: edges.top)
    let last = plan.sourcePoint(x: edges.right, y: edges.bottom)
    let (width, height) = (Double(plan.source.width), Double(plan.source.height))
    let (left, right) = (max(first.x, 0), min(last.x, width))
    let (top, bottom) = (max(first.y, 0), min(last.y, height))
    guard right > left, bottom > top else { return nil }
    return Detection(
      class: self.class, confidence: Double(score),
      box: Box(x: left, y: top, width: right - left, height: bottom - top), scores: scores)
  }
}
