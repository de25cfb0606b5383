import AssayCore
import Glibc

/// Shapes of objects in other forms: outlines of masks, joined parts, rotated boxes, clipped shapes.
enum ExportOutlines {
  /// The corners of a box, from the top left, clockwise.
  static func corners(of box: Box) -> [Double] {
    let (right, bottom) = (box.x + box.width, box.y + box.height)
    return [box.x, box.y, right, box.y, right, bottom, box.x, bottom]
  }

  /// The bounds of a shape; `nil` for a box alone and an empty shape.
  static func bounds(of shape: ExportObject.Shape) -> Box? {
    switch shape {
    case .box, .tag: nil
    case .polygons(let lists), .lines(let lists): Box(around: lists)
    case .points(let points): Box(around: [points])
    case .mask(let mask): mask.boundingBox
    }
  }

  /// The outlines of a mask without its holes, one for each part.
  static func outer(of mask: Mask) -> [[Double]] { mask.fillingHoles().contours() }

  /// One polygon of several: each is joined to the others by a line there and back between the two
  /// nearest corners, which has no area.
  static func joined(_ polygons: [[Double]]) -> [Double] {
    guard var outline = polygons.first else { return [] }
    for polygon in polygons.dropFirst() where polygon.count >= 2 {
      let (here, there) = nearest(outline, polygon)
      // The other polygon from its nearest corner around and back to it.
      let around = Array(polygon[there...] + polygon[..<there] + polygon[there..<there + 2])
      outline =
        Array(outline[..<(here + 2)]) + around + Array(outline[here..<here + 2])
        + Array(outline[(here + 2)...])
    }
    return outline
  }

  /// The positions of the nearest corners of two outlines; of long outlines only some are compared.
  private static func nearest(_ a: [Double], _ b: [Double]) -> (Int, Int) {
    let steps = 2000
    let (step, other) = (2 * (a.count / (2 * steps) + 1), 2 * (b.count / (2 * steps) + 1))
    var best = (0, 0)
    var least = Double.infinity
    for i in stride(from: 0, to: a.count - 1, by: step) {
      for j in stride(from: 0, to: b.count - 1, by: other) {
        let (dx, dy) = (a[i] - b[j], a[i + 1] - b[j + 1])
        let distance = dx * dx + dy * dy
        if distance < least { (least, best) = (distance, (i, j)) }
      }
    }
    return best
  }

  /// The rotated rectangle of the smallest area around polygons, as four corners.
  static func rotatedBox(around polygons: [[Double]]) -> [Double] {
    let hull = hull(of: polygons)
    guard hull.count >= 3 else {
      return corners(of: Box(around: polygons) ?? Box(x: 0, y: 0, width: 0, height: 0))
    }
    var best: [Double] = []
    var least = Double.infinity
    for (place, point) in hull.enumerated() {
      let next = hull[(place + 1) % hull.count]
      let length = hypot(next.x - point.x, next.y - point.y)
      guard length > 0 else { continue }
      let (ux, uy) = ((next.x - point.x) / length, (next.y - point.y) / length)
      var (low, high, near, far) = (
        Double.infinity, -Double.infinity, Double.infinity, -Double.infinity
      )
      for corner in hull {
        let along = corner.x * ux + corner.y * uy
        let across = corner.y * ux - corner.x * uy
        (low, high, near, far) = (
          min(low, along), max(high, along), min(near, across), max(far, across)
        )
      }
      let area = (high - low) * (far - near)
      if area < least {
        least = area
        best = [(low, near), (high, near), (high, far), (low, far)].flatMap { along, across in
          [along * ux - across * uy, along * uy + across * ux]
        }
      }
    }
    return best
  }

  /// The convex hull. Source: A. M. Andrew (1979), doi:10.1016/0020-0190(79)90072-3.
  private static func hull(of polygons: [[Double]]) -> [(x: Double, y: Double)] {
    var points: [(x: Double, y: Double)] = []
    for list in polygons {
      for place in stride(from: 0, to: list.count - 1, by: 2) {
        points.append((list[place], list[place + 1]))
      }
    }
    points.sort { ($0.x, $0.y) < ($1.x, $1.y) }
    func half(_ points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
      var chain: [(x: Double, y: Double)] = []
      for point in points {
        while chain.count >= 2 {
          let (a, b) = (chain[chain.count - 2], chain[chain.count - 1])
          let turn = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
          guard turn <= 0 else { break }
          chain.removeLast()
        }
        chain.append(point)
      }
      return chain
    }
    guard points.count >= 3 else { return points }
    return half(points).dropLast() + half(points.reversed()).dropLast()
  }

  /// The object with every coordinate moved into the image.
  static func clipped(_ object: ExportObject, to size: ImageSize) -> ExportObject {
    let (width, height) = (Double(size.width), Double(size.height))
    func moved(_ list: [Double]) -> [Double] {
      list.enumerated().map { place, value in
        min(max(value, 0), place.isMultiple(of: 2) ? width : height)
      }
    }
    var result = object
    switch object.shape {
    case .box, .mask, .tag: break
    case .polygons(let lists): result.shape = .polygons(lists.map(moved))
    case .lines(let lists): result.shape = .lines(lists.map(moved))
    case .points(let points): result.shape = .points(moved(points))
    }
    let box = object.box
    guard
      box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height
    else { return result }
    let (left, top) = (min(max(box.x, 0), width), min(max(box.y, 0), height))
    result.box = Box(
      x: left, y: top, width: min(max(box.x + box.width, 0), width) - left,
      height: min(max(box.y + box.height, 0), height) - top)
    return result
  }

  /// The box with corners at whole pixels, nearest to the stated ones, and at least a pixel wide and
  /// high.
  static func whole(_ box: Box, in size: ImageSize?) -> Box {
    func range(_ start: Double, _ length: Double, _ side: Int?) -> (Double, Double) {
      var low = start.rounded()
      if let side { low = min(max(low, 0), Double(side - 1)) }
      let high = max(low + 1, (start + length).rounded())
      return (low, high - low)
    }
    let (x, width) = range(box.x, box.width, size?.width)
    let (y, height) = range(box.y, box.height, size?.height)
    return Box(x: x, y: y, width: width, height: height)
  }
}
