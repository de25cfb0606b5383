/// An object during a replay: its pixels are decoded once, and packed once at the end.
struct ReplayedObject: Hashable, Sendable {
  /// As imported or created; fields that ``mask`` replaces are not updated.
  var object: AnnotatedObject
  /// Its index among the imported objects; `nil` for one that an entry created.
  let origin: Int?
  /// Its pixels if they differ from ``object``'s.
  var mask: BoundedMask?
  /// True if ``object`` has another geometry than the imported one.
  var isRedrawn = false

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

extension AnnotatedObject {
  /// Sets its geometry, with its area and bounding box.
  ///
  /// - Parameter size: the image's size, for the pixels of polygons; without it, the area is unknown.
  mutating func take(_ outline: ObjectOutline, in size: ImageSize?) {
    shape = outline.shape
    switch outline {
    case .box(let box):
      self.box = box
      area = box.area
      geometry = nil
    case .polygons(let polygons):
      let mask = size.map { Mask(polygons: polygons, size: $0) }
      box = Box(around: polygons)
      area = mask.map { Double($0.area) }
      geometry = Geometry.polygons(polygons).packed
    }
  }

  /// Sets fields among its attributes; `null` removes one. The others keep their order.
  mutating func set(_ fields: [JSONValue.Member]) {
    var members = attributes.flatMap { try? JSONValue(parsing: $0) }?.members ?? []
    for field in fields {
      let place = members.firstIndex { $0.name == field.name }
      switch (place, field.value) {
      case (let place?, .null): members.remove(at: place)
      case (let place?, let value): members[place].value = value
      case (nil, .null): break
      case (nil, _): members.append(field)
      }
    }
    attributes = members.isEmpty ? nil : JSONValue.object(members).text()
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
