import AssayCore

/// A region of a Label Studio annotation; coordinates are percent of the image's size.
struct LabelStudioRegion {
  private let result: JSONValue
  private let value: JSONValue
  private let pointer: String
  /// The other results with the region's id: labels, choices, texts.
  private let further: [JSONValue]
  private let annotator: JSONValue?
  private let annotationID: JSONValue?

  init(
    _ result: JSONValue, _ pointer: String, further: [JSONValue], annotator: JSONValue?,
    annotationID: JSONValue?
  ) {
    self.result = result
    value = result.member("value") ?? .null
    self.pointer = pointer
    self.further = further
    self.annotator = annotator
    self.annotationID = annotationID
  }

  private var title: String {
    "region " + (result.member("id")?.text.map { "'\($0.prefix(40))'" } ?? pointer)
  }

  func read(into image: inout JSONImageReading) {
    guard result.members != nil, let type = result.member("type")?.text else {
      return image.drop(.badField, pointer, "\(title) has no type")
    }
    guard let shape = LabelStudioResults.shape(ofType: type) else {
      return image.drop(
        .unsupportedField, pointer, "\(title): results of type '\(type.prefix(40))' are not read")
    }
    guard value.members != nil else {
      return image.drop(.badField, pointer + "/value", "\(title): 'value' is \(value.kindName)")
    }
    let labels = labels(type)
    let label = labels.first ?? DatumaroClasses.unlabeled.name
    if labels.isEmpty {
      image.warn(.missingLabel, pointer, "\(title) has no label; its class is \(label)")
    }
    if let turn = result.member("image_rotation")?.double, turn != 0 {
      return image.drop(
        .badShape, pointer + "/image_rotation",
        "\(title): the image was rotated by \(turn)° when the region was drawn, which is not supported"
      )
    }
    guard let size = image.size else {
      return image.drop(
        .badShape, pointer, "\(title): the size of the image is not known (no 'original_width')")
    }
    var attributes = attributes(labels)
    do throws(Fault) {
      let form: LabeledRegion.Shape =
        switch shape {
        case "rectangle": try rectangle(size, &attributes)
        case "ellipse": try ellipse(size, &attributes)
        case "polygon": try polygon(size)
        case "keypoint": try keypoint(size, &attributes)
        default: .mask(try brush(size))
        }
      if labels.count > 1 {
        image.warn(
          .badField, pointer,
          "\(title) has \(labels.count) labels; the first one is its class, and all are an attribute"
        )
      }
      image.add(
        label, form, pointer, title, attributes: attributes,
        id: result.member("id")?.text.map { .text($0) })
    } catch {
      image.drop(error.kind, pointer + "/value", "\(title): \(error.text)")
    }
  }

  private struct Fault: Error {
    var kind: IssueKind
    var text: String
  }

  /// The labels of the region, in its value or in a result of its own.
  private func labels(_ type: String) -> [String] {
    let own = [type, "labels"].compactMap { value.member($0)?.elements }.first ?? []
    let apart = further.filter { $0.member("type") == "labels" }.compactMap {
      $0.member("value")?.member("labels")?.elements
    }
    return (own + apart.joined()).compactMap(\.text).filter { !$0.isEmpty }
  }

  private func attributes(_ labels: [String]) -> [JSONValue.Member] {
    var kept: [JSONValue.Member] = []
    func keep(_ name: String, _ value: JSONValue?) {
      guard let value, value != .null, value != .object([]) else { return }
      kept.append(.init(name, value))
    }
    keep("completed_by", annotator)
    keep("annotation_id", annotationID)
    for name in ["score", "meta", "parentID", "hidden", "origin"] {
      keep(name, result.member(name) ?? (name == "score" ? value.member(name) : nil))
    }
    if labels.count > 1 { keep("labels", .array(labels.map { .string($0) })) }
    for other in further {
      let type = other.member("type")?.text ?? ""
      guard type != "labels" else { continue }
      let name = other.member("from_name")?.text ?? type
      kept.removeAll { $0.name == name }
      keep(name, other.member("value")?.member(type) ?? other.member("value"))
    }
    return kept
  }

  // MARK: Shapes

  private func number(_ name: String) throws(Fault) -> Double {
    guard let number = value.member(name)?.double else {
      throw Fault(
        kind: value.member(name) == nil ? .missingField : .badField,
        text: "'\(name)' is \(value.member(name)?.kindName ?? "missing"), expected a number")
    }
    guard number.isFinite else { throw Fault(kind: .badShape, text: "'\(name)' is not finite") }
    return number
  }

