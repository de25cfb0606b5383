import AssayCore

/// Reads the objects of one annotation.
struct VOCObjectReader {
  /// An object of the file.
  struct Object {
    var name: String
    /// The index of its region; `nil` if it is left out.
    var region: Int?
  }

  let classes: VOCClasses
  let coordinates: VOCCoordinates
  /// The path of the annotation, and the key of the image.
  let file: String
  let key: String

  private(set) var regions: [LabeledRegion] = []
  private(set) var objects: [Object] = []
  private(set) var issues: [Issue] = []
  private(set) var counts = VOCCounts()
  private var seen: [Seen: Int] = [:]

  /// An object as it repeats another.
  private struct Seen: Hashable {
    var name: String
    var box: Box
  }

  /// The elements of an object that are not further fields.
  private static let own: Set<String> = [
    "name", "bndbox", "polygon", "robndbox", "part", "attributes", "point",
  ]
  /// The elements of an annotation that describe the file.
  private static let described: Set<String> = [
    "folder", "filename", "path", "source", "owner", "size", "segmented", "object",
  ]
  private static let fieldLimit = 100

  init(classes: VOCClasses, coordinates: VOCCoordinates, file: String, key: String) {
    self.classes = classes
    self.coordinates = coordinates
    self.file = file
    self.key = key
  }

  private mutating func note(
    _ kind: IssueKind, _ line: Int, _ text: String, _ severity: Issue.Severity = .warning
  ) {
    issues.append(
      Issue(kind, severity, at: IssueLocation(file: file, line: line), sampleKey: key, text))
  }

  /// Reads all objects.
  mutating func read(_ root: XMLElement) {
    for child in root.children where child.name == "object" { read(object: child) }
    var fields: Set<String> = []
    for child in root.children where !Self.described.contains(child.name) {
      guard fields.insert(child.name).inserted, fields.count <= Self.fieldLimit else { continue }
      counts.add(.field(child.name), file: file, line: child.line)
    }
  }

  private mutating func read(object: XMLElement) {
    let number = objects.count + 1
    let name = object.text(of: "name") ?? ""
    objects.append(Object(name: name, region: nil))
    let title = name.isEmpty ? "object \(number)" : "object \(number) (\(name))"
    let parts = object.all("part")
    defer { for part in parts { read(part: part, of: number, name) } }
    guard let category = category(name, object, title) else { return }
    guard let (shape, box, more) = shape(of: object, title) else { return }
    var region = LabeledRegion(
      category: category, shape: shape, box: box,
      at: IssueLocation(file: file, line: object.line), title: title)
    region.attributes = more + attributes(of: object, title)
    if !parts.isEmpty { set("group", .integer(Int64(number)), &region.attributes) }
    if let box {
      if let first = seen[Seen(name: name, box: box)] {
        note(.duplicateID, object.line, "\(title) repeats object \(first); both are kept")
      } else {
        seen[Seen(name: name, box: box)] = number
      }
    }
    let isDifficult = region.attributes.contains {
      $0.name == "difficult" && ($0.value == .integer(1) || $0.value == .bool(true))
    }
    if isDifficult { counts.add(.difficult, file: file, line: object.line) }
    objects[number - 1].region = regions.count
    regions.append(region)
  }

  private mutating func read(part: XMLElement, of number: Int, _ owner: String) {
    let name = part.text(of: "name") ?? ""
    let title =
      "part \(name.isEmpty ? "without a name" : name) of object \(number)"
    guard let category = category(name, part, title),
      let (shape, box, more) = shape(of: part, title)
    else { return }
    var region = LabeledRegion(
      category: category, shape: shape, box: box,
      at: IssueLocation(file: file, line: part.line), title: title)
    region.attributes = more + attributes(of: part, title)
    set("group", .integer(Int64(number)), &region.attributes)
    set("part_of", .string(owner), &region.attributes)
    regions.append(region)
  }

  private mutating func category(
    _ name: String, _ element: XMLElement, _ title: String
  ) -> Category? {
    guard !name.isEmpty else {
      note(.missingField, element.line, "\(title) has no name; left out", .error)
      return nil
    }
    let (category, isDeclared) = classes.category(named: name)
    if classes.isClosed, !isDeclared {
      note(
        .unknownLabel, element.line, "\(title): --classes does not list this class; left out",
        .error)
      return nil
    }
    if !isDeclared {
      note(
        .unknownLabel, element.line,
        "\(title): \(classes.labelMap?.file ?? "the list of classes") does not list this as a class "
          + "of objects; kept as a class of its own")
    }
    return category
  }

  // MARK: Shapes

  /// The shape of an object, its box, and the attributes that follow from its shape; `nil`, with an
  /// issue, if it has none.
  private mutating func shape(
    of object: XMLElement, _ title: String
  ) -> (shape: LabeledRegion.Shape, box: Box?, attributes: [JSONValue.Member])? {
    var polygons: [[Double]] = []
    for element in object.all("polygon") {
      if let polygon = polygon(element), polygon.count >= 6 {
        polygons.append(polygon)
      } else {
        note(
          .badShape, element.line,
          "\(title): the polygon has fewer than three points, or a coordinate that is no number; "
            + "left out")
      }
    }
    let boxes = object.all("bndbox")
    let box = boxes.first.flatMap { self.box($0, title) }
    for other in boxes.dropFirst() {
      note(
        .unsupportedField, other.line,
        "\(title) has \(boxes.count) bndbox elements, and one is an object's box; this one is left out",
        .error)
    }
    if !polygons.isEmpty { return (.polygons(polygons), box, []) }
    if let rotated = object.first("robndbox"), let found = rotatedBox(rotated, title) {
      return (
        .polygons([found.points]), box, [JSONValue.Member("rotation", .number(found.degrees))]
      )
    }
    if let box { return (.box(box), box, []) }
    if object.first("bndbox") == nil {
      note(.missingField, object.line, "\(title) has no bndbox; left out", .error)
    }
    return nil
  }

