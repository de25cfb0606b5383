import AssayCore

/// The objects of one `_polygons.json`, with the pixels that later objects do not cover.
///
/// Objects are layers: each one covers those before it, as when the official label images are made.
struct CityscapesPolygons {
  /// One object.
  private struct Layer {
    var label: String
    var category: Category
    var isGroup: Bool
    var isDrawn: Bool
    var points: [Double]
    var place: Int
    var sourceID: SourceID?
    var attributes: [JSONValue.Member]
  }

  private let file: String
  private let key: String
  private let classes: CityscapesClasses
  private var layers: [Layer] = []

  /// The maximum number of objects of an image.
  static let limit = 10_000
  /// The largest coordinate of a point that is drawn, in pixels.
  private static let reach = 1e7

  /// - Parameters:
  ///   - file: the file's path, for issues.
  ///   - key: the image's path.
  init(file: String, key: String, classes: CityscapesClasses) {
    self.file = file
    self.key = key
    self.classes = classes
  }

  /// Reads the objects into an image.
  ///
  /// - Parameter size: the image's size; `nil` if it is not there.
  mutating func read(_ value: JSONValue, size: ImageSize?, into image: inout LabeledImage) {
    if case .integer(let width)? = value["imgWidth"],
      case .integer(let height)? = value["imgHeight"]
    {
      image.statedSize = ImageSize.checked(width: Int(width), height: Int(height))
    }
    guard let objects = value["objects"]?.elements else {
      reject(&image, .missingField, "it has no list 'objects'; the image is left out")
      return
    }
    image.annotationsRead = objects.count
    guard objects.count <= Self.limit else {
      reject(&image, .badField, "more than \(Self.limit) objects; the image is left out")
      return
    }
    for (place, object) in objects.enumerated() { add(object, place, &image) }
    guard let size = size ?? image.statedSize else {
      image.regions = layers.map { region($0, visible: nil) }
      return
    }
    draw(size, &image)
  }

  private func reject(_ image: inout LabeledImage, _ kind: IssueKind, _ message: String) {
    image.isRejected = true
    image.issues.append(Issue(kind, .error, at: IssueLocation(file: file), sampleKey: key, message))
  }

  private func location(_ place: Int) -> IssueLocation {
    IssueLocation(file: file, pointer: "/objects/\(place)")
  }

  private mutating func add(_ object: JSONValue, _ place: Int, _ image: inout LabeledImage) {
    func note(_ kind: IssueKind, _ message: String, _ severity: Issue.Severity = .error) {
      image.issues.append(
        Issue(
          kind, severity, at: location(place), sampleKey: key, "object \(place): \(message)"))
    }
    guard case .object(let members) = object else {
      note(.badField, "it is not a JSON object; left out")
      return
    }
    guard let label = object["label"]?.text, !label.isEmpty else {
      note(.missingField, "it has no label; left out")
      return
    }
    switch object["deleted"] {
    case .integer(0), .bool(false), .null, nil: break
    default:
      note(.unsupportedField, "\(label) is marked as deleted; left out")
      return
    }
    guard let points = Self.points(object["polygon"]) else {
      note(
        .badShape,
        "\(label) has no polygon of at least three points x, y that are usable numbers; left out")
      return
    }
    var layer = Layer(
      label: label, category: Category(name: label), isGroup: false, isDrawn: true, points: points,
      place: place, attributes: [])
    if let found = classes.meaning(of: label) {
      layer.category = found.meaning.category
      layer.isGroup = found.isGroup
      layer.isDrawn = found.meaning.isDrawn
    } else {
      note(.unknownLabel, "unknown class '\(label)'; kept as a class of its own", .warning)
    }
    for member in members where !["label", "polygon", "deleted"].contains(member.name) {
      if member.name == "id", case .integer(let id) = member.value {
        layer.sourceID = .integer(id)
      } else if !layer.attributes.contains(where: { $0.name == member.name }) {
        layer.attributes.append(member)
      }
    }
    layers.append(layer)
  }

  private static func points(_ value: JSONValue?) -> [Double]? {
    guard let pairs = value?.elements, pairs.count >= 3 else { return nil }
    var points: [Double] = []
    points.reserveCapacity(2 * pairs.count)
    for pair in pairs {
      guard let numbers = pair.elements, numbers.count == 2, let x = numbers[0].double,
        let y = numbers[1].double, abs(x) <= reach, abs(y) <= reach
      else { return nil }
      points.append(x)
      points.append(y)
    }
    return points
  }

  /// Adds the objects that can be seen, and the pixels without an object.
  private func draw(_ size: ImageSize, _ image: inout LabeledImage) {
    var covered = Mask(emptyOf: size)
    var regions: [LabeledRegion] = []
    var hidden: [Issue] = []
    for layer in layers.reversed() {
      guard layer.isDrawn else {
        regions.append(region(layer, visible: nil))
        continue
      }
      let mask = Geometry.polygons([layer.points]).mask(in: size)
      let visible = mask.subtracting(covered)
      if visible.isEmpty, !mask.isEmpty {
        hidden.append(
          Issue(
            .badShape, .error, at: location(layer.place), sampleKey: key,
            "object \(layer.place) (\(layer.label)): later objects cover all of it; left out"))
        continue
      }
      regions.append(region(layer, visible: visible == mask ? nil : visible))
      covered = covered.union(mask)
    }
    image.regions = regions.reversed()
    image.issues += hidden.reversed()
    guard let unlabeled = classes.unlabeled else { return }
    let rest = covered.inverted
    guard !rest.isEmpty else { return }
    image.annotationsRead += 1
    image.regions.append(
      LabeledRegion(
        category: unlabeled, shape: .mask(rest), at: IssueLocation(file: file),
        title: "pixels without an object"))
  }

  /// - Parameter visible: the pixels that can be seen; `nil` if that is all of the polygon.
  private func region(_ layer: Layer, visible: Mask?) -> LabeledRegion {
    var region = LabeledRegion(
      category: layer.category,
      shape: visible.map { .mask($0) } ?? .polygons([layer.points]), at: location(layer.place),
      title: "object \(layer.place) (\(layer.label))")
    region.isCrowd = layer.isGroup
    region.sourceID = layer.sourceID
    region.attributes = layer.attributes
    if visible != nil, !layer.attributes.contains(where: { $0.name == "polygon" }) {
      region.attributes.append(
        JSONValue.Member("polygon", .array(layer.points.map { .number($0) })))
    }
    return region
  }
}
