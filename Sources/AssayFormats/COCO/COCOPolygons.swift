import AssayCore

/// Puts polygons right that are none.
struct COCOPolygons {
  /// Those that make a region.
  private(set) var kept: [[Double]] = []

  init(
    _ annotation: COCOAnnotation, _ polygons: [[Double]], _ findings: inout COCOFindings
  ) {
    // pycocotools takes four numbers for a box where the first polygon has four.
    let hasBoxes = polygons.first?.count == 4
    let first = Int(annotation.record.pointee.polygons)
    for (place, polygon) in polygons.enumerated() {
      var pointer: String { annotation.pointer + "/segmentation/\(place)" }
      let title = annotation.title
      if annotation.batch.polygons[first + place].is_bad {
        findings.note(
          .oddPolygon, pointer, key: annotation.key,
          "\(title): a polygon has a coordinate that is NaN or infinite; the polygon is left out")
      } else if hasBoxes, polygon.count == 4 {
        findings.note(
          .boxPolygon, pointer, key: annotation.key,
          "\(title): four numbers are no polygon; kept as a box of x, y, width, height, as pycocotools does"
        )
        kept.append(polygon)
      } else if polygon.count < 6 {
        let numbers = polygon.count == 1 ? "1 number" : "\(polygon.count) numbers"
        findings.note(
          .oddPolygon, pointer, key: annotation.key,
          "\(title): a polygon of \(numbers) has no three points; the polygon is left out")
      } else if polygon.count % 2 != 0 {
        findings.note(
          .oddPolygon, pointer, key: annotation.key,
          "\(title): a polygon has an odd count of numbers, \(polygon.count); the last one is left out"
        )
        kept.append(polygon.dropLast())
      } else {
        kept.append(polygon)
      }
    }
    // Boxes among polygons are read as such only where the first is one.
    if kept.first?.count != 4 { kept.removeAll { $0.count == 4 } }
  }

  /// The box around all points, boxes among them with their corners.
  static func bounds(of polygons: [[Double]]) -> Box {
    var left = Double.infinity
    var top = Double.infinity
    var right = -Double.infinity
    var bottom = -Double.infinity
    for polygon in polygons {
      let points =
        polygon.count == 4
        ? [polygon[0], polygon[1], polygon[0] + polygon[2], polygon[1] + polygon[3]] : polygon
      for place in stride(from: 0, to: points.count - 1, by: 2) {
        left = min(left, points[place])
        right = max(right, points[place])
        top = min(top, points[place + 1])
        bottom = max(bottom, points[place + 1])
      }
    }
    return Box(x: left, y: top, width: right - left, height: bottom - top)
  }
}
