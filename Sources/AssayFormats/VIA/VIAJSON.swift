import AssayCore

/// VIA's annotations with one element per image.
struct VIAJSON: JSONImageFormat {
  /// The form of the files.
  enum Form: Hashable, Sendable {
    /// VIA 1 and 2: a project, or its region data alone.
    case metadata
    /// The lists that ``VIATables`` makes of the rows of a CSV.
    case table
    /// The objects that ``VIAProject`` makes of a project of VIA 3.
    case project
  }

  let form: Form
  let attributes = VIAAttributes()

  static let metadata = "_via_img_metadata"

  var title: String {
    switch form {
    case .metadata: "VIA file"
    case .table: "VIA table"
    case .project: "VIA 3 project"
    }
  }
  var kind: String {
    switch form {
    case .metadata: "VIA annotations"
    case .table: "VIA annotations (CSV)"
    case .project: "VIA 3 annotations"
    }
  }
  var naming: Set<String>? { nil }
  var embedded: Set<String> { ["base64_img_data"] }
  var addsRepeats: Bool { true }

  func layout(of sample: JSONSample) -> JSONFileLayout? {
    if form == .table { return sample.isList ? .list : nil }
    guard !sample.isList else { return nil }
    if form == .project {
      return sample.names.first == VIAProject.mark ? .members(["view"]) : nil
    }
    if sample.names.contains(Self.metadata) { return .members([Self.metadata]) }
    if sample.names.contains(where: { $0.hasPrefix("_via_") }) {
      return sample.allNames.contains(Self.metadata) ? .members([Self.metadata]) : nil
    }
    if let (_, first) = sample.firstMember(below: []) {
      return Self.isImage(first) ? .members([]) : nil
    }
    // The first image has more regions than the beginning holds.
    return sample.contains("\"filename\"") && sample.contains("\"shape_attributes\"")
      ? .members([]) : nil
  }

  private static func isImage(_ value: JSONValue) -> Bool {
    guard value.member("filename")?.text != nil else { return false }
    let regions = value.member("regions")
    return (regions?.elements != nil || regions?.members != nil)
      && (value.member("file_attributes") != nil || value.member("size") != nil)
  }

  func classes(of sample: JSONSample) -> [Category] {
    guard form != .table else { return [] }
    let declared = sample.distantValue("_via_attributes")
    attributes.declare(
      declared?.member("region"), label: form == .project ? declared?.member("label")?.text : nil)
    return []
  }

  func name(of element: JSONValue, file: String, member: String?) -> JSONImageName {
    if form == .project, let problem = element.member("problem")?.text {
      let kind = element.member("kind")?.text.flatMap(IssueKind.init) ?? .badField
      return .problem(kind, problem)
    }
    collect(element)
    if form == .project, let names = element.member("names")?.elements?.compactMap(\.text),
      !names.isEmpty
    {
      return .names(
        names.flatMap { $0.contains("://") ? LabelStudioName.path(of: $0) + [$0] : [$0] })
    }
    guard case .string(let name)? = element.member("filename"), !name.isEmpty else {
      return .problem(.missingField, "'filename' is missing, so the image is not known; left out")
    }
    return .names(name.contains("://") ? LabelStudioName.path(of: name) + [name] : [name])
  }

  /// The regions of an image with the ends of their JSON pointers; `nil` if they are neither a list
  /// nor, as in VIA 1, an object.
  private static func regions(of element: JSONValue) -> [(pointer: String, value: JSONValue)]? {
    switch element.member("regions") {
    case .array(let list)?:
      list.enumerated().map { ("/regions/\($0.offset)", $0.element) }
    case .object(let members)?:
      members.map { ("/regions/" + JSONPointer.escaped($0.name), $0.value) }
    default: nil
    }
  }

  /// An object, also as the text of a CSV's field.
  static func object(_ value: JSONValue?) -> [JSONValue.Member]? {
    if case .string(let text)? = value {
      var reading = JSONReading()
      reading.takesNotFinite = true
      return (try? JSONValue(parsing: Array(text.utf8), reading))?.members
    }
    return value?.members
  }

  private func collect(_ element: JSONValue) {
    let regions = Self.regions(of: element) ?? []
    attributes.add(
      regions: regions.count,
      regionAttributes: regions.map { Self.object($0.value.member("region_attributes")) ?? [] },
      file: Self.object(element.member("file_attributes")) ?? [])
  }

  func count(_ element: JSONValue) -> Int {
    Self.regions(of: element)?.count { $0.value.member("isField") == nil } ?? 0
  }

  func read(_ element: JSONValue, into image: inout JSONImageReading) {
    image.hasOwnPointers = form == .project
    if image.imageSize == nil, form == .project, let place = element.member("inline")?.text {
      image.warn(
        .unsupportedField, place,
        "the image exists only inside the JSON, from which it is not taken; kept without a file")
    }
    if image.imageSize == nil, let data = element.member("base64_img_data")?.text, !data.isEmpty {
      image.warn(
        .unsupportedField, "/base64_img_data",
        "the image exists only inside the JSON, from which it is not taken; kept without a file")
    }
    guard let regions = Self.regions(of: element) else {
      let value = element.member("regions")
      return image.reject(
        value == nil ? .missingField : .badField, value == nil ? "" : "/regions",
        "'regions' is \(value.map { "\($0.kindName), not a list" } ?? "missing"), so the objects of "
          + "the image are unknown")
    }
    image.result.annotationsRead += count(element)
    let fields = fileAttributes(element.member("file_attributes"), &image)
    var label: String?
    switch attributes.choice {
    case .constant(let name): label = name
    case .file(let name): label = fields.last { $0.name == name }.flatMap { first(of: $0.value) }
    case .label(let name):
      if let text = fields.last(where: { $0.name == name }).flatMap({ first(of: $0.value) }) {
        image.result.label = Category(name: text)
      } else {
        image.warn(
          .missingLabel, form == .project ? image.pointer : "/file_attributes",
          "the image has no value of the file attribute '\(name)'"
            + "; kept without a label")
      }
    case .region, .none: break
    }
    for (place, region) in regions.enumerated() {
      if let line = region.value.member("line")?.whole, form == .table { image.line = line }
      VIARegion(
        region.value, region.pointer, "region \(place)", attributes.choice, label,
        isOfProject: form == .project
      ).read(into: &image)
    }
    image.line = nil
  }

  private func first(of value: JSONValue) -> String? { VIAValue.names(of: value).first }

  /// The attributes of the file, which are kept as those of the image.
  private func fileAttributes(
    _ value: JSONValue?, _ image: inout JSONImageReading
  ) -> [JSONValue.Member] {
    guard let value, value != .null else { return [] }
    guard let members = Self.object(value) else {
      image.warn(
        .badField, "/file_attributes", "'file_attributes' is not a JSON object; ignored")
      return []
    }
    let used = members.filter { $0.value != .null && $0.value != .string("") }
    for field in used {
      image.result.attributes.removeAll { $0.name == field.name }
      image.result.attributes.append(field)
    }
    return used
  }
}
