/// The numbers of images, objects and detections evaluated, and of detections that are right at the working IoU
/// and score.
package struct ObjectTotals: Sendable, Hashable {
  package var images: Int
  /// Objects to be found; crowds and others that are ignored are not among them.
  package var truths: Int
  /// All detections, whatever their score.
  package var detections: Int
  /// Detections with at least the working score that are right or wrong, and those of them that are right.
  package var counted: Int
  package var right: Int

  package init(images: Int, truths: Int, detections: Int, counted: Int, right: Int) {
    self.images = images
    self.truths = truths
    self.detections = detections
    self.counted = counted
    self.right = right
  }

  /// right / counted; `nil` where nothing was counted.
  var precision: Double? { counted > 0 ? Double(right) / Double(counted) : nil }

  /// right / truths; `nil` without truth.
  var recall: Double? { truths > 0 ? Double(right) / Double(truths) : nil }
}
