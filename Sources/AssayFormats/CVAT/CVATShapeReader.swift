import AssayCore
import Foundation

/// Reads the shapes of one image.
struct CVATShapeReader {
  /// The track of a shape and its frame.
  struct Place {
    var track: CVATIndex.Track
    var number: Int
    var frame: Int
  }

  let meta: CVATMeta
  let file: String
  let key: String
  /// The size of the image; `nil` if it is unknown.
  let size: ImageSize?

  private(set) var regions: [LabeledRegion] = []
  /// The indices of the labels of the whole image in ``regions``.
  private(set) var tags: [Int] = []
  private(set) var issues: [Issue] = []
  private(set) var counts = CVATCounts()
  /// The number of shapes and tags.
  private(set) var read = 0

  /// The attributes of elements that are not further fields.
  private static let geometry: Set<String> = [
    "label", "points", "xtl", "ytl", "xbr", "ybr", "cx", "cy", "rx", "ry", "rle", "left", "top",
    "width", "height", "frame", "rotation", "annotation_type",
  ]
  /// The corners of a cuboid: the front, then the back.
  private static let corners = [
    "xtl1", "ytl1", "xtr1", "ytr1", "xbr1", "ybr1", "xbl1", "ybl1",
    "xtl2", "ytl2", "xtr2", "ytr2", "xbr2", "ybr2", "xbl2", "ybl2",
  ]
  private static let cornerNames = Set(corners)
  private static let ellipsePoints = 64

  init(meta: CVATMeta, file: String, key: String, size: ImageSize?) {
    self.meta = meta
    self.file = file
    self.key = key
    self.size = size
  }

  private mutating func note(
    _ kind: IssueKind, _ line: Int, _ text: String, _ severity: Issue.Severity = .error
  ) {
    issues.append(
      Issue(kind, severity, at: IssueLocation(file: file, line: line), sampleKey: key, text))
  }

  /// Reads an element.
  ///
  /// - Parameters:
  ///   - place: the track of the shape; `nil` for a shape of an image.
  ///   - points: the points of a skeleton that are elements of their own, by name.
  mutating func read(
    _ element: XMLElement, place: Place? = nil, points: [(name: String, element: XMLElement)] = []
  ) {
    read += 1
    var label = place?.track.label ?? element["label"] ?? ""
    let title = "\(element.name) \(read)" + (label.isEmpty ? "" : " (\(label))")
    if label.trimmingBlanks.isEmpty {
      label = DatumaroClasses.unlabeled.name
      note(.missingLabel, element.line, "\(title) has no label; kept as '\(label)'", .warning)
    } else if !meta.labels.isEmpty, meta.attributes[label] == nil {
      note(
        .unknownLabel, element.line,
        "\(title): the description of the task does not list this class; kept", .warning)
    }
    guard let (shape, more) = shape(of: element, title, label, points) else { return }
    var region = LabeledRegion(
      category: Category(name: label), shape: shape,
      at: IssueLocation(file: file, line: element.line), title: title)
    region.attributes = more + attributes(of: element, label, place)
    if element.name == "tag" { tags.append(regions.count) }
    regions.append(region)
  }

  // MARK: Shapes

  private mutating func shape(
    of element: XMLElement, _ title: String, _ label: String,
    _ points: [(name: String, element: XMLElement)]
  ) -> (LabeledRegion.Shape, [JSONValue.Member])? {
    switch element.name {
    case "tag": return (.tag, [])
    case "box": return box(element, title)
    case "ellipse": return ellipse(element, title)
    case "polygon": return self.points(element, title).map { (.polygons([$0]), []) }
    case "polyline": return self.points(element, title).map { (.polylines([$0]), []) }
    case "points": return self.points(element, title).map { (.points($0), []) }
    case "mask": return mask(element, title)
    case "cuboid": return cuboid(element, title)
    case "skeleton": return skeleton(element, title, label, points)
    default:
      note(.unsupportedField, element.line, "unknown element '\(element.name)'; left out")
      return nil
    }
  }

