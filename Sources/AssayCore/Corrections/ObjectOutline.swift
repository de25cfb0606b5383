/// A shape of an object that is given by coordinates, in pixels: the geometry that people draw,
/// move and correct besides masks.
package enum ObjectOutline: Hashable, Sendable {
  case box(Box)
  /// Polygons `x0, y0, x1, y1, …`; the region is their union.
  case polygons([[Double]])

  /// The reason why coordinates from outside are no outline.
  package enum Fault: Error, Hashable, Sendable {
    /// Not four numbers, a number out of range, or a negative side.
    case box
    /// Not lists of at least three points, a number out of range, or more than ``pointLimit`` points.
    case polygons
  }

  /// The largest magnitude of a coordinate.
  package static let coordinateLimit = 1e9
  /// The maximum number of points of all polygons of an object.
  package static let pointLimit = 100_000

  /// Reads the member `box` (`[x, y, width, height]`) or `polygons` (`[[x, y, …], …]`) of a payload.
  ///
  /// - Returns: `nil` if it has neither.
  /// - Throws: ``Fault``.
  package init?(_ payload: JSONValue) throws(Fault) {
    if let value = payload["polygons"], value != .null {
      self = try Self.polygons(value)
    } else if let value = payload["box"], value != .null {
      self = .box(try Self.box(value))
    } else {
      return nil
    }
  }

  private static func box(_ value: JSONValue) throws(Fault) -> Box {
    guard let numbers = numbers(value), let box = box(numbers) else { throw .box }
    return box
  }

  /// The box `[x, y, width, height]`; `nil` if these are not four numbers below ``coordinateLimit``, or a side
  /// is negative.
  package static func box(_ numbers: [Double]) -> Box? {
    guard numbers.count == 4, numbers.allSatisfy({ abs($0) < coordinateLimit }), numbers[2] >= 0,
      numbers[3] >= 0
    else { return nil }
    return Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  /// Polygons; `nil` if they are not lists of at least three points with numbers below
  /// ``coordinateLimit``, or have more than ``pointLimit`` points.
  package init?(polygons: [[Double]]) {
    guard !polygons.isEmpty, polygons.count <= Self.pointLimit else { return nil }
    var left = 2 * Self.pointLimit
    for numbers in polygons {
      guard numbers.count >= 6, numbers.count.isMultiple(of: 2), numbers.count <= left,
        numbers.allSatisfy({ abs($0) < Self.coordinateLimit })
      else { return nil }
      left -= numbers.count
    }
    self = .polygons(polygons)
  }

  private static func polygons(_ value: JSONValue) throws(Fault) -> ObjectOutline {
    guard let lists = value.elements, lists.count <= pointLimit else { throw .polygons }
    var polygons: [[Double]] = []
    for list in lists {
      guard let numbers = numbers(list) else { throw .polygons }
      polygons.append(numbers)
    }
    guard let outline = ObjectOutline(polygons: polygons) else { throw .polygons }
    return outline
  }

  private static func numbers(_ value: JSONValue) -> [Double]? {
    guard let elements = value.elements else { return nil }
    let numbers = elements.compactMap(\.double)
    guard numbers.count == elements.count, numbers.allSatisfy({ abs($0) < coordinateLimit }) else {
      return nil
    }
    return numbers
  }

  /// The member of a payload that ``init(_:)`` reads.
  package var member: JSONValue.Member {
    switch self {
    case .box(let box): .init("box", box.json)
    case .polygons(let polygons):
      .init("polygons", .array(polygons.map { .array($0.map { .number($0) }) }))
    }
  }

  /// The kind of annotation that it is the geometry of.
  package var shape: ShapeKind {
    switch self {
    case .box: .box
    case .polygons: .polygon
    }
  }

  /// Returns whether an image shows any of it: a box that overlaps the image by more than an edge, or
  /// polygons with at least one pixel.
  package func isVisible(in size: ImageSize) -> Bool {
    switch self {
    case .box(let box):
      box.width > 0 && box.height > 0 && box.x < Double(size.width) && box.y < Double(size.height)
        && box.x + box.width > 0 && box.y + box.height > 0
    case .polygons(let polygons): !Mask(polygons: polygons, size: size).isEmpty
    }
  }
}
