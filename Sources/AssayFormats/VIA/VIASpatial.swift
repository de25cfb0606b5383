import AssayCore
import Glibc

/// The places in VIA 3: a list of a shape's number and its coordinates, made into the shapes of VIA 2.
enum VIASpatial {
  struct Problem: Error, Hashable {
    var kind: IssueKind
    var text: String
  }

  /// The numbers of the shapes.
  private enum Shape: Int {
    case point = 1
    case rectangle, circle, ellipse, line, polyline, polygon, extremeRectangle, extremeCircle

    var title: String {
      switch self {
      case .point: "point"
      case .rectangle: "rectangle"
      case .circle: "circle"
      case .ellipse: "ellipse"
      case .line: "line"
      case .polyline: "polyline"
      case .polygon: "polygon"
      case .extremeRectangle: "extreme rectangle"
      case .extremeCircle: "extreme circle"
      }
    }

    /// The number of coordinates; `nil` for lists of points.
    var count: Int? {
      switch self {
      case .point: 2
      case .circle: 3
      case .rectangle, .ellipse, .line: 4
      case .extremeCircle: 6
      case .extremeRectangle: 8
      case .polyline, .polygon: nil
      }
    }
  }

  /// - Parameter xy: the number of the shape and its coordinates, in pixels.
  static func shape(_ xy: [JSONValue]) -> Result<JSONValue, Problem> {
    guard let number = xy.first?.whole, let shape = Shape(rawValue: number) else {
      return .failure(
        Problem(
          kind: .badShape,
          text: "unknown shape \(xy.first.map { String($0.text().prefix(40)) } ?? "")"))
    }
    let numbers = xy.dropFirst().compactMap(\.double)
    guard numbers.count == xy.count - 1,
      shape.count.map({ $0 == numbers.count }) ?? numbers.count.isMultiple(of: 2)
    else {
      let wanted = shape.count.map { "\($0) numbers" } ?? "pairs of numbers"
      return .failure(
        Problem(
          kind: .badField,
          text: "a \(shape.title) needs \(wanted) behind its number, found \(xy.count - 1) values"
            + (numbers.count == xy.count - 1 ? "" : " that are not all numbers")))
    }
    guard numbers.allSatisfy(\.isFinite) else {
      return .failure(
        Problem(kind: .badShape, text: "a number of the \(shape.title) is NaN or infinite"))
    }
    return value(shape, numbers)
  }

  private static func value(_ shape: Shape, _ numbers: [Double]) -> Result<JSONValue, Problem> {
    func named(_ name: String, _ names: [String]) -> Result<JSONValue, Problem> {
      .success(
        .object(
          [.init("name", .string(name))]
            + zip(names, numbers).map { .init($0, .number($1)) }))
    }
    switch shape {
    case .point: return named("point", ["cx", "cy"])
    case .rectangle: return named("rect", ["x", "y", "width", "height"])
    case .circle: return named("circle", ["cx", "cy", "r"])
    case .ellipse: return named("ellipse", ["cx", "cy", "rx", "ry"])
    case .line, .polyline: return .success(points("polyline", numbers))
    case .polygon: return .success(points("polygon", numbers))
    case .extremeRectangle:
      let (x, y) = (coordinates(numbers, from: 0), coordinates(numbers, from: 1))
      guard let left = x.min(), let top = y.min(), let right = x.max(), let bottom = y.max() else {
        return .failure(Problem(kind: .badShape, text: "the rectangle has no point"))
      }
      return .success([
        "name": "rect", "x": .number(left), "y": .number(top), "width": .number(right - left),
        "height": .number(bottom - top), extremes: list(numbers),
      ])
    case .extremeCircle:
      guard let circle = circle(through: numbers) else {
        return .failure(
          Problem(kind: .badShape, text: "the three points of the circle are on one line"))
      }
      return .success([
        "name": "circle", "cx": .number(circle[0]), "cy": .number(circle[1]),
        "r": .number(circle[2]), extremes: list(numbers),
      ])
    }
  }

  /// The member of a shape with the points from which it was made.
  static let extremes = "extreme_points"

  private static func list(_ numbers: some Sequence<Double>) -> JSONValue {
    .array(numbers.map { .number($0) })
  }

  private static func coordinates(_ numbers: [Double], from start: Int) -> [Double] {
    stride(from: start, to: numbers.count, by: 2).map { numbers[$0] }
  }

  private static func points(_ name: String, _ numbers: [Double]) -> JSONValue {
    [
      "name": .string(name), "all_points_x": list(coordinates(numbers, from: 0)),
      "all_points_y": list(coordinates(numbers, from: 1)),
    ]
  }

  /// The center and radius of the circle through three points; `nil` if they are on one line.
  private static func circle(through points: [Double]) -> [Double]? {
    let (x, y) = (points[0], points[1])
    let (ax, ay) = (points[2] - x, points[3] - y)
    let (bx, by) = (points[4] - x, points[5] - y)
    let turn = 2 * (ax * by - ay * bx)
    let (a, b) = (ax * ax + ay * ay, bx * bx + by * by)
    let (cx, cy) = ((by * a - ay * b) / turn, (ax * b - bx * a) / turn)
    let radius = (cx * cx + cy * cy).squareRoot()
    guard turn != 0, radius.isFinite, radius > 0 else { return nil }
    return [x + cx, y + cy, radius]
  }
}
