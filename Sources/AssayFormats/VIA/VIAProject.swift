import AssayCore

/// A project of VIA 3, made into one element per image as in VIA 2.
///
/// VIA 3 has lists of files, of views (the files that are seen together) and of metadata: each belongs to
/// a view, at a time `z` and a place `xy` in it, and gives attributes by number. Only what concerns the
/// regions of single images and the images themselves is kept; everything else becomes a problem of its
/// place.
struct VIAProject {
  /// An attribute that the project declares.
  private struct Attribute {
    var name: String
    var isCheckbox: Bool
    /// Names by the id of the option; empty for texts.
    var options: [JSONValue.Member]
    var isOfRegions: Bool
  }

  private let project: JSONValue
  private var attributes: [String: Attribute] = [:]
  private var order: [String] = []

  /// The first member of the made object, by which it is known.
  static let mark = "via3"

  private static let fileTypes = [4: "a video", 8: "an audio file"]

  /// Returns whether a file is a project of VIA 3.
  static func isProject(_ sample: JSONSample) -> Bool {
    guard !sample.isList, sample.names.contains("project"),
      sample.names.contains("attribute") || sample.names.contains("file")
    else { return false }
    let needed: Set<String> = ["file", "metadata", "view"]
    return needed.isSubset(of: sample.names) || needed.isSubset(of: sample.allNames)
  }

  /// - Parameter project: the whole file.
  init(_ project: JSONValue) {
    self.project = project
    let declared = project.member("attribute")?.members ?? []
    var taken: Set<String> = []
    for attribute in declared where attributes[attribute.name] == nil {
      let anchor = attribute.value.member("anchor_id")?.text ?? ""
      let isOfRegions = anchor.hasSuffix("_XY1") || anchor.hasSuffix("_XYN")
      var name = attribute.value.member("aname")?.text ?? ""
      if name.isEmpty { name = attribute.name }
      if !taken.insert((isOfRegions ? "1" : "0") + name).inserted {
        name += " (\(attribute.name))"
      }
      let type = attribute.value.member("type")?.whole ?? 1
      attributes[attribute.name] = Attribute(
        name: name, isCheckbox: type == 2,
        options: (2...4).contains(type) ? attribute.value.member("options")?.members ?? [] : [],
        isOfRegions: isOfRegions)
      order.append(attribute.name)
    }
  }

  /// The project as an object with one member per view.
  var asImages: JSONValue {
    let views = project.member("view")?.members ?? []
    let files = Self.index(project.member("file")?.members ?? [])
    var metadata: [String: [JSONValue.Member]] = [:]
    let known = Set(views.map(\.name))
    for entry in project.member("metadata")?.members ?? [] {
      metadata[Self.view(of: entry, known), default: []].append(entry)
    }
    var images: [JSONValue.Member] = []
    var seen: Set<String> = []
    for view in views where seen.insert(view.name).inserted {
      images.append(
        .init(
          view.name,
          .object(image(of: view.value, files, metadata.removeValue(forKey: view.name) ?? []))))
    }
    for (view, entries) in metadata.sorted(by: { SortedFiles.precedes($0.key, $1.key) }) {
      images.append(
        .init(
          view,
          .object(
            Self.problem(
              .missingField,
              "its metadata name the view '\(view.prefix(60))', which does not exist",
              count: entries.count))))
    }
    return [Self.mark: 3, "_via_attributes": declared, "view": .object(images)]
  }

  /// The view of an entry of the metadata, which is also the beginning of its id: `1` of `1_Ab3dEf9h`.
  private static func view(of entry: JSONValue.Member, _ known: Set<String>) -> String {
    if let stated = id(entry.value.member("vid")) { return stated }
    let start = entry.name.lastIndex(of: "_").map { String(entry.name[..<$0]) } ?? ""
    return known.contains(start) ? start : ""
  }

