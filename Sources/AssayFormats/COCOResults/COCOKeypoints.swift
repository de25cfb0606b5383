import AssayCore
import CSimdJSON

extension assay_coco_batch {
  /// The keypoints of this batch's elements.
  var ownKeypoints: UnsafeBufferPointer<assay_coco_keypoints> {
    UnsafeBufferPointer(start: keypoints, count: keypoint_count)
  }

  /// The numbers of an element's keypoints, three per point; none if they are unusable.
  func values(of record: assay_coco_keypoints) -> [Double] {
    let count = Int(record.value_count)
    guard FieldState(record.state) == .fine, count > 0, count.isMultiple(of: 3),
      count <= 3 * Detection.keypointLimit
    else { return [] }
    return Array(UnsafeBufferPointer(start: doubles + Int(record.values), count: count))
  }
}

extension [[Double]] {
  /// Appends the keypoints of the next part of a file, which has none if it is empty.
  ///
  /// - Parameters:
  ///   - entries: the number of the part's entries.
  ///   - count: the number of entries before it.
  mutating func append(_ part: [[Double]], entries: Int, after count: Int) {
    guard !isEmpty || !part.isEmpty else { return }
    if isEmpty { self = Array(repeating: [], count: count) }
    if part.isEmpty {
      self += Array(repeating: [], count: entries)
    } else {
      self += part
    }
  }
}

extension [Double] {
  /// Appends the numbers of the next part of a file, which has none if it is empty; NaN stands for
  /// a missing one.
  mutating func append(_ part: [Double], entries: Int, after count: Int) {
    guard !isEmpty || !part.isEmpty else { return }
    if isEmpty { self = Array(repeating: .nan, count: count) }
    self += part.isEmpty ? Array(repeating: .nan, count: entries) : part
  }
}
