/// The shapes of a detection and a ground-truth object whose overlap is computed. The raw value is COCO's
/// `iouType`.
package enum OverlapKind: String, CaseIterable, Sendable, Codable {
  /// The boxes.
  case box = "bbox"
  /// The regions.
  case mask = "segm"
}
