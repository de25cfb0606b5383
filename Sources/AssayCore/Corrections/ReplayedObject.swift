/// An object during a replay: its pixels are decoded once, and packed once at the end.
struct ReplayedObject: Hashable, Sendable {
  /// As imported or created; fields that ``mask`` replaces are not updated.
  var object: AnnotatedObject
  /// Its index among the imported objects; `nil` for one that an entry created.
  let origin: Int?
  /// Its pixels if they differ from ``object``'s.
  var mask: BoundedMask?

  init(_ object: AnnotatedObject, origin: Int? = nil, mask: BoundedMask? = nil) {
    self.object = object
    self.origin = origin
    self.mask = mask
  }

  /// The object with its pixels packed.
  func annotated(isChanged: Bool) -> AnnotatedObject {
    var result = object
    if let mask { result.take(mask.mask) }
    result.isChanged = isChanged
    return result
  }
}

extension AnnotatedObject {
  /// Sets its region to a mask, with its area and bounding box.
  fileprivate mutating func take(_ mask: Mask) {
    shape = .mask
    area = Double(mask.area)
    box = mask.boundingBox
    geometry = mask.compressed
  }
}

/// A mask and its bounding box, which rules out most masks that do not touch.
struct BoundedMask: Hashable, Sendable {
  let mask: Mask
  private let left: Int
  private let top: Int
  private let right: Int
  private let bottom: Int

  init(_ mask: Mask) {
    self.mask = mask
    let bounds = mask.bounds
    left = bounds?.x ?? 0
    top = bounds?.y ?? 0
    right = left + (bounds?.width ?? 0)
    bottom = top + (bounds?.height ?? 0)
  }

  /// Returns whether the boxes share a pixel after one of them is enlarged on all sides.
  func isNear(_ other: BoundedMask, by margin: Int = 0) -> Bool {
    !mask.isEmpty && !other.mask.isEmpty && left < other.right + margin
      && other.left < right + margin && top < other.bottom + margin && other.top < bottom + margin
  }
}
