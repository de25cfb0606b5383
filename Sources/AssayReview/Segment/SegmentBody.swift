import AssayCore
import AssayImaging

/// The body of a request for a mask: points, and a box.
struct SegmentBody: Hashable, Sendable {
  /// The maximum size of a body.
  static let limit = 16 << 10
  /// The maximum number of points.
  static let pointLimit = 64

  var prompt: ObjectPrompt

  /// - Throws: ``RequestRefusal``.
  init(_ body: JSONValue) throws(RequestRefusal) {
    let fields = SaveFields(body)
    let listed = body["points"] ?? []
    guard let points = listed.elements, points.count <= Self.pointLimit else {
      throw fields.wrong("points", "points must be a list of at most \(Self.pointLimit) points")
    }
    prompt = ObjectPrompt(points: [])
    for point in points {
      guard case .bool(let isObject)? = point["object"], let x = point["x"]?.double,
        let y = point["y"]?.double, abs(x) < ObjectOutline.coordinateLimit,
        abs(y) < ObjectOutline.coordinateLimit
      else {
        throw fields.wrong(
          "points", "a point must have x and y in pixels and object (true or false)")
      }
      prompt.points.append(.init(x: x, y: y, isObject: isObject))
    }
    if body["box"] != nil {
      guard case .box(let box)? = try fields.outline(), body["polygons"] == nil else {
        throw fields.wrong("box", "box must be [x, y, width, height] in pixels")
      }
      prompt.box = box
    }
    guard prompt.box != nil || prompt.points.contains(where: \.isObject) else {
      throw fields.wrong("points", "a point on the object or a box is needed")
    }
  }

  /// Checks that the prompt is in the image.
  ///
  /// - Throws: ``RequestRefusal``.
  func check(in size: ImageSize) throws(RequestRefusal) {
    let (width, height) = (Double(size.width), Double(size.height))
    let isIn =
      prompt.points.allSatisfy { (0...width).contains($0.x) && (0...height).contains($0.y) }
      && (prompt.box.map {
        $0.x >= 0 && $0.y >= 0 && $0.x + $0.width <= width + 1e-6
          && $0.y + $0.height <= height + 1e-6
      } ?? true)
    guard isIn else {
      throw .badRequest(
        code: "outside", "a point or the box is outside of the image, which is \(size)")
    }
  }
}
