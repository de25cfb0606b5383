import AssayCore
import AssayFormats

/// An error that prevents the evaluation of detections in files.
package enum FileDetectionError: Error, Hashable {
  /// Results where the truth should be, and the truth where results should be.
  case swapped(truth: String, results: String)
  /// Regions that are to overlap, and no result has one.
  case noRegions(file: String, hasBoxes: Bool)
  /// Not one result can be used, why, and what to look at; `nil` where the reasons say it all.
  case nothingUsable(file: String, count: Int, reasons: [String], advice: String?)
  /// A region that cannot be drawn, as its image has no size; the annotation's place and the image's id.
  case noImageSize(file: String, pointer: String, image: String)
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
