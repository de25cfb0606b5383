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
  /// x and y in pixels of the model's input and a score for each keypoint; empty if there are none.
  package var keypoints: [Double]
  /// The mask; `nil` if there is none.
  package var mask: InstanceMask?

  package init(
    class: Int, score: Float, edges: BoxEdges, scores: [Detection.ClassScore],
    keypoints: [Double] = [], mask: InstanceMask? = nil
  ) {
    self.class = `class`
    self.score = score
    self.edges = edges
    self.scores = scores
    self.keypoints = keypoints
    self.mask = mask
  }

  /// The box with its edges and keypoints multiplied by a factor on each axis.
  package func scaled(x: Double, y: Double) -> DetectedBox {
    guard x != 1 || y != 1 else { return self }
    var box = self
    box.edges = BoxEdges(
      left: edges.left * x, top: edges.top * y, right: edges.right * x, bottom: edges.bottom * y)
    for place in stride(from: 0, to: keypoints.count - 2, by: 3) {
      box.keypoints[place] *= x
      box.keypoints[place + 1] *= y
    }
    return box
  }

  /// The box in the original image's pixels, clipped to the image; `nil` if it is completely
  /// outside. Keypoints are moved to the nearest point of the image, as Ultralytics does.
  ///
  /// - Parameter plan: the resize from the image to the model's input.
  package func detection(through plan: ResizePlan) -> Detection? {
    let first = plan.sourcePoint(x: edges.left, y: edges.top)
    let last = plan.sourcePoint(x: edges.right, y: edges.bottom)
    let (width, height) = (Double(plan.source.width), Double(plan.source.height))
    let (left, right) = (max(first.x, 0), min(last.x, width))
    let (top, bottom) = (max(first.y, 0), min(last.y, height))
    guard right > left, bottom > top else { return nil }
    let box = Box(x: left, y: top, width: right - left, height: bottom - top)
    let mask = mask?.mask(in: box, through: plan)
    return Detection(
      class: self.class, confidence: Double(score), box: box, counts: mask?.compressed,
      area: mask.map { Double($0.area) }, scores: scores, keypoints: keypoints(through: plan))
  }

  /// The box and the keypoints in the original image's pixels, also where they lie outside of the image.
  ///
  /// - Parameter plan: the resize from the image to the model's input.
  package func unclipped(through plan: ResizePlan) -> (box: Box, keypoints: [Double]) {
    let first = plan.sourcePoint(x: edges.left, y: edges.top)
    let last = plan.sourcePoint(x: edges.right, y: edges.bottom)
    let box = Box(x: first.x, y: first.y, width: last.x - first.x, height: last.y - first.y)
    let points = stride(from: 0, to: keypoints.count - 2, by: 3).flatMap { place in
      let point = plan.sourcePoint(x: keypoints[place], y: keypoints[place + 1])
      return [point.x, point.y, keypoints[place + 2]]
    }
    return (box, points)
  }

  private func keypoints(through plan: ResizePlan) -> [Double] {
    let (width, height) = (Double(plan.source.width), Double(plan.source.height))
    return stride(from: 0, to: keypoints.count - 2, by: 3).flatMap { place in
      let point = plan.sourcePoint(x: keypoints[place], y: keypoints[place + 1])
      return [min(max(point.x, 0), width), min(max(point.y, 0), height), keypoints[place + 2]]
    }
  }
}