  /// The rotation in degrees; 0 if there is none.
  private func rotation() throws(Fault) -> Double {
    value.member("rotation") == nil || value.member("rotation") == .null
      ? 0 : try number("rotation")
  }

  private func rectangle(
    _ size: ImageSize, _ attributes: inout [JSONValue.Member]
  ) throws(Fault) -> LabeledRegion.Shape {
    let (wide, high) = (Double(size.width), Double(size.height))
    let (x, y) = (try number("x") * wide / 100, try number("y") * high / 100)
    let (width, height) = (
      try number("width") * wide / 100, try number("height") * high / 100
    )
    let degrees = try rotation()
    guard degrees != 0 else { return .box(Box(x: x, y: y, width: width, height: height)) }
    guard width >= 0, height >= 0 else {
      throw Fault(kind: .badShape, text: "the box has a negative size")
    }
    attributes.append(.init("rotation", .number(degrees)))
    // Label Studio rotates a box about its top-left corner.
    let (sine, cosine) = (Angle.sine(degrees), Angle.cosine(degrees))
    let corners = [(0, 0), (width, 0), (width, height), (0, height)]
    return .polygons([
      corners.flatMap { [x + $0.0 * cosine - $0.1 * sine, y + $0.0 * sine + $0.1 * cosine] }
    ])
  }

  private func ellipse(
    _ size: ImageSize, _ attributes: inout [JSONValue.Member]
  ) throws(Fault) -> LabeledRegion.Shape {
    let (wide, high) = (Double(size.width), Double(size.height))
    let (x, y) = (try number("x") * wide / 100, try number("y") * high / 100)
    let (radiusX, radiusY) = (
      try number("radiusX") * wide / 100, try number("radiusY") * high / 100
    )
    let degrees = try rotation()
    guard radiusX >= 0, radiusY >= 0 else {
      throw Fault(kind: .badShape, text: "the ellipse has a negative radius")
    }
    attributes.append(
      .init("ellipse", .array([x, y, radiusX, radiusY, degrees].map { .number($0) })))
    if degrees != 0 { attributes.append(.init("rotation", .number(degrees))) }
    return .polygons([
      JSONImageReading.ellipse(x: x, y: y, radiusX: radiusX, radiusY: radiusY, degrees: degrees)
    ])
  }

  private func polygon(_ size: ImageSize) throws(Fault) -> LabeledRegion.Shape {
    guard let percent = JSONImageReading.points(value.member("points")) else {
      throw Fault(
        kind: value.member("points") == nil ? .missingField : .badField,
        text: "'points' is \(value.member("points") == nil ? "missing" : "not a list of [x, y]")")
    }
    let points = percent.enumerated().map { place, number in
      number * Double(place.isMultiple(of: 2) ? size.width : size.height) / 100
    }
    return value.member("closed") == .bool(false) ? .polylines([points]) : .polygons([points])
  }

  private func keypoint(
    _ size: ImageSize, _ attributes: inout [JSONValue.Member]
  ) throws(Fault) -> LabeledRegion.Shape {
    let x = try number("x") * Double(size.width) / 100
    let y = try number("y") * Double(size.height) / 100
    if let width = value.member("width") { attributes.append(.init("width", width)) }
    return .points([x, y])
  }

  private func brush(_ size: ImageSize) throws(Fault) -> Mask {
    let format = value.member("format")?.text ?? "rle"
    guard format == "rle", let list = value.member("rle")?.elements else {
      throw Fault(
        kind: .unsupportedField,
        text: "expected run lengths ('rle'), found the format '\(format.prefix(40))' without them")
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(list.count)
    for element in list {
      guard let byte = element.whole, (0...255).contains(byte) else {
        throw Fault(kind: .badShape, text: "the run lengths have a value that is not in 0…255")
      }
      bytes.append(UInt8(byte))
    }
    do throws(LabelStudioRLE.Problem) {
      return try LabelStudioRLE.mask(bytes, size: size)
    } catch {
      switch error {
      case .count(let count, let expected):
        throw Fault(
          kind: .maskSize,
          text: "the mask has \(count) values, and an image of \(size) needs \(expected)")
      case .short:
        throw Fault(kind: .badShape, text: "the run lengths end before the last pixel")
      }
    }
  }
}
