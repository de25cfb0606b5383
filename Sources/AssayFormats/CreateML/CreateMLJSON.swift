import AssayCore

/// Create ML's JSON: a list of images with boxes around their centers, or with labels.
struct CreateMLJSON: JSONImageFormat {
  static let nameKeys = ["image", "imagefilename", "imageFilename", "filename"]
  static let listKeys = ["annotations", "annotation", "labels", "label"]

  var title: String { "Create ML file" }
  var kind: String { "Create ML annotations" }
  var naming: Set<String>? { Set(Self.nameKeys) }
  var addsRepeats: Bool { true }

  func layout(of sample: JSONSample) -> JSONFileLayout? {
    guard sample.isList else { return nil }
    return sample.elements.contains(where: Self.isEntry) ? .list : nil
  }

  /// Returns whether an element has the form of Create ML: an image and its annotations, and nothing
  /// of another format.
  private static func isEntry(_ element: JSONValue) -> Bool {
    guard let (_, name) = member(of: element, nameKeys), name.text != nil,
      let (key, list) = member(of: element, listKeys)
    else { return false }
    switch list {
    case .string: return (element.members?.count ?? 0) == 2
    case .array(let entries):
      guard let first = entries.first else {
        return key.hasPrefix("annotation") && element.member("data") == nil
          && element.member("id") == nil
      }
      if first.text != nil { return (element.members?.count ?? 0) == 2 }
      guard first.member("label") != nil else { return false }
      return first.member("coordinates")?.members != nil || (first.members?.count ?? 0) == 1
    default: return false
    }
  }

  private static func member(
    of element: JSONValue, _ keys: [String]
  ) -> (key: String, value: JSONValue)? {
    for key in keys {
      if let value = element.member(key) { return (key, value) }
    }
    return nil
  }

  func name(of element: JSONValue, file: String, member: String?) -> JSONImageName {
    guard let (key, value) = Self.member(of: element, Self.nameKeys) else {
      return .problem(.missingField, "'image' is missing; left out")
    }
    guard case .string(let name) = value, !name.isEmpty else {
      return .problem(
        .badField, "'\(key)' is \(value.kindName), expected the name of an image; left out")
    }
    return .names([name])
  }

  func count(_ element: JSONValue) -> Int {
    Self.member(of: element, Self.listKeys)?.value.elements?.count { $0.members != nil } ?? 0
  }

  func read(_ element: JSONValue, into image: inout JSONImageReading) {
    let found = Self.member(of: element, Self.listKeys)
    if case .string(let label)? = found?.value {
      return take(label, at: "/" + (found?.key ?? ""), &image)
    }
    let key = found?.key ?? "annotations"
    guard let entries = image.list(found?.value, key) else { return }
    let isInPixels = entries.contains { entry in
      Self.sides.contains { (entry.member("coordinates")?.member($0)?.double ?? 0) > 1 }
    }
    for (place, entry) in entries.enumerated() {
      let pointer = "/\(key)/\(place)"
      if case .string(let label) = entry {
        take(label, at: pointer, &image)
        continue
      }
      image.result.annotationsRead += 1
      read(entry, pointer, "annotation \(place)", isInPixels: isInPixels, &image)
    }
    for member in element.members ?? []
    where !Self.nameKeys.contains(member.name) && member.name != key && member.value != .null {
      image.warn(
        .unsupportedField, "/" + JSONPointer.escaped(member.name),
        "the field '\(member.name.prefix(60))' of the image is not kept")
    }
  }

  /// Takes the class of the whole image.
  private func take(_ label: String, at pointer: String, _ image: inout JSONImageReading) {
    guard !label.isEmpty else {
      return image.reject(.missingLabel, pointer, "the label of the image is empty")
    }
    if let known = image.result.label, known.name != label {
      return image.reject(
        .badField, pointer,
        "the image has several labels ('\(known.name.prefix(40))', '\(label.prefix(40))'); sets of "
          + "labels are imported as multilabel-csv only")
    }
    guard image.result.regions.isEmpty else {
      return image.drop(
        .unsupportedField, pointer,
        "the image has boxes and the label '\(label.prefix(40))'; only the boxes are kept, the label "
          + "is")
    }
    image.result.label = Category(name: label)
  }

  private static let sides = ["x", "y", "width", "height"]

  /// - Parameter isInPixels: whether a coordinate of the image is above 1.
  private func read(
    _ entry: JSONValue, _ pointer: String, _ title: String, isInPixels: Bool,
    _ image: inout JSONImageReading
  ) {
    guard let members = entry.members else {
      return image.drop(.badField, pointer, "\(title) is \(entry.kindName), not an object")
    }
    guard case .string(let label)? = entry.member("label"), !label.isEmpty else {
      let value = entry.member("label")
      return image.drop(
        value == nil || value?.text != nil ? .missingLabel : .badField, pointer,
        "\(title): the label is \(value.map { $0.text == nil ? $0.kindName : "empty" } ?? "missing")"
      )
    }
    guard let place = entry.member("coordinates") else {
      if members.count == 1 {
        image.result.annotationsRead -= 1
        return take(label, at: pointer, &image)
      }
      return image.drop(.missingField, pointer, "\(title): 'coordinates' is missing")
    }
    var numbers: [Double] = []
    for name in Self.sides {
      guard let number = place.member(name)?.double else {
        return image.drop(
          place.member(name) == nil ? .missingField : .badField, pointer + "/coordinates",
          "\(title): '\(name)' is \(place.member(name)?.kindName ?? "missing"), expected a number")
      }
      numbers.append(number)
    }
    let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
    let box = Box(x: x - width / 2, y: y - height / 2, width: width, height: height)
    if let size = image.size, size.area > 4, ExportFitting.isFraction(box, isInPixels: isInPixels) {
      return image.drop(
        .badShape, pointer + "/coordinates",
        "\(title): all coordinates are in 0…1, so they seem relative to the image; expected pixels")
    }
    var attributes = members.filter { !["label", "coordinates"].contains($0.name) }
    for member in place.members ?? []
    where !Self.sides.contains(member.name) && member.value != .null {
      attributes.append(member)
      if let angle = member.value.double, angle != 0 {
        image.warn(
          .unsupportedField, pointer + "/coordinates",
          "\(title): '\(member.name.prefix(40))' is kept as an attribute, and the box as an upright "
            + "one")
      }
    }
    attributes = attributes.map { member in
      member.name == "confidence" ? .init("score", member.value) : member
    }
    image.add(
      label, .box(box), pointer, title, attributes: attributes)
    if image.result.label != nil {
      image.result.label = nil
      image.drop(
        .unsupportedField, pointer,
        "the image has boxes and a label; only the boxes are kept, the label is")
    }
  }
}
