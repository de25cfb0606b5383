import AssayCore

/// The images of manifests with their boxes and labels, for ``RegionImport``.
struct GroundTruthSource: RegionSource {
  let name: String
  let items: [GroundTruthLayout.Item]
  let classes: [Category]
  let issues: [Issue]
  let imagesLeftOut: Int
  let tally = JSONTally()
  private let layout: GroundTruthLayout
  private let tree: any SourceTree
  private let format: DatasetFormat
  private let known: [String: Category]

  init(_ layout: GroundTruthLayout, in tree: any SourceTree, as format: DatasetFormat) {
    name = tree.name
    items = layout.items
    classes = layout.classes
    issues = layout.issues
    imagesLeftOut = layout.imagesLeftOut
    known = Dictionary(layout.classes.map { ($0.name, $0) }) { first, _ in first }
    self.layout = layout
    self.tree = tree
    self.format = format
  }

  func path(of item: GroundTruthLayout.Item) -> String { layout.path(of: item) }

  func split(of item: GroundTruthLayout.Item) -> String? {
    if let split = layout.manifests[Int(item.manifest)].split { return split }
    return SortedFiles.folder(of: path(of: item)).split(separator: "/").map(String.init)
      .last(where: FolderLayout.isSplit)
  }

  func read(_ item: GroundTruthLayout.Item, image: ImageProbe?) -> LabeledImage {
    let manifest = layout.manifests[Int(item.manifest)]
    var reading = Reading(
      place: IssueLocation(file: manifest.path, line: item.line), key: path(of: item))
    let value: JSONValue
    do {
      let bytes = try JSONElement.bytes(of: item.bytes, in: manifest.path, tree)
      let start = item.line == 1 && bytes.starts(with: TableHead.byteOrderMark) ? 3 : 0
      value = try GroundTruthLine.value(bytes[start...])
    } catch {
      reading.issue(.unsupportedFile, .error, "\(error); the image is left out")
      reading.image.isRejected = true
      return reading.image
    }
    let attributes = GroundTruthLine(value)?.attributes ?? []
    if let attribute = attributes.first(where: { $0.name == manifest.regions }) {
      if format == .groundTruthLabels {
        readLabels(attribute, &reading)
      } else {
        readBoxes(attribute, &reading)
      }
    } else if manifest.regions != nil {
      lack(manifest.regions ?? "", nil, &reading)
    }
    if let attribute = attributes.first(where: { $0.name == manifest.label }) {
      readLabel(attribute, &reading)
    } else if let name = manifest.label {
      reading.issue(.missingLabel, .warning, "the line has no '\(name)'; kept without a class")
    }
    return reading.image
  }

  private struct Reading {
    var image = LabeledImage()
    let place: IssueLocation
    let key: String

    init(place: IssueLocation, key: String) { (self.place, self.key) = (place, key) }

    mutating func issue(_ kind: IssueKind, _ severity: Issue.Severity, _ text: String) {
      image.issues.append(Issue(kind, severity, at: place, sampleKey: key, text))
    }
  }

  /// Leaves out an image whose objects are not known.
  private func lack(_ name: String, _ reason: String?, _ reading: inout Reading) {
    reading.issue(
      .missingLabel, .error,
      "'\(name)' has no annotations\(reason.map { " (\($0.prefix(200)))" } ?? ""), so they are unknown; "
        + "the image is left out")
    reading.image.isRejected = true
  }

  /// The reason of a job that failed for an image.
  private static func failure(_ attribute: GroundTruthLine.Attribute) -> String? {
    attribute.metadata.member("failure-reason")?.text
  }

  // MARK: Classes

  /// The class of an id.
  private func category(
    _ id: Int, _ attribute: GroundTruthLine.Attribute, _ title: String, _ reading: inout Reading
  ) -> Category {
    let name = attribute.metadata.member("class-map")?.member(String(id))?.text
    guard let name, !name.isEmpty else {
      reading.issue(
        .unknownLabel, .warning,
        "\(title): 'class-map' has no name of class \(id); it is called \(id)")
      return Category(name: String(id), sourceID: .integer(Int64(id)))
    }
    return category(named: name)
  }

  private func category(named name: String) -> Category { known[name] ?? Category(name: name) }

  // MARK: Boxes

  private static let boxFields: Set<String> = ["class_id", "left", "top", "width", "height"]