  /// The box of a `bndbox`; `nil`, with an issue, if it has none.
  private mutating func box(_ element: XMLElement, _ title: String) -> Box? {
    var values: [Double] = []
    for name in ["xmin", "ymin", "xmax", "ymax"] {
      guard let text = element.text(of: name) else {
        note(.missingField, element.line, "\(title): the bndbox has no \(name); left out", .error)
        return nil
      }
      guard let value = DecimalNumber.value(of: text), abs(value) <= 1e7 else {
        note(
          .badField, element.first(name)?.line ?? element.line,
          "\(title): \(name) is '\(text.prefix(40))', expected a number of pixels; left out", .error
        )
        return nil
      }
      values.append(value)
    }
    if values[0] > values[2] || values[1] > values[3] {
      note(
        .badShape, element.line,
        "\(title): xmin or ymin is larger than xmax or ymax; the corners are exchanged")
      values = [
        min(values[0], values[2]), min(values[1], values[3]), max(values[0], values[2]),
        max(values[1], values[3]),
      ]
    }
    if coordinates.origin > 0, values[0] < 1 || values[1] < 1 {
      counts.add(.beforeFirst, file: file, line: element.line)
    }
    return coordinates.box(xmin: values[0], ymin: values[1], xmax: values[2], ymax: values[3])
  }

  /// The points of a polygon: `x1`, `y1`, `x2`, `y2`, …, or elements with `x` and `y`; `nil` if one
  /// is no number.
  private func polygon(_ element: XMLElement) -> [Double]? {
    var points: [Double] = []
    func add(_ text: String?) -> Bool {
      guard let text, let value = DecimalNumber.value(of: text) else { return false }
      points.append(value - coordinates.origin)
      return true
    }
    let pairs = element.children.filter { $0.first("x") != nil || $0.first("y") != nil }
    if !pairs.isEmpty {
      for pair in pairs {
        guard add(pair.text(of: "x")), add(pair.text(of: "y")) else { return nil }
      }
      return points
    }
    var texts: [String: String] = [:]
    for child in element.children { texts[child.name] = child.text }
    var number = 1
    while let x = texts["x\(number)"] {
      guard add(x), add(texts["y\(number)"]) else { return nil }
      number += 1
    }
    return 2 * (number - 1) == texts.count ? points : nil
  }

  /// The corners of roLabelImg's oriented box: center, size, and an angle in radians, clockwise.
  /// Its coordinates are positions from 0.
  private mutating func rotatedBox(
    _ element: XMLElement, _ title: String
  ) -> (points: [Double], degrees: Double)? {
    let values = ["cx", "cy", "w", "h", "angle"].compactMap { name in
      element.text(of: name).flatMap { DecimalNumber.value(of: $0) }
    }
    guard values.count == 5, values[2] > 0, values[3] > 0,
      values.allSatisfy({ abs($0) <= 1e7 })
    else {
      note(.badShape, element.line, "\(title): the robndbox is no oriented box; ignored")
      return nil
    }
    return (
      OrientedBox.corners(
        x: values[0], y: values[1], width: values[2], height: values[3], radians: values[4]),
      values[4] * 180 / Double.pi
    )
  }

  // MARK: Attributes

  /// The further fields of an object with their names: marks, actions, CVAT's attributes.
  private mutating func attributes(
    of object: XMLElement, _ title: String
  ) -> [JSONValue.Member] {
    var rest = object
    rest.children = object.children.filter { !Self.own.contains($0.name) }
    rest.text = ""
    var members: [JSONValue.Member] = []
    if !rest.children.isEmpty || !rest.attributes.isEmpty, case .object(let found) = rest.json {
      members = found.filter { $0.value != .string("") }
    }
    if let point = object.first("point"),
      let x = point.text(of: "x").flatMap({ DecimalNumber.value(of: $0) }),
      let y = point.text(of: "y").flatMap({ DecimalNumber.value(of: $0) })
    {
      let origin = coordinates.origin
      set("point", .array([.number(x - origin), .number(y - origin)]), &members)
    }
    var places = Dictionary(
      members.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    for attribute in object.first("attributes")?.all("attribute") ?? [] {
      guard let name = attribute.text(of: "name") else {
        note(.missingField, attribute.line, "\(title): an attribute has no name; left out")
        continue
      }
      let value = JSONValue(scalar: attribute.first("value")?.trimmedText ?? "")
      if let place = places[name] {
        note(
          .duplicateID, attribute.line,
          "\(title): the attribute '\(name)' is there twice; the last one is kept")
        members[place].value = value
      } else {
        places[name] = members.count
        members.append(JSONValue.Member(name, value))
      }
    }
    return members
  }

  private func set(_ name: String, _ value: JSONValue, _ members: inout [JSONValue.Member]) {
    members.removeAll { $0.name == name }
    members.append(JSONValue.Member(name, value))
  }
}
