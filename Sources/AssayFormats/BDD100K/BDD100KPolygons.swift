import AssayCore

/// The polygons or lines of a label: `poly2d`.
///
/// Newer files list parts with `vertices`, `types` and `closed`; older ones have one part of
/// `[x, y, "L"]`. A vertex of type `C` begins a cubic Bézier curve, of which it is the first control
/// point; the next two are the other control point and the end. Matplotlib, with which Scalabel draws
/// masks, reads them so.
struct BDD100KPolygons {
  private let value: JSONValue
  private let category: String
  private let pointer: String
  private let title: String

  /// The number of straight lines that stand for a curve.
  static let steps = 16

  init(_ value: JSONValue, _ category: String, _ pointer: String, _ title: String) {
    self.value = value
    self.category = category
    self.pointer = pointer
    self.title = title
  }

  private struct Part {
    var vertices: [Double]
    var types: [UInt8]
    var isClosed: Bool
  }

  /// The shape; `nil`, with an issue, if it is left out. Control points are kept as an attribute.
  func shape(
    _ attributes: inout [JSONValue.Member], _ image: inout JSONImageReading
  ) -> LabeledRegion.Shape? {
    guard let parts = parts(&image) else {
      image.drop(
        .badField, pointer,
        "\(title): 'poly2d' is neither a list of parts with 'vertices' nor of [x, y, type]")
      return nil
    }
    let closed = parts.count { $0.isClosed }
    guard closed == 0 || closed == parts.count else {
      image.drop(.badShape, pointer, "\(title): some parts of 'poly2d' are closed, others are not")
      return nil
    }
    if parts.contains(where: { $0.types.contains(UInt8(ascii: "C")) }) {
      attributes.append(.init("poly2d", value))
    }
    let lines = parts.map { part in
      let (points, isBroken) = Self.points(part.vertices, part.types, isClosed: part.isClosed)
      if isBroken {
        image.warn(
          .badShape, pointer, "\(title): a curve has fewer than three points; read as lines")
      }
      return points
    }
    return closed == 0 ? .polylines(lines) : .polygons(lines)
  }

  private func parts(_ image: inout JSONImageReading) -> [Part]? {
    guard let elements = value.elements, let first = elements.first else { return nil }
    if first.members == nil {
      guard let part = older(elements) else { return nil }
      return [part]
    }
    var parts: [Part] = []
    for (place, element) in elements.enumerated() {
      guard let vertices = JSONImageReading.points(element.member("vertices")) else { return nil }
      let count = vertices.count / 2
      var types = Array((element.member("types")?.text ?? "").utf8)
      if types.count != count || types.contains(where: { !Self.isType($0) }) {
        if element.member("types") != nil, element.member("types") != .null {
          image.warn(
            .badField, "\(pointer)/\(place)/types",
            "\(title): 'types' is not one L or C per vertex; read as lines")
        }
        types = Array(repeating: UInt8(ascii: "L"), count: count)
      }
      parts.append(
        Part(
          vertices: vertices, types: types,
          isClosed: element.member("closed")?.bool ?? isClosedByClass))
    }
    return parts
  }

  private static func isType(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "L") || byte == UInt8(ascii: "C")
  }

  /// The part of an older file: a list of `[x, y, type]`, or of `[x, y]`.
  private func older(_ elements: [JSONValue]) -> Part? {
    var part = Part(vertices: [], types: [], isClosed: isClosedByClass)
    for element in elements {
      guard let vertex = element.elements, vertex.count == 2 || vertex.count == 3,
        let x = vertex[0].double, let y = vertex[1].double
      else { return nil }
      var type = UInt8(ascii: "L")
      if vertex.count == 3 {
        guard let text = vertex[2].text, let byte = text.utf8.first, text.utf8.count == 1,
          Self.isType(byte)
        else { return nil }
        type = byte
      }
      part.vertices += [x, y]
      part.types.append(type)
    }
    return part
  }

  /// Lanes are lines, everything else is an area, where the file does not say it.
  private var isClosedByClass: Bool { !category.lowercased().hasPrefix("lane") }

  /// The points with curves replaced by ``steps`` lines each.
  ///
  /// - Returns: the points, and whether a curve lacks points; its points are kept as corners.
  static func points(
    _ vertices: [Double], _ types: [UInt8], isClosed: Bool
  ) -> (points: [Double], isBroken: Bool) {
    let count = types.count
    guard count > 0, types.dropFirst().contains(UInt8(ascii: "C")) else { return (vertices, false) }
    func vertex(_ place: Int) -> (x: Double, y: Double) {
      // A curve can end where a closed part begins.
      let index = place == count ? 0 : place
      return (vertices[2 * index], vertices[2 * index + 1])
    }
    var points = Array(vertices[..<2])
    var place = 1
    while place < count {
      guard types[place] == UInt8(ascii: "C") else {
        points += vertices[2 * place..<2 * place + 2]
        place += 1
        continue
      }
      guard place + 2 < count || isClosed && place + 2 == count else {
        return (points + vertices[(2 * place)...], true)
      }
      let a = (x: points[points.count - 2], y: points[points.count - 1])
      let (b, c, d) = (vertex(place), vertex(place + 1), vertex(place + 2))
      let last = place + 2 == count ? steps - 1 : steps
      for step in 1...last {
        let t = Double(step) / Double(steps)
        let s = 1 - t
        let (w, x, y, z) = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
        points.append(w * a.x + x * b.x + y * c.x + z * d.x)
        points.append(w * a.y + x * b.y + y * c.y + z * d.y)
      }
      place += 3
    }
    return (points, false)
  }
}