  private static func index(_ members: [JSONValue.Member]) -> [String: JSONValue] {
    Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// The attributes of regions with their options by name, as VIA 2 declares them, and the one that the
  /// project shows as the label of a region.
  private var declared: JSONValue {
    var regions: [JSONValue.Member] = []
    for id in order {
      guard let attribute = attributes[id], attribute.isOfRegions else { continue }
      let options = attribute.options.compactMap { option -> JSONValue.Member? in
        let name = Self.name(of: option)
        return name.isEmpty ? nil : .init(name, .string(option.name))
      }
      regions.append(.init(attribute.name, ["options": .object(options)]))
    }
    let shown =
      project.member("config")?.member("ui")?.member("spatial_region_label_attribute_id")
    let label = Self.id(shown).flatMap { attributes[$0]?.name }
    return ["region": .object(regions), "label": label.map { .string($0) } ?? .null]
  }

  /// An id: a text or a whole number.
  private static func id(_ value: JSONValue?) -> String? {
    value?.text ?? value?.whole.map { String($0) }
  }

  private static func name(of option: JSONValue.Member) -> String {
    let name = id(option.value) ?? ""
    return name.isEmpty ? option.name : name
  }

  // MARK: Images

  private static func problem(
    _ kind: IssueKind, _ text: String, count: Int
  ) -> [JSONValue.Member] {
    [
      .init("problem", .string(text + "; left out")), .init("kind", .string(kind.rawValue)),
      .init("regions", .array(Array(repeating: .null, count: count))),
    ]
  }

  private func image(
    of view: JSONValue, _ files: [String: JSONValue], _ metadata: [JSONValue.Member]
  ) -> [JSONValue.Member] {
    let ids = (view.member("fid_list")?.elements ?? []).compactMap(Self.id)
    guard let id = ids.first else {
      return Self.problem(.missingField, "the view has no file", count: metadata.count)
    }
    guard ids.count == 1 else {
      return Self.problem(
        .unsupportedField, "the view shows \(ids.count) files at once, which is not supported",
        count: metadata.count)
    }
    guard let file = files[id] else {
      return Self.problem(
        .missingField, "the file '\(id.prefix(60))' of the view does not exist",
        count: metadata.count)
    }
    let name = file.member("fname")?.text ?? ""
    if let type = file.member("type")?.whole, let title = Self.fileTypes[type] {
      return Self.problem(
        .unsupportedFile,
        "'\(name.prefix(200))' is \(title), and segments and regions in time are not supported",
        count: metadata.count)
    }
    // The place 4 is the image itself as base64.
    let isInline = file.member("loc")?.whole == 4
    let source = isInline ? "" : file.member("src")?.text ?? ""
    let names = [source, name].filter { !$0.isEmpty }
    guard let first = names.first else {
      return Self.problem(
        .missingField, "the file '\(id.prefix(60))' has no name", count: metadata.count)
    }
    var fields: [JSONValue.Member] = []
    var regions: [JSONValue] = []
    for entry in metadata { add(entry, &fields, &regions) }
    return [
      .init("filename", .string(first)), .init("names", .array(names.map { .string($0) })),
      .init("inline", isInline ? .string("/file/\(JSONPointer.escaped(id))/src") : .null),
      .init("file_attributes", .object(fields)), .init("regions", .array(regions)),
    ]
  }

  /// Adds an entry of the metadata: the attributes of the image, or a region.
  private func add(
    _ entry: JSONValue.Member, _ fields: inout [JSONValue.Member], _ regions: inout [JSONValue]
  ) {
    let place = "/metadata/" + JSONPointer.escaped(entry.name)
    var region: [JSONValue.Member] = [
      .init("pointer", .string(place)), .init("id", .string(entry.name)),
    ]
    func leave(_ kind: IssueKind, _ text: String) {
      region.append(.init("problem", .string(text)))
      region.append(.init("kind", .string(kind.rawValue)))
      regions.append(.object(region))
    }
    guard let xy = entry.value.member("xy")?.elements,
      let z = entry.value.member("z")?.elements,
      let values = entry.value.member("av")?.members
    else { return leave(.badField, "'xy', 'z' and 'av' must be two lists and an object") }
    guard z.isEmpty else {
      return leave(
        .unsupportedField,
        z.count == 1
          ? "it belongs to a moment of a video or sound ('z'), which is not supported"
          : "it is a segment in time ('z'), which is not supported")
    }
    var warnings: [JSONValue] = []
    let named = named(values, &warnings)
    guard !xy.isEmpty else {
      for field in named {
        fields.removeAll { $0.name == field.name }
        fields.append(field)
      }
      guard !warnings.isEmpty else { return }
      region.append(.init("warnings", .array(warnings)))
      region.append(.init("isField", true))
      return regions.append(.object(region))
    }
    switch VIASpatial.shape(xy) {
    case .failure(let problem): return leave(problem.kind, problem.text)
    case .success(let shape): region.append(.init("shape_attributes", shape))
    }
    var own = named
    if let flags = entry.value.member("flg"), flags != .integer(0), flags != .null {
      own.append(.init("flg", flags))
    }
    region.append(.init("region_attributes", .object(own)))
    region.append(.init("warnings", .array(warnings)))
    regions.append(.object(region))
  }

  /// Values with the names of their attributes and options.
  private func named(
    _ values: [JSONValue.Member], _ warnings: inout [JSONValue]
  ) -> [JSONValue.Member] {
    var named: [JSONValue.Member] = []
    for value in values where value.value != .string("") && value.value != .null {
      guard let attribute = attributes[value.name] else {
        warnings.append(
          .string(
            "the project has no attribute '\(value.name.prefix(60))'; the value is kept under that "
              + "name"))
        named.append(value)
        continue
      }
      guard !attribute.options.isEmpty, let text = Self.id(value.value) else {
        named.append(.init(attribute.name, value.value))
        continue
      }
      let chosen = attribute.isCheckbox ? text.split(separator: ",").map(String.init) : [text]
      let names = chosen.map { id -> String in
        if let option = attribute.options.first(where: { $0.name == id }) {
          return Self.name(of: option)
        }
        warnings.append(
          .string(
            "'\(id.prefix(60))' is no option of the attribute '\(attribute.name.prefix(60))'; it is "
              + "kept as it is"))
        return id
      }
      if attribute.isCheckbox {
        named.append(.init(attribute.name, .object(names.map { .init($0, true) })))
      } else {
        named.append(.init(attribute.name, .string(names[0])))
      }
    }
    return named
  }
}