  private func readBoxes(_ attribute: GroundTruthLine.Attribute, _ reading: inout Reading) {
    guard let boxes = attribute.value.member("annotations")?.elements else {
      return lack(attribute.name, Self.failure(attribute), &reading)
    }
    let size = attribute.value.member("image_size")?.elements?.first
    if let width = size?.member("width")?.whole, let height = size?.member("height")?.whole {
      reading.image.statedSize = ImageSize.checked(width: width, height: height)
    } else {
      reading.issue(.missingField, .warning, "'image_size' is missing; the image's size is used")
    }
    reading.image.annotationsRead += boxes.count
    let objects = attribute.metadata.member("objects")?.elements
    if let objects, objects.count != boxes.count {
      reading.issue(
        .badField, .warning,
        "the metadata has \(Counted.text(objects.count, "object", "objects")), and there are "
          + "\(Counted.text(boxes.count, "box", "boxes")); their confidence is not kept")
    }
    var shared: [JSONValue.Member] = []
    if let human = attribute.metadata.member("human-annotated")?.text, human != "yes" {
      shared.append(.init("human-annotated", .string(human)))
    }
    for (place, box) in boxes.enumerated() {
      let details = objects?.count == boxes.count ? objects?[place].members ?? [] : []
      read(box, "box \(place + 1)", details, shared, attribute, &reading)
    }
  }

  private func read(
    _ box: JSONValue, _ title: String, _ details: [JSONValue.Member],
    _ shared: [JSONValue.Member], _ attribute: GroundTruthLine.Attribute, _ reading: inout Reading
  ) {
    var numbers: [Double] = []
    for name in ["left", "top", "width", "height"] {
      guard let number = box.member(name)?.double else {
        return reading.issue(
          box.member(name) == nil ? .missingField : .badField, .error,
          "\(title): '\(name)' is \(box.member(name)?.kindName ?? "missing"), expected a number; left "
            + "out")
      }
      numbers.append(number)
    }
    guard let id = Self.id(box.member("class_id")) else {
      return reading.issue(
        box.member("class_id") == nil ? .missingLabel : .badField, .error,
        "\(title): 'class_id' is \(box.member("class_id")?.kindName ?? "missing"), expected a whole "
          + "number; left out")
    }
    let category = category(id, attribute, title, &reading)
    var region = LabeledRegion(
      category: category,
      shape: .box(Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])),
      at: reading.place, title: "\(title) (\(category.name.prefix(40)))")
    for member in details {
      region.attributes.append(member.name == "confidence" ? .init("score", member.value) : member)
    }
    region.attributes += shared
    region.attributes += (box.members ?? []).filter { !Self.boxFields.contains($0.name) }
    reading.image.regions.append(region)
  }

  /// A class id: a whole number, or a text of one.
  private static func id(_ value: JSONValue?) -> Int? {
    value?.whole ?? value?.text.flatMap { Int($0) }
  }

  // MARK: Labels

  private func readLabel(_ attribute: GroundTruthLine.Attribute, _ reading: inout Reading) {
    let metadata = attribute.metadata
    noteMetadata(attribute, reading)
    if let name = metadata.member("class-name")?.text, !name.isEmpty {
      reading.image.label = category(named: name)
    } else if let id = Self.id(attribute.value), attribute.value != .null {
      reading.image.label = category(id, attribute, "the class of the image", &reading)
    } else if let name = attribute.value.text, !name.isEmpty {
      reading.image.label = category(named: name)
    } else {
      reading.issue(
        .missingLabel, .warning,
        "'\(attribute.name)' is no class"
          + (Self.failure(attribute).map { " (\($0.prefix(200)))" } ?? "")
          + "; kept without a class")
    }
  }

  private func readLabels(_ attribute: GroundTruthLine.Attribute, _ reading: inout Reading) {
    guard let values = attribute.value.elements else {
      return lack(attribute.name, Self.failure(attribute), &reading)
    }
    noteMetadata(attribute, reading)
    reading.image.annotationsRead += values.count
    var seen: Set<String> = []
    for value in values {
      guard let id = Self.id(value) else {
        reading.issue(
          .badField, .error,
          "a label is \(value.kindName), expected the number of a class; left out")
        continue
      }
      let category = category(id, attribute, "label \(id)", &reading)
      guard seen.insert(category.name).inserted else {
        reading.issue(
          .duplicateID, .warning,
          "the label '\(category.name.prefix(40))' occurs twice; it counts once")
        reading.image.annotationsRead -= 1
        continue
      }
      reading.image.labels.append(category)
    }
  }

  /// Counts what is not kept of labels of images.
  private func noteMetadata(_ attribute: GroundTruthLine.Attribute, _ reading: Reading) {
    if attribute.metadata.member("confidence") != nil
      || attribute.metadata.member("confidence-map") != nil
    {
      tally.add("confidences of labels, which are not kept", reading.place.description)
    }
    if let human = attribute.metadata.member("human-annotated")?.text, human != "yes" {
      tally.add(
        "labels that no human gave ('human-annotated' is '\(human.prefix(20))')",
        reading.place.description)
    }
  }
}
