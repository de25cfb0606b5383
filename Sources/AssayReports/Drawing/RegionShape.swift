import AssayCore

/// A mask's outline as rings of points on an image of another size, to be filled
/// by the even–odd rule.
struct RegionShape: Sendable, Equatable {
  /// The rings, closed without repeating the first point, in layout pixels of the image.
  let rings: [[Point]]

  /// Creates a rectangle with its corners at half pixels.
  init(x: Double, y: Double, width: Double, height: Double) {
    func half(_ value: Double) -> Double { (value * 2).rounded() / 2 }
    let (left, top) = (half(x), half(y))
    let (right, bottom) = (half(x + width), half(y + height))
    rings = [
      [
        Point(x: left, y: top), Point(x: right, y: top), Point(x: right, y: bottom),
        Point(x: left, y: bottom),
      ]
    ]
  }

  /// Creates the outline, scaled from the mask's pixels to an image of `width`
  /// × `height` layout pixels.
  ///
  /// Points are rounded to half a pixel, which drops only invisible details of a large mask.
  init(_ mask: Mask, width: Double, height: Double) {
    guard !mask.isEmpty else {
      rings = []
      return
    }
    let across = width / Double(mask.size.width)
    let down = height / Double(mask.size.height)
    rings = mask.contours().compactMap { contour in
      var ring: [Point] = []
      ring.reserveCapacity(contour.count / 2)
      var index = 0
      while index + 1 < contour.count {
        let point = Point(
          x: (contour[index] * across * 2).rounded() / 2,
          y: (contour[index + 1] * down * 2).rounded() / 2)
        Self.append(point, to: &ring)
        index += 2
      }
      while ring.count > 1, ring.first == ring.last { ring.removeLast() }
      return ring.count > 2 ? ring : nil
    }
  }

  /// Appends a point unless it is redundant; a point in the middle of a
  /// straight segment is removed.
  private static func append(_ point: Point, to ring: inout [Point]) {
    guard let last = ring.last else {
      ring.append(point)
      return
    }
    guard point != last else { return }
    if ring.count > 1 {
      let before = ring[ring.count - 2]
      let cross =
        (last.x - before.x) * (point.y - last.y) - (last.y - before.y) * (point.x - last.x)
      if cross == 0 { ring.removeLast() }
      if ring.last == point { return }
    }
    ring.append(point)
  }

  /// The rings as SVG path data in half pixels, with relative coordinates
  /// and no unnecessary spaces.
  var pathData: String {
    var text = ""
    for ring in rings {
      var (x, y) = (0, 0)
      for (index, point) in ring.enumerated() {
        let (nextX, nextY) = (Int(point.x * 2), Int(point.y * 2))
        let (dx, dy) = (nextX - x, nextY - y)
        if index == 0 {
          text += "M\(nextX) \(nextY)"
        } else if dy == 0 {
          text += "h\(dx)"
        } else if dx == 0 {
          text += "v\(dy)"
        } else {
          text += dy < 0 ? "l\(dx)\(dy)" : "l\(dx) \(dy)"
        }
        (x, y) = (nextX, nextY)
      }
      text += "z"
    }
    return text
  }
}
