import AssayCore

/// The overlap of a detection and a ground-truth object.
enum ObjectOverlap {
  /// Intersection over union of two boxes; over the detection's area for a crowd; 0 if they only
  /// touch.
  ///
  /// Source: `bbIou` of pycocotools' maskApi.c, with its order of operations.
  @inline(__always)
  static func boxes(_ found: Box, _ truth: Box, isCrowd: Bool) -> Double {
    let width = min(found.width + found.x, truth.width + truth.x) - max(found.x, truth.x)
    if width <= 0 { return 0 }
    let height = min(found.height + found.y, truth.height + truth.y) - max(found.y, truth.y)
    if height <= 0 { return 0 }
    let shared = width * height
    let area = found.width * found.height
    return shared / (isCrowd ? area : area + truth.width * truth.height - shared)
  }

  /// The same for boxes with infinite or NaN sides: NaN if the area of the union is not a number.
  ///
  /// Source: `bbIou`, whose `fmin` and `fmax` ignore NaN.
  static func boxesOfAnyNumbers(_ found: Box, _ truth: Box, isCrowd: Bool) -> Double {
    let width =
      Double.minimum(found.width + found.x, truth.width + truth.x)
      - Double.maximum(found.x, truth.x)
    if width <= 0 { return 0 }
    let height =
      Double.minimum(found.height + found.y, truth.height + truth.y)
      - Double.maximum(found.y, truth.y)
    if height <= 0 { return 0 }
    let shared = width * height
    let area = found.width * found.height
    return shared / (isCrowd ? area : area + truth.width * truth.height - shared)
  }

  /// A region with its cached properties.
  struct Region {
    let mask: Mask
    let area: Int
    private let bounds: (x: Int, y: Int, width: Int, height: Int)?

    init(_ mask: Mask) {
      self.mask = mask
      area = mask.area
      bounds = mask.bounds
    }

    func touches(_ other: Region) -> Bool {
      guard let bounds, let other = other.bounds else { return false }
      return bounds.x < other.x + other.width && other.x < bounds.x + bounds.width
        && bounds.y < other.y + other.height && other.y < bounds.y + bounds.height
    }
  }

  /// The same for two regions; −1 if their sizes differ, which the reference never matches.
  ///
  /// Source: `rleIou` of pycocotools' maskApi.c.
  static func regions(_ found: Region, _ truth: Region, isCrowd: Bool) -> Double {
    guard found.touches(truth) else { return 0 }
    guard found.mask.size == truth.mask.size else { return -1 }
    let shared = found.mask.intersectionArea(with: truth.mask)
    if shared == 0 { return 0 }
    return Double(shared) / Double(isCrowd ? found.area : found.area + truth.area - shared)
  }
}
