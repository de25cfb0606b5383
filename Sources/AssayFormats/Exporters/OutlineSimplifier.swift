package import AssayCore

/// Polygons of a mask with fewer corners.
///
/// The outline along the edges of pixels is simplified ring by ring: every corner that is left out is
/// at most the tolerance away from the polygon. A hole is joined to the outline around it by a line
/// there and back, which has no area, so that the even–odd rule leaves it out.
///
/// Source of the simplification: D. Douglas, T. Peucker (1973), doi:10.3138/FM57-6770-U75U-7727.
package struct OutlineSimplifier: Hashable, Sendable {
  /// The result for one mask.
  package struct Outcome: Hashable, Sendable {
    /// One polygon for each part; pixels that touch only at a corner are in two parts.
    package var polygons: [[Double]]
    /// The corners of the exact outline, and of the polygons, without those of joining lines.
    package var before: Int
    package var after: Int
    /// The IoU of the rasterized polygons with the mask.
    package var iou: Double
    /// The number of rings that keep their exact form, because they would vanish, cross or touch, or a hole would leave its outline.
    package var exactRings: Int
  }

  /// The maximum distance of a corner that is left out, in pixels; 0 for exact outlines.
  package let tolerance: Double

  /// The number of corners after which a ring is cut, so that the time grows with the number of corners.
  private static let piece = 4096
  /// The maximum number of corners of an instance whose rings are compared with each other.
  private static let limit = 50_000

  /// - Parameter tolerance: at least 0, finite.
  package init(tolerance: Double) { self.tolerance = tolerance }

  /// - Complexity: O(*n* log *n*) for *n* corners as a rule; at most O(*n* · 4096) for the
  ///   simplification, and O(*k*²) for the *k* ≤ 50,000 corners that are left.
  package func polygons(of mask: Mask) -> Outcome {
    let parts = mask.components(connectivity: .four).map { part in
      part.contours().map(Ring.init)
    }
    let before = parts.reduce(0) { $0 + $1.reduce(0) { $0 + $1.count } }
    func outcome(_ rings: [[Ring]], exact: Int) -> Outcome {
      let polygons = rings.map { ExportOutlines.joined($0.map(\.numbers)) }
      let raster = Mask(polygons: polygons, size: mask.size)
      return Outcome(
        polygons: polygons, before: before,
        after: rings.reduce(0) { $0 + $1.reduce(0) { $0 + $1.count } },
        iou: raster.iou(with: mask) ?? 1, exactRings: exact)
    }
    let rings = parts.reduce(0) { $0 + $1.count }
    guard tolerance > 0 else { return outcome(parts, exact: 0) }
    var exact = 0
    let fewer = parts.map { part in
      part.map { ring in
        let simple = simplified(ring)
        guard simple.count >= 3, simple.doubleArea != 0 else {
          exact += 1
          return ring
        }
        return simple
      }
    }
    guard !Ring.intersect(fewer.flatMap { $0 }, limit: Self.limit),
      fewer.allSatisfy(Ring.areNested)
    else {
      return outcome(parts, exact: rings)
    }
    let found = outcome(fewer, exact: exact)
    return found.iou > 0 ? found : outcome(parts, exact: rings)
  }

  private func simplified(_ ring: Ring) -> Ring {
    let count = ring.count
    guard count > 4 else { return ring }
    var isKept = Array(repeating: false, count: count)
    // The first corner is an extreme one; the one that is farthest from it is the second anchor.
    let first = ring.corners[0]
    let far = ring.corners.indices.max { a, b in
      (ring.corners[a].squaredDistance(to: first), b) < (
        ring.corners[b].squaredDistance(to: first), a
      )
    }
    var anchors: Set<Int> = [0, far ?? count / 2]
    for place in stride(from: Self.piece, to: count, by: Self.piece) { anchors.insert(place) }
    let order = anchors.sorted()
    for place in order { isKept[place] = true }
    var open = zip(order, order.dropFirst() + [count]).map { ($0, $1) }
    while let (start, end) = open.popLast() {
      let (a, b) = (ring.corners[start], ring.corners[end % count])
      var worst = (place: start, distance: -1.0)
      for place in start + 1..<max(start + 1, end) {
        let distance = ring.corners[place].squaredDistance(from: a, to: b)
        if distance > worst.distance { worst = (place, distance) }
      }
      guard worst.distance > tolerance * tolerance else { continue }
      isKept[worst.place] = true
      open.append((start, worst.place))
      open.append((worst.place, end))
    }
    return Ring(corners: ring.corners.indices.filter { isKept[$0] }.map { ring.corners[$0] })
  }
}

