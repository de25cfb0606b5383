import AssayCore

/// The results of one annotation of a Label Studio task.
struct LabelStudioResults {
  /// A result, and its JSON pointer below ``pointer``.
  private struct Entry {
    var value: JSONValue
    var pointer: String
  }

  /// The JSON pointer of the list of results.
  var pointer = ""
  /// The person who made the annotation.
  var annotator: JSONValue?
  /// The task's data, which name its images; `nil` if there is only one.
  var data: JSONValue?
  private let annotationID: JSONValue?
  private var entries: [Entry] = []

  /// - Parameter annotation: an annotation of a complete export.
  init(_ annotation: JSONValue) {
    annotationID = annotation.member("id")
    entries = (annotation.member("result")?.elements ?? []).enumerated().map {
      Entry(value: $0.element, pointer: "/\($0.offset)")
    }
  }

  /// - Parameter element: an element of JSON_MIN, whose members are results by their control.
  init(minimal element: JSONValue) {
    annotationID = element.member("annotation_id")
    let other: Set<String> = [
      "id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time",
    ]
    for member in element.members ?? [] where !other.contains(member.name) {
      let place = "/" + JSONPointer.escaped(member.name)
      if let list = member.value.elements, list.contains(where: { Self.minimalType($0) != nil }) {
        for (number, value) in list.enumerated() {
          entries.append(
            Entry(value: Self.complete(value, member.name), pointer: "\(place)/\(number)"))
        }
      } else if member.value.member("choices") != nil {
        entries.append(
          Entry(
            value: [
              "type": "choices", "value": member.value, "from_name": .string(member.name),
            ], pointer: place))
      } else if member.name == "choice" || member.name == "choices",
        let text = member.value.text
      {
        // A single choice is a text; other texts are data of the task.
        entries.append(
          Entry(
            value: [
              "type": "choices", "value": ["choices": [.string(text)]],
              "from_name": .string(member.name),
            ], pointer: place))
      }
    }
  }

  /// The kind of a region in JSON_MIN, which has no `type`.
  private static func minimalType(_ value: JSONValue) -> String? {
    (value.members ?? []).first { $0.name.hasSuffix("labels") && $0.value.elements != nil }?.name
  }

  /// A region of JSON_MIN in the form of a complete export.
  private static func complete(_ value: JSONValue, _ control: String) -> JSONValue {
    guard let type = minimalType(value) else { return value }
    return [
      "type": .string(type), "value": value, "from_name": .string(control),
      "original_width": value.member("original_width") ?? .null,
      "original_height": value.member("original_height") ?? .null,
      "image_rotation": value.member("image_rotation") ?? .null,
    ]
  }

  private static let shapes: [String: String] = [
    "rectanglelabels": "rectangle", "rectangle": "rectangle", "polygonlabels": "polygon",
    "polygon": "polygon", "brushlabels": "brush", "brush": "brush",
    "keypointlabels": "keypoint", "keypoint": "keypoint", "ellipselabels": "ellipse",
    "ellipse": "ellipse",
  ]

  /// The number of regions, of any kind that can be in an image, and of choices of the whole image.
  var count: Int {
    entries.count { Self.isRegion($0.value) }
      + ofImage.reduce(0) {
        $0 + (Self.choices($1.value)?.count ?? Self.texts($1.value)?.count ?? 0)
      }
  }

  /// The results of the whole image. Further results of a region have its id.
  private var ofImage: [Entry] {
    let shaped = Set(
      entries.filter { Self.isRegion($0.value) }.compactMap { $0.value.member("id")?.text })
    return entries.filter { entry in
      guard !Self.isRegion(entry.value) else { return false }
      return entry.value.member("id")?.text.map { !shaped.contains($0) } ?? true
    }
  }

  /// The chosen labels of a result; `nil` if it is of another type, or damaged.
  private static func choices(_ value: JSONValue) -> [String]? {
    guard value.member("type")?.text == "choices",
      let names = value.member("value")?.member("choices")?.elements?.map(\.text),
      !names.contains(nil)
    else { return nil }
    return names.compactMap(\.self).filter { !$0.isEmpty }
  }

  /// The texts of a result, without empty ones; `nil` if it is of another type, or damaged.
  private static func texts(_ value: JSONValue) -> [String]? {
    guard value.member("type")?.text == "textarea" else { return nil }
    let texts = value.member("value")?.member("text")
    return (texts?.elements?.compactMap(\.text) ?? texts?.text.map { [$0] })?.filter { !$0.isEmpty }
  }

  private static func isRegion(_ value: JSONValue) -> Bool {
    guard let type = value.member("type")?.text else { return true }
    return ![
      "choices", "labels", "textarea", "number", "rating", "taxonomy", "relation", "pairwise",
    ]
    .contains(type)
  }

