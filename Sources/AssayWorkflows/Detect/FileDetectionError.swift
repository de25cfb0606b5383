import AssayCore
import AssayFormats
package import AssayMetrics

/// An error that prevents the evaluation of detections in files.
package enum FileDetectionError: Error, Hashable {
  /// The results were given as the ground truth, and the ground truth as the results.
  case swapped(truth: String, results: String)
  /// Regions are to be compared, but no result has a region.
  case noRegions(file: String, hasBoxes: Bool)
  /// No result can be used: the reasons, and what to check; `nil` if the reasons are sufficient.
  case nothingUsable(file: String, count: Int, reasons: [String], advice: String?)
  /// A region that cannot be rasterized because its image has no size; the annotation's JSON
  /// pointer and the image's id.
  case noImageSize(file: String, pointer: String, image: String)
  /// Keypoints are to be compared, but the ground truth, or the results, have none.
  case noTrueKeypoints(file: String, hasBoxes: Bool)
  case noKeypoints(file: String)
  /// The keypoints of a class cannot be compared.
  case keypoints(file: String, KeypointProblem)
  /// `--sigmas` for an evaluation of boxes or regions.
  case sigmasWithoutKeypoints(OverlapKind)
  /// `--compat` for an evaluation of keypoints.
  case compatWithKeypoints
  /// The arrays of `--arrays` are larger than an archive can be.
  case arraysTooLarge
}

extension FileDetectionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .swapped(let truth, let results):
      """
      --gt \(truth) is a list of results, and --dt \(results) has images and annotations: they look swapped
      give --gt \(results) --dt \(truth)
      """
    case .noRegions(let file, let hasBoxes):
      "\(file): no result has a 'segmentation', which --iou-type segm compares"
        + (hasBoxes
          ? "; evaluate the boxes with --iou-type bbox (--compat pycocotools uses each bbox as a region)"
          : "")
    case .noTrueKeypoints(let file, let hasBoxes):
      "\(file): the results have 'keypoints', but no annotation has any to compare them with"
        + (hasBoxes
          ? "\nto evaluate their boxes, give --iou-type bbox"
          : "\ngive the ground truth of the keypoints (person_keypoints_…json)")
    case .noKeypoints(let file):
      "\(file): no result has 'keypoints', which --iou-type keypoints compares"
    case .keypoints(let file, let problem): "\(file): \(problem)"
    case .sigmasWithoutKeypoints(let overlap):
      """
      --sigmas is for keypoints, but \(overlap.noun) are compared
      add --iou-type keypoints, or leave --sigmas out
      """
    case .compatWithKeypoints:
      """
      --compat pycocotools is not available for keypoints: its bugs are reproduced for boxes and regions only
      leave --compat out; the findings name what pycocotools handles differently
      """
    case .arraysTooLarge:
      """
      the arrays are larger than 4 GB, which a NumPy archive without zip64 cannot hold
      evaluate fewer images or classes, or leave --arrays out
      """
    case .nothingUsable(let file, let count, let reasons, let advice):
      ([
        "\(file): "
          + (count == 1
            ? "its only result cannot be used" : "none of \(count) results can be used")
      ] + reasons.map { "  " + $0 } + (advice.map { [$0] } ?? [])).joined(separator: "\n")
    case .noImageSize(let file, let pointer, let image):
      """
      \(file)#\(pointer): its region cannot be drawn because image \(image) has no valid width and height \
      (at most \(ImageSize.pixelLimit / 1_000_000) megapixels); correct them, or evaluate boxes with \
      --iou-type bbox
      """
    }
  }
}
