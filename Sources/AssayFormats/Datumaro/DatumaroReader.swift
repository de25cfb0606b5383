import AssayCore
import Foundation

/// Converts the annotations of an item into regions.
struct DatumaroReader: Sendable {
  let classes: DatumaroClasses

  /// The number of points of the polygon that an ellipse becomes.
  private static let ellipsePoints = 72

  /// The fields that are read; all others are attributes.
  private static let known: Set = [
    "id", "type", "attributes", "label_id", "points", "bbox", "rle", "caption", "visibility",
    "group", "z_order", "object_id",
  ]

  /// The state while one item is read.
  private struct Work {
    var file: Int
    var item: IssueLocation
    var key: String
    var size: ImageSize?
    var image: LabeledImage

    mutating func note(_ kind: IssueKind, _ pointer: String, _ text: String) {
      add(kind, .error, pointer, text)
    }

    mutating func warn(_ kind: IssueKind, _ pointer: String, _ text: String) {
      add(kind, .warning, pointer, text)
    }

    private mutating func add(
      _ kind: IssueKind, _ severity: Issue.Severity, _ pointer: String, _ text: String
    ) {
      image.issues.append(
        Issue(
          kind, severity,
          at: IssueLocation(file: item.file, pointer: (item.pointer ?? "") + pointer),
          sampleKey: key, text))
    }
  }

  /// Reads an item into `result`.
  ///
  /// - Parameters:
  ///   - file: the index of the file, which determines the classes.
  ///   - location: the place of the item.
  ///   - key: the key of its sample.
  func read(
    _ item: JSONValue, file: Int, at location: IssueLocation, key: String, image: ImageProbe?,
    into result: inout LabeledImage
  ) {
    var work = Work(file: file, item: location, key: key, size: nil, image: result)
    if let size = item["image"]?["size"], size != .null {
      let numbers = size.elements?.compactMap(Self.whole) ?? []
      work.image.statedSize =
        numbers.count == 2 ? ImageSize.checked(width: numbers[1], height: numbers[0]) : nil
      if work.image.statedSize == nil {
        work.warn(
          .badField, "/image/size",
          "the size of the image must be a list of height and width; the file's size is used")
      }
    }
    work.size = work.image.statedSize
    if case .success(let found)? = image?.size { work.size = found }
    switch item["attr"] {
    case .object(let fields)?: work.image.attributes = fields
    case nil, .null?: break
    default: work.warn(.badField, "/attr", "'attr' is no object; not kept")
    }
    let list = item["annotations"]?.elements
    if list == nil, item["annotations"] != nil {
      work.warn(.badField, "/annotations", "'annotations' is no list; taken as empty")
    }
    var labels: [Int] = []
    for (place, annotation) in (list ?? []).enumerated() {
      guard let region = region(annotation, place, &work) else { continue }
      if annotation["type"]?.text == "label" { labels.append(work.image.regions.count) }
      work.image.regions.append(region)
    }
    work.image.takeLabel(from: labels)
    result = work.image
  }

  private func region(_ value: JSONValue, _ place: Int, _ work: inout Work) -> LabeledRegion? {
    let pointer = "/annotations/\(place)"
    guard let type = value["type"]?.text else {
      work.note(.badField, pointer + "/type", "annotation \(place): its type is missing; left out")
      return nil
    }
    guard let category = category(value, type, place, &work) else { return nil }
    let title = "annotation \(place) (\(type), \(category.name))"
    guard let shape = shape(value, type, title, pointer, &work) else { return nil }
    let location = IssueLocation(file: work.item.file, pointer: (work.item.pointer ?? "") + pointer)
    var region = LabeledRegion(category: category, shape: shape, at: location, title: title)
    if case .integer(let id)? = value["id"], id != 0 { region.sourceID = .integer(id) }
    region.attributes = attributes(value, type)
    if case .bool(true)? = value["attributes"]?["is_crowd"] { region.isCrowd = true }
    return region
  }

  private func category(
    _ value: JSONValue, _ type: String, _ place: Int, _ work: inout Work
  ) -> Category? {
    let pointer = "/annotations/\(place)/label_id"
    switch value["label_id"] {
    case .integer(let id):
      if let category = classes.category(id, file: work.file) { return category }
      work.note(
        .unknownReference, pointer,
        "annotation \(place): there is no label \(id) (the file has \(classes.count(file: work.file))); left out"
      )
      return nil
    case nil, .null:
      if type == "caption" { return DatumaroClasses.caption }
      work.warn(
        .missingLabel, pointer,
        "annotation \(place) has no label; kept as '\(DatumaroClasses.unlabeled.name)'")
      return DatumaroClasses.unlabeled
    default:
      work.note(.badField, pointer, "annotation \(place): its label is no whole number; left out")
      return nil
    }
  }

  // MARK: Shapes

