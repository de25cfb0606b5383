/// An object on its way through a replay: its pixels are decoded once, and packed once at the end.
struct ReplayedObject: Hashable, Sendable {
  /// As imported, or as made; what ``mask`` replaces is not kept up to date.
  var object: AnnotatedObject
  /// Its place among the imported ones; `nil` for one that an entry made.
  let origin: Int?
  /// Its pixels where they are other ones than ``object``'s.
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
  /// Makes a mask its region, with its area and the box around it.
  fileprivate mutating func take(_ mask: Mask) {
    shape = .mask
    area = Double(mask.area)
    box = mask.boundingBox
    geometry = mask.compressed
  }
}

/// A mask and the box around its pixels, which tells most that do not touch from those that may.
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

  /// Returns whether both boxes share a pixel, one of them made larger on all sides.
  func isNear(_ other: BoundedMask, by margin: Int = 0) -> Bool {
    !mask.isEmpty && !other.mask.isEmpty && left < other.right + margin
      && other.left < right + margin && top < other.bottom + margin && other.top < bottom + margin
  }
}
