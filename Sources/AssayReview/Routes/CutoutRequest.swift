import AssayCore
import AssayImaging

/// The body of a request for a cut-out: a box, strokes, and the mask to start from.
struct CutoutRequest: Hashable, Sendable {
  /// The maximum size of a body, and of its number of values.
  static let limit = 4 << 20
  static let valueLimit = 50_000
  /// The maximum number of strokes, and of all their points.
  static let strokeLimit = 500
  static let pointLimit = 20_000
  /// The maximum radius of a stroke in pixels.
  static let radiusLimit = 1_000.0

  var box: Box
  var strokes: [ImageCutout.Stroke]
  var start: Mask?

  /// - Throws: ``RequestRefusal``.
  init(_ body: JSONValue) throws(RequestRefusal) {
    let fields = SaveFields(body)
    guard case .box(let box)? = try fields.outline(), body["polygons"] == nil else {
      throw fields.wrong("box", "box must be [x, y, width, height] in pixels")
    }
    self.box = box
    let listed = body["strokes"] ?? []
    guard let strokes = listed.elements, strokes.count <= Self.strokeLimit else {
      throw fields.wrong("strokes", "strokes must be a list of at most \(Self.strokeLimit) strokes")
    }
    self.strokes = []
    var count = 0
    for stroke in strokes {
      let parsed = try Self.stroke(stroke, fields)
      count += parsed.points.count
      guard count <= Self.pointLimit else {
        throw fields.wrong("strokes", "the strokes have more than \(Self.pointLimit) points")
      }
      self.strokes.append(parsed)
    }
    if body["counts"] != nil { start = try fields.mask() }
  }

  private static func stroke(
    _ value: JSONValue, _ fields: SaveFields
  ) throws(RequestRefusal) -> ImageCutout.Stroke {
    guard case .bool(let isObject)? = value["object"], let radius = value["radius"]?.double,
      (0...radiusLimit).contains(radius), let numbers = value["points"]?.elements,
      numbers.count <= 2 * pointLimit, numbers.count >= 2, numbers.count.isMultiple(of: 2)
    else {
      throw fields.wrong(
        "strokes",
        "a stroke must have object (true or false), radius (0 to \(Int(radiusLimit)) pixels) and points [x0, y0, x1, y1, …]"
      )
    }
    var points: [SIMD2<Double>] = []
    for index in stride(from: 0, to: numbers.count, by: 2) {
      guard let x = numbers[index].double, let y = numbers[index + 1].double,
        abs(x) < ObjectOutline.coordinateLimit, abs(y) < ObjectOutline.coordinateLimit
      else { throw fields.wrong("strokes", "the points of a stroke must be numbers in pixels") }
      points.append(SIMD2(x, y))
    }
    return ImageCutout.Stroke(isObject: isObject, radius: radius, points: points)
  }
}