  private func shape(
    _ value: JSONValue, _ type: String, _ title: String, _ pointer: String, _ work: inout Work
  ) -> LabeledRegion.Shape? {
    switch type {
    case "label", "caption": return .tag
    case "bbox":
      guard let box = numbers(value["bbox"], title, pointer + "/bbox", &work) else { return nil }
      guard box.count == 4 else {
        work.note(
          .badField, pointer + "/bbox",
          "\(title): the box has \(Counted.text(box.count, "number", "numbers")), not 4; left out")
        return nil
      }
      return .box(Box(x: box[0], y: box[1], width: box[2], height: box[3]))
    case "mask": return mask(value["rle"], title, pointer + "/rle", &work)
    case "polygon":
      return numbers(value["points"], title, pointer + "/points", &work).map { .polygons([$0]) }
    case "polyline":
      return numbers(value["points"], title, pointer + "/points", &work).map { .polylines([$0]) }
    case "points":
      guard let points = numbers(value["points"], title, pointer + "/points", &work) else {
        return nil
      }
      return .points(visible(points, value))
    case "cuboid_2d":
      let corners = value["points"]?.elements?.flatMap { $0.elements ?? [$0] }
      return numbers(corners.map { .array($0) }, title, pointer + "/points", &work).map {
        .points($0)
      }
    case "ellipse":
      guard let box = numbers(value["points"], title, pointer + "/points", &work) else {
        return nil
      }
      guard box.count == 4 else {
        work.note(
          .badField, pointer + "/points",
          "\(title): the ellipse has \(Counted.text(box.count, "number", "numbers")), not 4; left out"
        )
        return nil
      }
      return .polygons([Self.ellipse(box)])
    default:
      work.note(
        .unsupportedField, pointer + "/type",
        "\(title): annotations of this type are not imported; left out")
      return nil
    }
  }

  private func numbers(
    _ value: JSONValue?, _ title: String, _ pointer: String, _ work: inout Work
  ) -> [Double]? {
    guard let elements = value?.elements else {
      work.note(.badField, pointer, "\(title): the coordinates are missing or no list; left out")
      return nil
    }
    let numbers = elements.compactMap(\.double)
    guard numbers.count == elements.count else {
      work.note(.badField, pointer, "\(title): a coordinate is no number; left out")
      return nil
    }
    return numbers
  }

  private func mask(
    _ value: JSONValue?, _ title: String, _ pointer: String, _ work: inout Work
  ) -> LabeledRegion.Shape? {
    let sides = value?["size"]?.elements?.compactMap(Self.whole) ?? []
    guard sides.count == 2, let size = ImageSize.checked(width: sides[1], height: sides[0]),
      let counts = value?["counts"]?.text
    else {
      work.note(
        .badField, pointer,
        "\(title): the run lengths need a text 'counts' and a 'size' of height and width; left out")
      return nil
    }
    if let image = work.size, image != size {
      work.note(
        .maskSize, pointer + "/size",
        "\(title): its run lengths are for \(size), and its image is \(image); left out")
      return nil
    }
    do throws(MaskError) {
      return .mask(try Mask(size: size, compressed: Array(counts.utf8)))
    } catch {
      work.note(.badShape, pointer + "/counts", "\(title): \(error); left out")
      return nil
    }
  }

  /// The points that are marked: those whose visibility is not 0; all if none is marked.
  private func visible(_ points: [Double], _ value: JSONValue) -> [Double] {
    let visibility = value["visibility"]?.elements ?? []
    guard points.count.isMultiple(of: 2), visibility.count == points.count / 2 else {
      return points
    }
    let marked = visibility.indices.filter { visibility[$0].double != 0 }
    return marked.isEmpty ? points : marked.flatMap { [points[2 * $0], points[2 * $0 + 1]] }
  }

  /// The polygon of an ellipse in a box of two corners.
  private static func ellipse(_ box: [Double]) -> [Double] {
    let (x, y) = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    let (width, height) = (abs(box[2] - box[0]) / 2, abs(box[3] - box[1]) / 2)
    return (0..<ellipsePoints).flatMap { place in
      let angle = 2 * Double.pi * Double(place) / Double(ellipsePoints)
      return [x + width * cos(angle), y + height * sin(angle)]
    }
  }

  private static func whole(_ value: JSONValue) -> Int? {
    switch value {
    case .integer(let number): Int(exactly: number)
    case .number(let number): Int(exactly: number)
    default: nil
    }
  }

  // MARK: Attributes

  /// The attributes of the annotation, and its further fields.
  private func attributes(_ value: JSONValue, _ type: String) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    func add(_ name: String, _ value: JSONValue?) {
      guard let value, value != .null else { return }
      var free = name
      while !names.insert(free).inserted { free = "attribute_" + free }
      members.append(JSONValue.Member(free, value))
    }
    if let group = value["group"], group != .integer(0) { add("group", group) }
    if let order = value["z_order"], order != .integer(0) { add("z_order", order) }
    if let object = value["object_id"], object != .integer(-1) { add("track", object) }
    switch type {
    case "caption": add("caption", value["caption"])
    case "ellipse": add("ellipse", value["points"])
    case "cuboid_2d": add("cuboid_2d", value["points"])
    case "points":
      if let keypoints = Self.keypoints(value) {
        add("keypoints", .array(keypoints.values))
        add("num_keypoints", .integer(Int64(keypoints.marked)))
      }
    default: break
    }
    guard case .object(let fields) = value else { return members }
    for field in fields where !Self.known.contains(field.name) { add(field.name, field.value) }
    if case .object(let fields)? = value["attributes"] {
      for field in fields {
        // The flag of a crowd is one of the object.
        if field.name == "is_crowd", case .bool = field.value { continue }
        add(field.name == "track_id" ? "track" : field.name, field.value)
      }
    } else {
      add("attributes", value["attributes"])
    }
    return members
  }

  /// COCO's list of x, y and visibility; Datumaro's visibility has the same meaning. `nil` without a
  /// visibility for each point.
  private static func keypoints(_ value: JSONValue) -> (values: [JSONValue], marked: Int)? {
    guard let points = value["points"]?.elements, let marks = value["visibility"]?.elements,
      points.count == 2 * marks.count
    else { return nil }
    let values = marks.indices.flatMap { [points[2 * $0], points[2 * $0 + 1], marks[$0]] }
    return (values, marks.count { $0.double != 0 })
  }
}
