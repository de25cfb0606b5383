import AssayCore
import AssayStore

/// Pairs of regions of one class in one image that cover the same place; crowds are left out.
///
/// Two regions with a polygon or a mask each are compared by their pixels: two people behind each
/// other can have one box. Their boxes only select the pairs. All other pairs are compared by their
/// boxes.
struct DuplicateAnnotations {
  /// The minimum IoU of duplicates.
  static let overlap = 0.95
  /// The minimum IoU of the boxes of two regions whose pixels are compared.
  static let boxOverlap = 0.5

  /// A pair whose boxes are close.
  private struct Pair {
    var first: AnnotationRecord
    var second: AnnotationRecord
    var boxIoU: Double
    /// True if both have a polygon or a mask.
    var haveShapes: Bool { Self.hasShape(first) && Self.hasShape(second) }

    static func hasShape(_ annotation: AnnotationRecord) -> Bool {
      annotation.shape == .polygon || annotation.shape == .mask
    }
  }

  private let pairs: [Pair]

  init(_ annotations: [AnnotationRecord]) {
    let sorted = annotations.filter { !$0.isCrowd && ($0.box?.area ?? 0) > 0 }.sorted {
      let (a, b) = ($0.box?.x ?? 0, $1.box?.x ?? 0)
      return a != b ? a < b : $0.ordinal < $1.ordinal
    }
    var pairs: [Pair] = []
    for (place, annotation) in sorted.enumerated() {
      guard let box = annotation.box else { continue }
      for other in sorted[(place + 1)...] {
        guard let second = other.box, second.x - box.x <= box.width * (1 - Self.boxOverlap) else {
          break
        }
        guard other.category == annotation.category else { continue }
        let pair = Pair(
          first: annotation, second: other, boxIoU: BoxDisagreement.iou(box, second))
        if pair.boxIoU >= (pair.haveShapes ? Self.boxOverlap : Self.overlap) { pairs.append(pair) }
      }
    }
    self.pairs = pairs
  }

  /// True if a pair has to be compared by pixels.
  var needsShapes: Bool { pairs.contains(where: \.haveShapes) }

  /// The ordinals of the regions that repeat an earlier one, and of those and the ones they repeat.
  ///
  /// - Parameter size: the image's size; without it, and for a damaged shape, boxes are compared.
  func found(in size: ImageSize?) -> (repeated: Set<Int>, shown: Set<Int>) {
    var masks: [Int: Mask?] = [:]
    func mask(_ annotation: AnnotationRecord) -> Mask? {
      if let known = masks[annotation.ordinal] { return known }
      let mask = annotation.geometry == nil ? nil : size.flatMap { try? annotation.mask(in: $0) }
      masks[annotation.ordinal] = .some(mask)
      return mask
    }
    var (repeated, shown) = (Set<Int>(), Set<Int>())
    for pair in pairs {
      var overlap = pair.boxIoU
      if pair.haveShapes, let first = mask(pair.first), let second = mask(pair.second) {
        // Two masks without a pixel have no IoU.
        overlap = first.iou(with: second) ?? pair.boxIoU
      }
      guard overlap >= Self.overlap else { continue }
      repeated.insert(max(pair.first.ordinal, pair.second.ordinal))
      shown.formUnion([pair.first.ordinal, pair.second.ordinal])
    }
    return (repeated, shown)
  }
}
