import AssayCore

/// Corrects or omits invalid polygons.
struct COCOPolygons {
  /// The polygons that are kept, corrected if needed.
  private(set) var kept: [[Double]] = []
  /// The invalid polygons by index, and how each was handled, one clause.
  private(set) var oddities: [(place: Int, cause: COCOOddity, text: String)] = []

  /// - Parameter isBad: for each polygon, true if one of its coordinates is not a finite number.
  init(_ polygons: [[Double]], isBad: [Bool]) {
    if Self.areRows(polygons) {
      oddities.append((0, .oddTruthRegion, Self.rowsText(polygons)))
      return
    }
    // pycocotools treats four numbers as a box if the first polygon has four.
    let hasBoxes = polygons.first?.count == 4
    for (place, polygon) in polygons.enumerated() {
      if isBad[place] {
        oddities.append(
          (
            place, .oddTruthRegion,
            "a polygon has a coordinate that is NaN or infinite; the polygon is left out"
          ))
      } else if hasBoxes, polygon.count == 4 {
        oddities.append(
          (
            place, .boxPolygon,
            "four numbers are not a polygon; kept as a box of x, y, width, height, as pycocotools "
              + "does"
          ))
        kept.append(polygon)
      } else if polygon.count < 6 {
        let numbers = polygon.count == 1 ? "1 number" : "\(polygon.count) numbers"
        oddities.append(
          (
            place, .oddTruthRegion,
            "a polygon with \(numbers) has fewer than three points; the polygon is left out"
          ))
      } else if polygon.count % 2 != 0 {
        oddities.append(
          (
            place, .oddTruthRegion,
            "a polygon has an odd count of numbers, \(polygon.count); the last one is left out"
          ))
        kept.append(polygon.dropLast())
      } else {
        kept.append(polygon)
      }
    }
    // Boxes among polygons are read as boxes only if the first polygon is one.
    if kept.first?.count != 4 { kept.removeAll { $0.count == 4 } }
  }

  init(
    _ annotation: COCOAnnotation, _ polygons: [[Double]], _ findings: inout OddityIssues
  ) {
    let first = Int(annotation.record.pointee.polygons)
    self.init(
      polygons,
      isBad: polygons.indices.map { annotation.batch.polygons[first + $0].is_bad })
    for (place, cause, text) in oddities {
      findings.note(
        cause, annotation.pointer + "/segmentation/\(place)", key: annotation.key,
        "\(annotation.title): \(text)")
    }
  }

  /// True for the rows of a mask in place of polygons: more than three lists of one length, of 0 and 1 alone.
  static func areRows(_ polygons: [[Double]]) -> Bool {
    guard polygons.count > 3, let width = polygons.first?.count, width > 3 else { return false }
    return polygons.allSatisfy { $0.count == width && $0.allSatisfy { $0 == 0 || $0 == 1 } }
  }

  /// The reason why the rows of a mask are left out, one clause.
  static func rowsText(_ rows: [[Double]]) -> String {
    "its segmentation is a mask as \(rows.count) rows of \(rows.first?.count ?? 0) pixels, 0 or 1, not polygons; "
      + "write run lengths, as pycocotools.mask.encode makes them"
  }

  /// The bounding box of all points, including the corners of boxes.
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
