/// The smallest convex polygon around points.
enum ConvexHull {
  /// The hull of points `x0, y0, x1, y1, …`, in the same form.
  ///
  /// Source: A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions" (1979),
  /// doi:10.1016/0020-0190(79)90072-3.
  static func of(_ coordinates: [Double]) -> [Double] {
    let points = stride(from: 0, to: coordinates.count - 1, by: 2).map {
      (x: coordinates[$0], y: coordinates[$0 + 1])
    }.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    func half(_ points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
      var hull: [(x: Double, y: Double)] = []
      for point in points {
        while hull.count > 1 {
          let (a, b) = (hull[hull.count - 2], hull[hull.count - 1])
          let turn = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
          if turn > 0 { break }
          hull.removeLast()
        }
        hull.append(point)
      }
      return Array(hull.dropLast())
    }
    return (half(points) + half(points.reversed())).flatMap { [$0.x, $0.y] }
  }
}