  /// The reason why a result belongs to another image than the one that the task is read as; `nil` if it belongs
  /// to that.
  private func foreign(_ value: JSONValue) -> String? {
    if case .integer(let page)? = value.member("item_index"), page > 0 {
      return
        "the result is on page \(page + 1) of a task with several pages, and the first one is read"
    }
    guard let data, let target = value.member("to_name")?.text,
      let key = LabelStudioName.key(in: data), target != key
    else { return nil }
    let targets = Set(entries.compactMap { $0.value.member("to_name")?.text })
    // The names of a task's images need not be those of its data, if there is one image.
    guard data.member(target) != nil || targets.count > 1 else { return nil }
    return "the result belongs to “\(target.prefix(80))” of the task, and “\(key)” is read"
  }

  func read(into image: inout JSONImageReading) {
    let own = entries.filter { foreign($0.value) == nil }
    for entry in entries {
      guard let reason = foreign(entry.value) else { continue }
      image.drop(.unsupportedField, pointer + entry.pointer, reason)
    }
    guard own.count == entries.count else {
      var results = self
      (results.entries, results.data) = (own, nil)
      return results.read(into: &image)
    }
    if let sized = entries.first(where: { $0.value.member("original_width")?.whole != nil }) {
      image.state(
        width: sized.value.member("original_width"), height: sized.value.member("original_height"),
        pointer + sized.pointer, "'original_width' and 'original_height'")
    }
    // Further results of a region have its id.
    var further: [String: [Entry]] = [:]
    let shaped = Set(
      entries.filter { Self.isRegion($0.value) }.compactMap { $0.value.member("id")?.text })
    for entry in entries where !Self.isRegion(entry.value) {
      if let id = entry.value.member("id")?.text, shaped.contains(id) {
        further[id, default: []].append(entry)
      }
    }
    for entry in entries where Self.isRegion(entry.value) {
      let id = entry.value.member("id")?.text
      LabelStudioRegion(
        entry.value, pointer + entry.pointer,
        further: id.flatMap { further[$0] }?.map(\.value) ?? [],
        annotator: annotator, annotationID: annotationID
      ).read(into: &image)
    }
    var results = ofImage
    results.removeAll { takeText($0, &image) }
    let controls = Set(
      results.filter { Self.choices($0.value) != nil }.map { $0.value.member("from_name") })
    let first = image.result.regions.count
    for entry in results { take(entry, isNamed: controls.count > 1, &image) }
    image.result.takeLabel(from: Array(first..<image.result.regions.count))
  }

  /// Takes a result of the whole image that is no choice: texts as captions; numbers, ratings and taxonomies as fields
  /// of the image, by the names of their controls.
  ///
  /// - Returns: false for another result.
  private func takeText(_ entry: Entry, _ image: inout JSONImageReading) -> Bool {
    let type = entry.value.member("type")?.text ?? ""
    let value = entry.value.member("value")
    let control = entry.value.member("from_name")
    switch type {
    case "textarea":
      guard let texts = Self.texts(entry.value) else { return false }
      for text in texts {
        image.add(
          COCOCaptionReader.className, .tag, pointer + entry.pointer, "text",
          attributes: [.init("caption", .string(text))]
            + (control.map { [JSONValue.Member("from_name", $0)] } ?? []))
      }
      return true
    case "number", "rating", "taxonomy":
      guard let found = value?.member(type) else { return false }
      let name = control?.text ?? type
      image.result.attributes.removeAll { $0.name == name }
      image.result.attributes.append(.init(name, found))
      return true
    default: return false
    }
  }

  /// Reads a result of the whole image.
  ///
  /// - Parameter isNamed: true if several controls have choices, so that their names are kept.
  private func take(_ entry: Entry, isNamed: Bool, _ image: inout JSONImageReading) {
    let type = entry.value.member("type")?.text ?? ""
    let place = pointer + entry.pointer
    guard type == "choices" else {
      return image.drop(
        .unsupportedField, place, "a result of the whole image of type '\(type)' is not kept")
    }
    guard let labels = Self.choices(entry.value) else {
      return image.drop(.badField, place, "'choices' is not a list of texts")
    }
    guard !labels.isEmpty else {
      return image.drop(.missingLabel, place, "'choices' is empty")
    }
    let control = entry.value.member("from_name")
    for label in labels {
      image.add(
        label, .tag, place, "choice",
        attributes: isNamed ? control.map { [JSONValue.Member("from_name", $0)] } ?? [] : [])
    }
  }

  /// The shape of a type of result; `nil` for types that are no shapes in an image.
  static func shape(ofType type: String) -> String? { shapes[type] }
}
