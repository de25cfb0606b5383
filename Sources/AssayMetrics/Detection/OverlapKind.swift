/// The parts of a detection and a ground-truth object that are compared. The raw value is COCO's
/// `iouType`.
package enum OverlapKind: String, CaseIterable, Sendable, Codable {
  /// The boxes.
  case box = "bbox"
  /// The regions.
  case mask = "segm"
  /// The keypoints, by object keypoint similarity (OKS).
  case keypoints
}

extension OverlapKind {
  /// The compared parts in tables and sentences.
  package var noun: String {
    switch self {
    case .box: "boxes"
    case .mask: "regions"
    case .keypoints: "keypoints (OKS)"
    }
  }

  /// The name of the overlap in tables.
  package var measure: String { self == .keypoints ? "OKS" : "IoU" }
}
