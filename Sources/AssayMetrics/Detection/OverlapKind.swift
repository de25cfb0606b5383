/// What the overlap of a detection and a truth is taken of. The raw value is COCO's `iouType`.
package enum OverlapKind: String, CaseIterable, Sendable, Codable {
  /// Their boxes.
  case box = "bbox"
  /// Their regions.
  case mask = "segm"
}
