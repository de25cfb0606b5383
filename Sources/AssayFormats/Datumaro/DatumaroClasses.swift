import AssayCore

/// The classes of one or more Datumaro files: joined by name across files, found by each file's own
/// label ids, which are the positions in its list.
struct DatumaroClasses: Sendable {
  /// All classes in order of introduction.
  private(set) var categories: [Category] = []
  private(set) var issues: [Issue] = []
  private var places: [String: Int] = [:]
  private var assigned: [COCOClassNames.Entry: String] = [:]
  /// The classes of each file by label id.
  private var files: [[Category]] = []

  /// The maximum number of classes of a file.
  static let limit = 100_000

  /// The class of captions.
  static let caption = Category(name: COCOCaptionReader.className)
  /// The class of annotations without a label.
  static let unlabeled = Category(name: "unlabeled")

  /// The class with a label id in a file; `nil` if the file does not list it.
  func category(_ id: Int64, file: Int) -> Category? {
    guard files.indices.contains(file), id >= 0, id < Int64(files[file].count) else { return nil }
    return files[file][Int(id)]
  }

  /// The number of classes of a file.
  func count(file: Int) -> Int { files.indices.contains(file) ? files[file].count : 0 }

  /// Reads the classes of the next file.
  ///
  /// - Throws: ``FormatError`` if there are too many.
  mutating func add(_ value: JSONValue, file path: String) throws {
    let labels = value["label"]?["labels"]?.elements ?? []
    guard labels.count <= Self.limit else {
      throw FormatError.tooManyClasses(path, limit: Self.limit)
    }
    let further = Self.further(of: value)
    let entries = labels.enumerated().map { place, label in
      let name = label["name"]?.text ?? ""
      return COCOClassNames.Entry(
        id: .integer(Int64(place)), name: name.isEmpty ? "label \(place)" : name)
    }
    let names = COCOClassNames(entries, assigned: assigned) { Set(entries.map(\.id)) }.names
    var found: [Category] = []
    for (place, label) in labels.enumerated() {
      let pointer = "/categories/label/labels/\(place)"
      let entry = entries[place]
      if label["name"]?.text?.isEmpty != false {
        note(
          .missingField, path, pointer + "/name",
          "label \(place): its name is missing; called '\(entry.name)'")
      }
      if names[place] != entry.name {
        note(
          .duplicateID, path, pointer + "/name",
          "label \(place) has the same name '\(entry.name)' as another one; imported as "
            + "'\(names[place])'")
      }
      assigned[entry] = names[place]
      let parent = label["parent"]?.text ?? ""
      var members = further[place] ?? []
      if let list = label["attributes"]?.elements, !list.isEmpty {
        members.append(JSONValue.Member("attributes", .array(list)))
      }
      members.sort { $0.name < $1.name }
      let category = Category(
        name: names[place], sourceID: entry.id, supercategory: parent.isEmpty ? nil : parent,
        attributes: members.isEmpty ? nil : JSONValue.object(members).text())
      if let known = places[category.name] {
        if categories[known].attributes != category.attributes {
          note(
            .badField, path, pointer,
            "label \(place) ('\(category.name)'): its further fields differ from those in an earlier "
              + "file, which are kept")
        }
        found.append(categories[known])
      } else {
        places[category.name] = categories.count
        categories.append(category)
        found.append(category)
      }
    }
    files.append(found)
    noteUnread(value, path)
  }

  /// Keypoint names, skeletons and colors of classes, by label id, with COCO's names of fields.
  private static func further(of value: JSONValue) -> [Int: [JSONValue.Member]] {
    var further: [Int: [JSONValue.Member]] = [:]
    for item in value["points"]?["items"]?.elements ?? [] {
      guard let id = whole(item["label_id"]) else { continue }
      var members = further[id] ?? []
      for (name, source) in [
        ("keypoints", "labels"), ("skeleton", "joints"), ("positions", "positions"),
      ] {
        guard let list = item[source]?.elements, !list.isEmpty,
          !members.contains(where: { $0.name == name })
        else { continue }
        members.append(JSONValue.Member(name, .array(list)))
      }
      further[id] = members
    }
    for item in value["mask"]?["colormap"]?.elements ?? [] {
      guard let id = whole(item["label_id"]),
        further[id]?.contains(where: { $0.name == "color" }) != true
      else { continue }
      let color = ["r", "g", "b"].map { item[$0] ?? .null }
      further[id, default: []].append(JSONValue.Member("color", .array(color)))
    }
    return further
  }

  private static func whole(_ value: JSONValue?) -> Int? {
    guard case .integer(let number)? = value else { return nil }
    return Int(exactly: number)
  }

  private mutating func noteUnread(_ value: JSONValue, _ path: String) {
    let groups = value["label"]?["label_groups"]?.elements?.count ?? 0
    if groups > 0 {
      note(
        .unsupportedField, path, "/categories/label/label_groups",
        "\(groups) \(groups == 1 ? "group" : "groups") of labels are not kept")
    }
    let attributes = value["label"]?["attributes"]?.elements?.count ?? 0
    if attributes > 0 {
      note(
        .unsupportedField, path, "/categories/label/attributes",
        "\(attributes) \(attributes == 1 ? "attribute" : "attributes") of all labels are not kept")
    }
  }

  private mutating func note(
    _ kind: IssueKind, _ path: String, _ pointer: String, _ message: String
  ) {
    issues.append(
      Issue(kind, .warning, at: IssueLocation(file: path, pointer: pointer), message))
  }
}
