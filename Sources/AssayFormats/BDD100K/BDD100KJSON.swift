import AssayCore

/// BDD100K's JSON: Scalabel's list of images, that list in an object with a `config`, or the older form
/// with a file for each image.
struct BDD100KJSON: JSONImageFormat {
  var title: String { "BDD100K file" }
  var kind: String { "BDD100K labels" }
  var naming: Set<String>? { ["name", "videoName", "url"] }
  var addsRepeats: Bool { true }

  /// The members that hold a label's geometry.
  static let geometry = ["box2d", "poly2d", "rle", "box3d", "graph"]

  // MARK: Recognition

  func layout(of sample: JSONSample) -> JSONFileLayout? {
    if sample.isList { return sample.elements.contains(where: Self.isFrame) ? .list : nil }
    let names = Set(sample.names)
    guard names.contains("frames") else {
      guard names.contains("name"), names.contains("labels") else { return nil }
      let members = sample.names.compactMap { name in
        sample.value(name).map { JSONValue.Member(name, $0) }
      }
      return Self.isFrame(.object(members)) ? .image : nil
    }
    if names.contains("name"), sample.contains("\"objects\"") || sample.contains("\"timestamp\"") {
      return .image
    }
    return sample.elements(below: "frames").contains(where: Self.isFrame)
      ? .listBelow("frames") : nil
  }

  /// Returns whether an element is an image of Scalabel.
  private static func isFrame(_ element: JSONValue) -> Bool {
    guard name(element.member("name")) != nil else { return false }
    switch element.member("labels") {
    case .array(let labels)? where !labels.isEmpty:
      return labels.contains { label in
        label.member("category") != nil && geometry.contains { label.member($0) != nil }
      }
    case nil, .null?, .array?:
      let attributes = element.member("attributes")
      return ["weather", "scene", "timeofday"].contains { attributes?.member($0)?.text != nil }
        || element.member("videoName")?.text != nil && element.member("frameIndex")?.whole != nil
    default: return false
    }
  }

  private static func name(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text)? where !text.isEmpty: text
    case .integer(let number)?: String(number)
    default: nil
    }
  }

  // MARK: Images

  func name(of element: JSONValue, file: String, member: String?) -> JSONImageName {
    guard let name = Self.name(element.member("name")) else {
      let value = element.member("name")
      return .problem(
        value == nil ? .missingField : .badField,
        "'name' is \(value.map { "\($0.kindName), not the name of an image" } ?? "missing"); left "
          + "out")
    }
    var names: [String] = []
    for path in name.contains("://") ? LabelStudioName.path(of: name) : [name] {
      // The older files name images without the suffix.
      let last = JSONImageFinder.last(path)
      let hasSuffix = SortedFiles.stem(of: path).utf8.count < last.utf8.count
      let forms = hasSuffix ? [path] : [".jpg", ".png", ".jpeg"].map { path + $0 }
      if let video = element.member("videoName")?.text, !video.isEmpty, !path.contains("/") {
        names += forms.map { "\(video)/\($0)" }
      }
      names += forms
    }
    if let url = element.member("url")?.text, !url.isEmpty {
      names += LabelStudioName.path(of: url)
    }
    return .names(names)
  }

  func folders(of file: String) -> [String] { BDD100KLayout.imageFolders(of: file) }

  /// The leaves of the classes in `config`, as Scalabel numbers them.
  func classes(of sample: JSONSample) -> [Category] {
    guard sample.names.contains("frames") || sample.isCut, !sample.isList,
      let declared = sample.distantValue("config")?.member("categories")?.elements
    else { return [] }
    func leaves(_ value: JSONValue, above: String?) -> [Category] {
      guard let name = value.member("name")?.text, !name.isEmpty else { return [] }
      if let inner = value.member("subcategories")?.elements, !inner.isEmpty {
        return inner.flatMap { leaves($0, above: name) }
      }
      return [Category(name: name, supercategory: above)]
    }
    return declared.flatMap { leaves($0, above: nil) }
  }

  func count(_ element: JSONValue) -> Int {
    guard let frames = element.member("frames")?.elements else {
      return element.member("labels")?.elements?.count ?? 0
    }
    return frames.reduce(0) { $0 + ($1.member("objects")?.elements?.count ?? 0) }
  }

  // MARK: Labels

  func read(_ element: JSONValue, into image: inout JSONImageReading) {
    keepFields(of: element, &image)
    if element.member("frames") != nil { return readOlder(element, &image) }
    if let size = element.member("size"), size != .null {
      image.state(
        width: size.member("width"), height: size.member("height"), "/size", "'width' and 'height'")
    }
    switch element.member("labels") {
    case nil, .null?:
      image.warn(
        .missingField, "",
        "'labels' is missing; kept as an image without objects, as Scalabel "
          + "writes it")
    case .array(let labels)?: read(labels, "/labels", of: element, &image)
    case let other?:
      image.reject(
        .badField, "/labels",
        "'labels' is \(other.kindName), not a list, so the objects of the image are unknown")
    }
  }

  /// Keeps the fields of the image: weather, scene, time of day, the video and the frame.
  private func keepFields(of element: JSONValue, _ image: inout JSONImageReading) {
    let read: Set<String> = ["name", "labels", "frames", "attributes", "size"]
    var fields = (element.members ?? []).filter {
      !read.contains($0.name) && $0.value != .null && $0.value != .object([])
        && $0.value != .string("")
    }
    switch element.member("attributes") {
    case nil, .null?: break
    case .object(let members)?: fields += members.filter { $0.value != .null }
    case let other?:
      image.warn(
        .badField, "/attributes", "'attributes' is \(other.kindName), not an object; ignored")
    }
    for field in fields {
      image.result.attributes.removeAll { $0.name == field.name }
      image.result.attributes.append(field)
    }
  }

  /// Reads `frames` with `objects` of the older form: the first frame is the image.
  private func readOlder(_ element: JSONValue, _ image: inout JSONImageReading) {
    image.result.annotationsRead = count(element)
    guard let frames = image.list(element.member("frames"), "frames") else { return }
    guard let first = frames.first else {
      return image.reject(.missingLabel, "/frames", "'frames' is empty, so its objects are unknown")
    }
    guard let objects = first.member("objects")?.elements else {
      let value = first.member("objects")
      return image.reject(
        value == nil ? .missingField : .badField, "/frames/0",
        "'objects' is \(value == nil ? "missing" : "not a list"), so the objects of the image are "
          + "unknown")
    }
    if let time = first.member("timestamp"), time != .null {
      image.result.attributes.removeAll { $0.name == "timestamp" }
      image.result.attributes.append(.init("timestamp", time))
    }
    let others = frames.dropFirst().reduce(0) {
      $0 + ($1.member("objects")?.elements?.count ?? 0)
    }
    if frames.count > 1 {
      image.drop(
        .unsupportedField, "/frames",
        "the image has \(frames.count) frames; the first one is read, the others, with \(others) "
          + "\(others == 1 ? "object" : "objects"), are not")
    }
    read(objects, "/frames/0/objects", of: element, &image)
  }

  private func read(
    _ labels: [JSONValue], _ pointer: String, of element: JSONValue,
    _ image: inout JSONImageReading
  ) {
    image.result.annotationsRead = count(element)
    var frame: JSONValue?
    if let video = element.member("videoName"), video != .null {
      frame = element.member("frameIndex") ?? .null
    }
    for (place, label) in labels.enumerated() {
      BDD100KLabel(label, "\(pointer)/\(place)", "label \(place)", frame: frame).read(into: &image)
    }
  }
}
