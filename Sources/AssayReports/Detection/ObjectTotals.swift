/// The numbers of images, objects and detections evaluated, and of detections that are correct at
/// the working IoU and score.
package struct ObjectTotals: Sendable, Hashable {
  package var images: Int
  /// The number of ground-truth objects, without crowds and other ignored objects.
  package var truths: Int
  /// The number of all detections, whatever their score.
  package var detections: Int
  /// The number of detections with at least the working score that are correct or wrong, and the
  /// number of correct ones.
  package var counted: Int
  package var right: Int

  package init(images: Int, truths: Int, detections: Int, counted: Int, right: Int) {
    self.images = images
    self.truths = truths
    self.detections = detections
    self.counted = counted
    self.right = right
  }

  /// right / counted; `nil` if nothing was counted.
  var precision: Double? { counted > 0 ? Double(right) / Double(counted) : nil }

  /// right / truths; `nil` without ground truth.
  var recall: Double? { truths > 0 ? Double(right) / Double(truths) : nil }
}
