import AssayCore

/// One region of an image in VIA.
struct VIARegion {
  private let region: JSONValue
  private let pointer: String
  private let title: String
  private let choice: VIAAttributes.Choice
  /// The class, if it is not that of a region attribute.
  private let label: String?
  /// True for a region of a project of VIA 3, which knows its place in that file.
  private let isOfProject: Bool

  init(
    _ region: JSONValue, _ pointer: String, _ title: String, _ choice: VIAAttributes.Choice,
    _ label: String?, isOfProject: Bool = false
  ) {
    self.region = region
    self.pointer = isOfProject ? region.member("pointer")?.text ?? "" : pointer
    self.title = title
    self.choice = choice
    self.label = label
    self.isOfProject = isOfProject
  }

  private var shapePlace: String { pointer + (isOfProject ? "/xy" : "/shape_attributes") }
  private var attributesPlace: String { pointer + (isOfProject ? "/av" : "/region_attributes") }

  func read(into image: inout JSONImageReading) {
    if isOfProject {
      for warning in region.member("warnings")?.elements ?? [] {
        image.warn(.badField, attributesPlace, "\(title): \(warning.text ?? "")")
      }
      if region.member("isField") != nil { return }
    }
    if let problem = region.member("problem")?.text {
      let kind = region.member("kind")?.text.flatMap(IssueKind.init) ?? .fieldCount
      return image.drop(kind, pointer, "\(title): \(problem)")
    }
    guard region.members != nil else {
      return image.drop(.badField, pointer, "\(title) is \(region.kindName), not an object")
    }
    let stated = region.member("region_attributes")
    guard var attributes = stated == nil || stated == .null ? [] : VIAJSON.object(stated) else {
      return image.drop(
        .badField, attributesPlace,
        "\(title): 'region_attributes' is not a JSON object")
    }
    guard let shape = VIAJSON.object(region.member("shape_attributes")) else {
      return image.drop(
        .badField, shapePlace,
        "\(title): 'shape_attributes' is not a JSON object")
    }
    guard let label = label(&attributes, &image) else { return }
    let values = JSONValue.object(shape)
    guard let form = form(values, &attributes, &image) else { return }
    attributes.removeAll { $0.value == .null || $0.value == .string("") || $0.value == .object([]) }
    if let points = values.member(VIASpatial.extremes), isOfProject {
      attributes.append(.init(VIASpatial.extremes, points))
    }
    image.add(
      label, form, pointer, title, attributes: attributes,
      id: isOfProject ? region.member("id")?.text.map { .text($0) } : nil)
  }

  /// The class; a single value of its attribute is not repeated as an attribute.
  private func label(
    _ attributes: inout [JSONValue.Member], _ image: inout JSONImageReading
  ) -> String? {
    guard case .region(let name) = choice else {
      if let label { return label }
      image.drop(.missingLabel, pointer, "\(title) has no class")
      return nil
    }
    let place = attributesPlace
    let names = attributes.last { $0.name == name }.map { VIAValue.names(of: $0.value) } ?? []
    guard let first = names.first else {
      image.drop(.missingLabel, place, "\(title) has no value of the attribute '\(name)'")
      return nil
    }
    if names.count == 1 {
      attributes.removeAll { $0.name == name }
    } else {
      image.warn(
        .badField, place,
        "\(title) has \(names.count) values of '\(name)'; the first one is its class, and all are an "
          + "attribute")
    }
    return first
  }

  private func form(
    _ shape: JSONValue, _ attributes: inout [JSONValue.Member], _ image: inout JSONImageReading
  ) -> LabeledRegion.Shape? {
    let place = shapePlace
    let kind = shape.member("name")?.text ?? ""
    func numbers(_ names: String...) -> [Double]? {
      let found = names.compactMap { shape.member($0)?.double }
      guard found.count == names.count else {
        image.drop(
          .badField, place,
          "\(title): a \(kind) needs the numbers \(names.joined(separator: ", "))")
        return nil
      }
      guard found.allSatisfy(\.isFinite) else {
        image.drop(.badShape, place, "\(title): a number of the \(kind) is NaN or infinite")
        return nil
      }
      return found
    }
    switch kind {
    case "rect":
      return numbers("x", "y", "width", "height").map {
        .box(Box(x: $0[0], y: $0[1], width: $0[2], height: $0[3]))
      }
    case "circle":
      guard let circle = numbers("cx", "cy", "r"), positive(circle[2...], place, &image) else {
        return nil
      }
      attributes.append(.init("circle", .array(circle.map { .number($0) })))
      return .polygons([
        JSONImageReading.ellipse(
          x: circle[0], y: circle[1], radiusX: circle[2], radiusY: circle[2])
      ])
    case "ellipse":
      guard let ellipse = numbers("cx", "cy", "rx", "ry"), positive(ellipse[2...], place, &image)
      else { return nil }
      var degrees = 0.0
      if shape.member("theta") != nil {
        guard let theta = numbers("theta") else { return nil }
        degrees = theta[0] * 180 / .pi
      }
      attributes.append(.init("ellipse", .array((ellipse + [degrees]).map { .number($0) })))
      return .polygons([
        JSONImageReading.ellipse(
          x: ellipse[0], y: ellipse[1], radiusX: ellipse[2], radiusY: ellipse[3], degrees: degrees)
      ])
    case "polygon", "polyline":
      guard let x = shape.member("all_points_x")?.elements?.map(\.double),
        let y = shape.member("all_points_y")?.elements?.map(\.double), x.count == y.count
      else {
        image.drop(
          .badField, place,
          "\(title): 'all_points_x' and 'all_points_y' are not two lists of one length")
        return nil
      }
      let points = zip(x, y).flatMap { [$0, $1] }.compactMap(\.self)
      guard points.count == 2 * x.count else {
        image.drop(.badField, place, "\(title): a coordinate is not a number")
        return nil
      }
      return kind == "polygon" ? .polygons([points]) : .polylines([points])
    case "point":
      return numbers("cx", "cy").map { .points($0) }
    default:
      image.drop(.badShape, place + "/name", "\(title): unknown shape '\(kind.prefix(40))'")
      return nil
    }
  }

  private func positive(
    _ radii: ArraySlice<Double>, _ place: String, _ image: inout JSONImageReading
  ) -> Bool {
    guard radii.allSatisfy({ $0 > 0 }) else {
      image.drop(.badShape, place, "\(title): a radius is not above 0")
      return false
    }
    return true
  }
}
