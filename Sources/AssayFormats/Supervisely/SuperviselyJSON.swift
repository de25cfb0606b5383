import AssayCore

/// Supervisely's annotations: one JSON per image, `ann/x.jpg.json` beside `img/x.jpg`.
struct SuperviselyJSON: JSONImageFormat {
  /// The names of the classes that the project declares; empty if it declares none.
  var declared: Set<String> = []

  var title: String { "Supervisely file" }
  var kind: String { "Supervisely annotations" }
  /// No member: the name of the file is that of the image.
  var naming: Set<String>? { [] }

  func layout(of sample: JSONSample) -> JSONFileLayout? {
    guard !sample.isList else { return nil }
    var names = Set(sample.names)
    guard names.contains("objects") || names.contains("size") else { return nil }
    if sample.isCut, !names.isSuperset(of: ["objects", "size"]) { names = Set(sample.allNames) }
    guard names.isSuperset(of: ["objects", "size"]) else { return nil }
    return names.contains("tags") || sample.contains("\"classTitle\"") ? .image : nil
  }

  func name(of element: JSONValue, file: String, member: String?) -> JSONImageName {
    let stem = String(SortedFiles.stem(of: file))
    return .names(
      PairPath.isImageName(stem) ? [stem] : ImageName.candidates(stem) + [stem])
  }

  /// The folder `img` beside `ann`.
  func folders(of file: String) -> [String] {
    var parts = SortedFiles.folder(of: file).split(separator: "/").map(String.init)
    guard let place = parts.lastIndex(of: "ann") else { return [] }
    parts[place] = "img"
    return [parts.joined(separator: "/")]
  }

  func count(_ element: JSONValue) -> Int { element.member("objects")?.elements?.count ?? 0 }

  func read(_ element: JSONValue, into image: inout JSONImageReading) {
    image.state(
      width: element.member("size")?.member("width"),
      height: element.member("size")?.member("height"), "/size", "'width' and 'height'")
    keepFields(of: element, &image)
    guard let objects = image.list(element.member("objects"), "objects") else { return }
    image.result.annotationsRead = objects.count
    for (place, object) in objects.enumerated() {
      SuperviselyObject(object, "/objects/\(place)", "object \(place)")
        .read(into: &image, declared: declared)
    }
  }

  private func keepFields(of element: JSONValue, _ image: inout JSONImageReading) {
    let read: Set<String> = ["objects", "size", "tags"]
    var fields = (element.members ?? []).filter { !read.contains($0.name) && $0.value.hasContent }
    fields += SuperviselyTags.attributes(element.member("tags"), "/tags", "the image", &image)
    image.result.attributes = fields
  }

  // MARK: Classes

  private static let metaName = "meta.json"
  private static let metaLimit = 16 << 20
  private static let classLimit = 100_000

  /// The classes of the `meta.json` of a project, in its order; empty if there is none.
  static func classes(in tree: any SourceTree) throws -> [Category] {
    var found: [Category] = []
    var names: Set<String> = []
    let metas = try tree.files().filter {
      JSONImageFinder.last($0.path).lowercased() == metaName && $0.size <= metaLimit
    }
    for file in metas.prefix(100) {
      let bytes = try tree.readAll(file.path, limit: metaLimit)
      let value = try? JSONValue(parsing: bytes, JSONReading())
      for item in value?.member("classes")?.elements ?? [] {
        guard let name = item.member("title")?.text, !name.isEmpty, found.count < classLimit,
          names.insert(name).inserted
        else { continue }
        found.append(Category(name: name))
      }
    }
    return found
  }

  /// The annotation files of a source: those below a folder `ann`, else all but those that describe
  /// the project.
  static func files(in tree: any SourceTree) throws -> [SourceFile] {
    let all = try JSONImageFiles.candidates(in: tree)
    if tree.isSingleFile { return all }
    let below = all.filter { file in
      SortedFiles.folder(of: file.path).split(separator: "/").contains("ann")
    }
    let project: Set<String> = [metaName, "obj_class_to_machine_color.json", "key_id_map.json"]
    return below.isEmpty
      ? all.filter { !project.contains(JSONImageFinder.last($0.path).lowercased()) } : below
  }
}

extension JSONValue {
  /// True unless the value is null, or empty.
  fileprivate var hasContent: Bool {
    self != .null && self != .string("") && self != .object([]) && self != .array([])
  }
}

/// The tags of an image or object.
enum SuperviselyTags {
  /// One attribute per name: the value, or true without one; a list if the tag is repeated.
  static func attributes(
    _ value: JSONValue?, _ pointer: String, _ title: String, _ image: inout JSONImageReading
  ) -> [JSONValue.Member] {
    guard let value, value != .null else { return [] }
    guard let tags = value.elements else {
      image.warn(.badField, pointer, "\(title): 'tags' is \(value.kindName), not a list; ignored")
      return []
    }
    var found: [(name: String, values: [JSONValue])] = []
    for (place, tag) in tags.enumerated() {
      // The oldest files have texts.
      guard let name = tag.text ?? tag.member("name")?.text, !name.isEmpty else {
        image.warn(.badField, "\(pointer)/\(place)", "\(title): a tag has no name; ignored")
        continue
      }
      let stated = tag.member("value") ?? .null
      let value = stated == .null ? .bool(true) : stated
      if let known = found.firstIndex(where: { $0.name == name }) {
        found[known].values.append(value)
      } else {
        found.append((name, [value]))
      }
    }
    return found.map { .init($0.name, $0.values.count == 1 ? $0.values[0] : .array($0.values)) }
  }
}