  /// The numbers of attributes; `nil`, with an issue, if one is missing or no number.
  private mutating func numbers(
    _ names: [String], _ element: XMLElement, _ title: String
  ) -> [Double]? {
    var values: [Double] = []
    for name in names {
      guard let text = element[name] else {
        note(.missingField, element.line, "\(title) has no \(name); left out")
        return nil
      }
      guard let value = DecimalNumber.value(of: text), abs(value) <= 1e7 else {
        note(
          .badField, element.line,
          "\(title): \(name) is '\(text.prefix(40))', expected a number; left out")
        return nil
      }
      values.append(value)
    }
    return values
  }

  /// The rotation in degrees, clockwise; 0 if there is none.
  private mutating func rotation(_ element: XMLElement, _ title: String) -> Double {
    guard let text = element["rotation"] else { return 0 }
    guard let value = DecimalNumber.value(of: text), abs(value) <= 1e7 else {
      note(
        .badField, element.line,
        "\(title): the rotation is '\(text.prefix(40))', expected degrees; not rotated", .warning)
      return 0
    }
    return value
  }

  private mutating func box(
    _ element: XMLElement, _ title: String
  ) -> (LabeledRegion.Shape, [JSONValue.Member])? {
    guard let values = numbers(["xtl", "ytl", "xbr", "ybr"], element, title) else { return nil }
    if values[0] > values[2] || values[1] > values[3] {
      note(
        .badShape, element.line,
        "\(title): xtl or ytl is larger than xbr or ybr; the corners are exchanged", .warning)
    }
    let box = Box(
      x: min(values[0], values[2]), y: min(values[1], values[3]), width: abs(values[2] - values[0]),
      height: abs(values[3] - values[1]))
    let degrees = rotation(element, title)
    guard degrees != 0 else { return (.box(box), []) }
    let corners = OrientedBox.corners(
      x: box.center.x, y: box.center.y, width: box.width, height: box.height,
      radians: degrees * Double.pi / 180)
    return (.polygons([corners]), [JSONValue.Member("rotation", .number(degrees))])
  }

  private mutating func ellipse(
    _ element: XMLElement, _ title: String
  ) -> (LabeledRegion.Shape, [JSONValue.Member])? {
    guard let values = numbers(["cx", "cy", "rx", "ry"], element, title) else { return nil }
    guard values[2] > 0, values[3] > 0 else {
      note(.badShape, element.line, "\(title) has no area; left out")
      return nil
    }
    let degrees = rotation(element, title)
    let (sine, cosine) = (sin(degrees * Double.pi / 180), cos(degrees * Double.pi / 180))
    var polygon: [Double] = []
    for number in 0..<Self.ellipsePoints {
      let angle = 2 * Double.pi * Double(number) / Double(Self.ellipsePoints)
      let (dx, dy) = (values[2] * cos(angle), values[3] * sin(angle))
      polygon += [values[0] + dx * cosine - dy * sine, values[1] + dx * sine + dy * cosine]
    }
    var members = [JSONValue.Member("ellipse", .array(values.map { .number($0) }))]
    if degrees != 0 { members.append(JSONValue.Member("rotation", .number(degrees))) }
    return (.polygons([polygon]), members)
  }

  /// The points of an element; `nil`, with an issue, if one is no pair of numbers.
  private mutating func points(_ element: XMLElement, _ title: String) -> [Double]? {
    let text = element["points"] ?? ""
    var points: [Double] = []
    for pair in text.split(separator: ";") {
      let fields = pair.split(separator: ",", omittingEmptySubsequences: false)
      let values = fields.compactMap { DecimalNumber.value(of: $0) }
      guard fields.count == 2, values.count == 2 else {
        note(
          .badField, element.line,
          "\(title): '\(pair.prefix(40))' is no point (expected x,y); left out")
        return nil
      }
      points += values
    }
    guard !points.isEmpty else {
      note(.badShape, element.line, "\(title) has no points; left out")
      return nil
    }
    return points
  }

