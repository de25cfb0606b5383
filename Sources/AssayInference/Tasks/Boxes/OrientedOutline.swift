import AssayCore
import AssayImaging
import Foundation

/// The unit of the angle of a box. The raw value is the manifest's spelling.
package enum AngleUnit: String, CaseIterable, Sendable, Codable {
  case radians, degrees

  /// The value of a whole turn.
  var turn: Double { self == .radians ? 2 * .pi : 360 }
}

/// A box that is rotated about its center, in pixels of the model's input.
package struct OrientedOutline: Hashable, Sendable {
  /// The corners `x0, y0, …`, clockwise on the screen.
  let points: [Double]

  /// - Parameters:
  ///   - values: the center, width and height.
  ///   - scale: the factors that make pixels of them.
  ///   - radians: the rotation, clockwise on the screen.
  init(
    _ values: (Double, Double, Double, Double), scale: (x: Double, y: Double), radians: Double
  ) {
    let (sine, cosine) = (sin(radians), cos(radians))
    let (width, height) = (values.2 * scale.x, values.3 * scale.y)
    points = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].flatMap { corner -> [Double] in
      let (dx, dy) = (corner.0 * width, corner.1 * height)
      return [
        values.0 * scale.x + dx * cosine - dy * sine, values.1 * scale.y + dx * sine + dy * cosine,
      ]
    }
  }

  /// The edges of the box around it.
  var edges: BoxEdges {
    let (xs, ys) = ([0, 2, 4, 6].map { points[$0] }, [1, 3, 5, 7].map { points[$0] })
    return BoxEdges(
      left: xs.min() ?? 0, top: ys.min() ?? 0, right: xs.max() ?? 0, bottom: ys.max() ?? 0)
  }

  /// Intersection over union of the rotated boxes; 0 if one of them has no area.
  func overlap(with other: OrientedOutline) -> Double {
    let shared = Self.area(Self.intersection(points, other.points))
    let union = Self.area(points) + Self.area(other.points) - shared
    return union > 0 ? shared / union : 0
  }

  /// The corners in the original image's pixels.
  func points(through plan: ResizePlan) -> [Double] {
    stride(from: 0, to: 8, by: 2).flatMap { place -> [Double] in
      let point = plan.sourcePoint(x: points[place], y: points[place + 1])
      return [point.x, point.y]
    }
  }

  /// Twice the signed area, which is positive for corners that are clockwise on the screen.
  private static func twiceArea(_ points: [Double]) -> Double {
    var sum = 0.0
    for place in stride(from: 0, to: points.count - 1, by: 2) {
      let next = (place + 2) % points.count
      sum += points[place] * points[next + 1] - points[next] * points[place + 1]
    }
    return sum
  }

  private static func area(_ points: [Double]) -> Double { abs(twiceArea(points)) / 2 }

  /// The polygon that two convex ones share, by the algorithm of Sutherland and Hodgman.
  private static func intersection(_ subject: [Double], _ clip: [Double]) -> [Double] {
    let sign: Double = twiceArea(clip) < 0 ? -1 : 1
    var points = subject
    for place in stride(from: 0, to: clip.count - 1, by: 2) where !points.isEmpty {
      let next = (place + 2) % clip.count
      let (x, y) = (clip[place], clip[place + 1])
      let (dx, dy) = (clip[next] - x, clip[next + 1] - y)
      let distance = { (index: Int) in
        sign * (dx * (points[index + 1] - y) - dy * (points[index] - x))
      }
      var kept: [Double] = []
      for start in stride(from: 0, to: points.count - 1, by: 2) {
        let end = (start + 2) % points.count
        let (from, to) = (distance(start), distance(end))
        if from >= 0 { kept += [points[start], points[start + 1]] }
        if (from < 0 && to > 0) || (from > 0 && to < 0) {
          let share = from / (from - to)
          kept += [
            points[start] + share * (points[end] - points[start]),
            points[start + 1] + share * (points[end + 1] - points[start + 1]),
          ]
        }
      }
      points = kept
    }
    return points
  }
}
