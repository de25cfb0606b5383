import AssayCore

/// The labels and objects that the JSON of a sample states: `labels`, a list of names, and `objects`, each
/// with a `class`, and a `bbox` (x, y, width, height), a `segmentation` as in COCO, `lines` or `points`,
/// `iscrowd`, `id` and `attributes`. An object without a shape is a label of the image.
struct WebObjects: Sendable {
  private var names: [String] = []
  private var objects: [JSONValue] = []
  /// The fields that were taken.
  private(set) var fields: Set<String> = []

  /// - Parameter value: the JSON of a sample. Fields of another form are not taken.
  init(_ value: JSONValue) {
    if let list = value["labels"]?.elements, list.allSatisfy({ $0.text?.isEmpty == false }) {
      names = list.compactMap(\.text)
      fields.insert("labels")
    }
    if let list = value["objects"]?.elements, list.allSatisfy({ $0["class"]?.text != nil }) {
      objects = list
      fields.insert("objects")
    }
  }

  /// The labels and objects of an image.
  ///
  /// - Parameters:
  ///   - hasClass: true if another member states the class of the image.
  ///   - path: the path of the JSON.
  ///   - size: the size of the image.
  func image(hasClass: Bool, path: String, size: ImageSize) -> LabeledImage {
    var image = LabeledImage()
    image.annotationsRead = names.count + objects.count
    for name in names {
      image.regions.append(
        LabeledRegion(
          category: Category(name: name), shape: .tag, at: IssueLocation(file: path),
          title: "label \(name)"))
    }
    for (place, object) in objects.enumerated() {
      let name = object["class"]?.text ?? ""
      let location = IssueLocation(file: path, pointer: "/objects/\(place)")
      let title = "object \(place + 1) (\(name))"
      do throws(Problem) {
        guard !name.isEmpty else { throw Problem(text: "its class is empty") }
        var region = LabeledRegion(
          category: Category(name: name), shape: try Self.shape(of: object, size), at: location,
          title: title)
        if case .box = region.shape {} else { region.box = Self.box(object["bbox"]) }
        region.isCrowd = object["iscrowd"] == 1 || object["iscrowd"] == .bool(true)
        switch object["id"] {
        case .integer(let id): region.sourceID = .integer(id)
        case .string(let id): region.sourceID = .text(id)
        default: break
        }
        if case .object(let attributes)? = object["attributes"] { region.attributes = attributes }
        image.regions.append(region)
      } catch {
        image.issues.append(
          Issue(.badShape, .error, at: location, "\(title): \(error.text); left out"))
      }
    }
    let tags = image.regions.indices.filter {
      if case .tag = image.regions[$0].shape { true } else { false }
    }
    if !hasClass { image.takeLabel(from: tags) }
    return image
  }

  private struct Problem: Error {
    var text: String
  }

  private static func shape(
    of object: JSONValue, _ size: ImageSize
  ) throws(Problem) -> LabeledRegion.Shape {
    if let segmentation = object["segmentation"] {
      if let lists = numberLists(segmentation) { return .polygons(lists) }
      return .mask(try mask(segmentation, size))
    }
    if let value = object["lines"] {
      guard let lines = numberLists(value) else {
        throw Problem(text: "'lines' is no list of lists of numbers")
      }
      return .polylines(lines)
    }
    if let value = object["points"] {
      guard let points = numbers(value) else {
        throw Problem(text: "'points' is no list of numbers")
      }
      return .points(points)
    }
    guard let value = object["bbox"] else { return .tag }
    guard let box = box(value) else {
      throw Problem(text: "'bbox' is not x, y, width and height")
    }
    return .box(box)
  }

  private static func box(_ value: JSONValue?) -> Box? {
    guard let list = value.flatMap(numbers), list.count == 4 else { return nil }
    return Box(x: list[0], y: list[1], width: list[2], height: list[3])
  }

  private static func numbers(_ value: JSONValue) -> [Double]? {
    guard let list = value.elements else { return nil }
    let numbers = list.compactMap(\.double)
    return numbers.count == list.count ? numbers : nil
  }

  private static func numberLists(_ value: JSONValue) -> [[Double]]? {
    guard let list = value.elements else { return nil }
    let lists = list.compactMap(numbers)
    return lists.count == list.count ? lists : nil
  }

  private static func mask(_ value: JSONValue, _ size: ImageSize) throws(Problem) -> Mask {
    guard let stated = numbers(value["size"] ?? .null), stated.count == 2 else {
      throw Problem(text: "'segmentation' is neither a list of polygons nor a 'size' with 'counts'")
    }
    guard stated == [Double(size.height), Double(size.width)] else {
      throw Problem(text: "its run lengths are for another size than \(size), that of the image")
    }
    do throws(MaskError) {
      if let text = value["counts"]?.text { return try Mask(size: size, compressed: text.utf8) }
      let counts = (value["counts"]?.elements ?? []).map { number -> UInt32? in
        guard case .integer(let count) = number else { return nil }
        return UInt32(exactly: count)
      }
      guard !counts.contains(nil) else { throw .damaged }
      return try Mask(size: size, runs: counts.compactMap { $0 })
    } catch {
      throw Problem(text: "\(error)")
    }
  }
}