  private mutating func mask(
    _ element: XMLElement, _ title: String
  ) -> (LabeledRegion.Shape, [JSONValue.Member])? {
    guard let values = numbers(["left", "top", "width", "height"], element, title) else {
      return nil
    }
    guard let size else {
      note(.maskSize, element.line, "\(title): the size of the image is unknown; left out")
      return nil
    }
    let whole = values.compactMap { Int(exactly: $0) }
    guard whole.count == 4, let text = element["rle"] else {
      note(.badField, element.line, "\(title): no run lengths in whole pixels; left out")
      return nil
    }
    do throws(CVATRunLengths.Problem) {
      let mask = try CVATRunLengths.mask(
        text, left: whole[0], top: whole[1], width: whole[2], height: whole[3], in: size)
      return (.mask(mask), [])
    } catch {
      note(error.kind, element.line, "\(title): \(error.text); left out")
      return nil
    }
  }

  /// The outline of a cuboid in the image.
  private mutating func cuboid(
    _ element: XMLElement, _ title: String
  ) -> (LabeledRegion.Shape, [JSONValue.Member])? {
    guard let values = numbers(Self.corners, element, title) else { return nil }
    counts.add(.cuboid, file: file, line: element.line)
    return (
      .polygons([ConvexHull.of(values)]),
      [JSONValue.Member("cuboid", .array(values.map { .number($0) }))]
    )
  }

  /// The visible points of a skeleton, and all of them as COCO's keypoints.
  private mutating func skeleton(
    _ element: XMLElement, _ title: String, _ label: String,
    _ outer: [(name: String, element: XMLElement)]
  ) -> (LabeledRegion.Shape, [JSONValue.Member])? {
    let inner = element.all("points").map { (name: $0["label"] ?? "", element: $0) }
    let all = inner + outer
    let names = (meta.points[label] ?? []) + all.map(\.name)
    let places = Dictionary(
      all.map { ($0.name, $0.element) }, uniquingKeysWith: { first, _ in first })
    var visible: [Double] = []
    var keypoints: [JSONValue] = []
    var used: Set<String> = []
    for name in names where used.insert(name).inserted {
      guard let point = places[name], point["outside"] != "1",
        let values = points(point, "\(title), point \(name)"),
        values.count == 2
      else {
        keypoints += [.integer(0), .integer(0), .integer(0)]
        continue
      }
      visible += values
      keypoints += [
        .number(values[0]), .number(values[1]), .integer(point["occluded"] == "1" ? 1 : 2),
      ]
    }
    guard !visible.isEmpty else {
      note(.badShape, element.line, "\(title) has no visible points; left out")
      return nil
    }
    return (
      .points(visible),
      [
        JSONValue.Member("keypoints", .array(keypoints)),
        JSONValue.Member("num_keypoints", .integer(Int64(visible.count / 2))),
      ]
    )
  }

  // MARK: Attributes

  private mutating func attributes(
    of element: XMLElement, _ label: String, _ place: Place?
  ) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    func add(_ name: String, _ value: JSONValue) {
      if names.insert(name).inserted { members.append(JSONValue.Member(name, value)) }
    }
    for attribute in element.attributes
    where !Self.geometry.contains(attribute.name) && !Self.cornerNames.contains(attribute.name) {
      // Every tag has a source; this one says nothing.
      if element.name == "tag", attribute.name == "source", attribute.value == "manual" { continue }
      add(attribute.name, JSONValue(scalar: attribute.value))
    }
    if let place {
      add("track", .integer(Int64(place.number)))
      add("frame", .integer(Int64(place.frame)))
      for attribute in place.track.attributes {
        add(attribute.name, JSONValue(scalar: attribute.value))
      }
    }
    let types = meta.attributes[label] ?? [:]
    for attribute in element.all("attribute") {
      guard let name = attribute["name"], !name.isEmpty else {
        note(.missingField, attribute.line, "an attribute has no name; left out", .warning)
        continue
      }
      let text = attribute.trimmedText
      let value =
        switch types[name] {
        case "text", "select", "radio": JSONValue.string(text)
        default: JSONValue(scalar: text)
        }
      // An attribute can have the name of one of CVAT's own.
      add(names.contains(name) ? "\(name) (attribute)" : name, value)
    }
    return members
  }
}