/// A closed outline with corners at whole numbers.
private struct Ring {
  struct Corner: Hashable {
    var x: Int
    var y: Int

    func squaredDistance(to other: Corner) -> Double {
      let (dx, dy) = (Double(x - other.x), Double(y - other.y))
      return dx * dx + dy * dy
    }

    /// The squared distance to a line from one corner to another.
    func squaredDistance(from a: Corner, to b: Corner) -> Double {
      let (dx, dy) = (Double(b.x - a.x), Double(b.y - a.y))
      let (px, py) = (Double(x - a.x), Double(y - a.y))
      let length = dx * dx + dy * dy
      let along = px * dx + py * dy
      if along <= 0 || length == 0 { return px * px + py * py }
      if along >= length { return squaredDistance(to: b) }
      let across = px * dy - py * dx
      return across * across / length
    }
  }

  var corners: [Corner]
  var count: Int { corners.count }

  init(corners: [Corner]) { self.corners = corners }

  /// - Parameter numbers: whole numbers up to the sides of an image.
  init(_ numbers: [Double]) {
    corners = stride(from: 0, to: numbers.count - 1, by: 2).map {
      Corner(x: Int(numbers[$0]), y: Int(numbers[$0 + 1]))
    }
  }

  var numbers: [Double] { corners.flatMap { [Double($0.x), Double($0.y)] } }

  /// Twice the enclosed area, with a sign.
  var doubleArea: Int {
    var sum = 0
    for (place, a) in corners.enumerated() {
      let b = corners[place + 1 == count ? 0 : place + 1]
      sum += a.x * b.y - b.x * a.y
    }
    return sum
  }

  /// Returns whether a corner is inside; `nil` on the outline.
  private func contains(_ corner: Corner) -> Bool? {
    var isInside = false
    for (place, a) in corners.enumerated() {
      let b = corners[place + 1 == count ? 0 : place + 1]
      let edge = Edge(a: a, b: b, ring: 0, place: place)
      if corner == a || edge.contains(corner) { return nil }
      guard (a.y > corner.y) != (b.y > corner.y) else { continue }
      // The edge is to the right of the corner.
      if edge.side(corner) > 0 ? b.y > a.y : b.y < a.y { isInside.toggle() }
    }
    return isInside
  }

  /// Returns whether the holes of a part, which cross no other ring, are inside its first ring.
  static func areNested(_ rings: [Ring]) -> Bool {
    guard let outer = rings.first else { return true }
    return rings.dropFirst().allSatisfy { hole in
      hole.corners.lazy.compactMap(outer.contains).first ?? true
    }
  }

  private struct Edge {
    var a: Corner
    var b: Corner
    var ring: Int
    var place: Int
    var left: Int { min(a.x, b.x) }
    var right: Int { max(a.x, b.x) }

    /// The side of a corner: positive, negative, or 0 on the line.
    func side(_ c: Corner) -> Int {
      ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)).signum()
    }

    /// Returns whether a corner is on the edge, ends not included.
    func contains(_ c: Corner) -> Bool {
      side(c) == 0 && c != a && c != b && min(a.x, b.x) <= c.x && c.x <= max(a.x, b.x)
        && min(a.y, b.y) <= c.y && c.y <= max(a.y, b.y)
    }

    /// Returns whether two edges cross, overlap, or touch within one of them. Common ends are none.
    func meets(_ other: Edge) -> Bool {
      guard min(a.y, b.y) <= max(other.a.y, other.b.y), min(other.a.y, other.b.y) <= max(a.y, b.y)
      else { return false }
      if contains(other.a) || contains(other.b) || other.contains(a) || other.contains(b) {
        return true
      }
      if a == other.a && b == other.b || a == other.b && b == other.a { return true }
      return side(other.a) * side(other.b) < 0 && other.side(a) * other.side(b) < 0
    }
  }

  /// Returns whether edges of rings cross, overlap, or touch at other points than corners of both; true
  /// above the limit of corners.
  static func intersect(_ rings: [Ring], limit: Int) -> Bool {
    var edges: [Edge] = []
    for (number, ring) in rings.enumerated() {
      for (place, a) in ring.corners.enumerated() {
        let b = ring.corners[place + 1 == ring.count ? 0 : place + 1]
        edges.append(Edge(a: a, b: b, ring: number, place: place))
      }
    }
    guard edges.count <= limit else { return true }
    edges.sort { ($0.left, $0.ring, $0.place) < ($1.left, $1.ring, $1.place) }
    for (place, edge) in edges.enumerated() {
      var next = place + 1
      while next < edges.count, edges[next].left <= edge.right {
        if edge.meets(edges[next]) { return true }
        next += 1
      }
    }
    return false
  }
}
