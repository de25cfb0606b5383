import AssayCore

/// The images of a Hugging Face image folder with the labels and objects of their metadata, for
/// ``RegionImport``.
struct HFSource: RegionSource {
  let name: String
  let items: [HFLayout.Item]
  let classes: [Category]
  let issues: [Issue]
  private let layout: HFLayout
  private let names: [String]?

  /// - Parameter names: the classes of `--classes`; `nil` if the metadata's values are the classes.
  init(_ layout: HFLayout, name: String, names: [String]?) {
    self.name = name
    self.layout = layout
    self.names = names
    items = layout.items
    issues = layout.issues
    classes = (names ?? []).enumerated().map {
      Category(name: $1, sourceID: .integer(Int64($0)))
    }
  }

  func path(of item: HFLayout.Item) -> String { layout.path(of: item) }

  func split(of item: HFLayout.Item) -> String? {
    path(of: item).split(separator: "/").dropLast().first { FolderLayout.isSplit(String($0)) }
      .map(String.init)
  }

  func read(_ item: HFLayout.Item, image: ImageProbe?) -> LabeledImage {
    var result = LabeledImage()
    let key = path(of: item)
    guard let (table, record) = layout.record(of: item) else {
      result.issues.append(
        Issue(
          .missingLabel, .error, at: IssueLocation(file: key), sampleKey: key,
          "no metadata describes the image; left out"))
      result.isRejected = true
      return result
    }
    let value = table.value(of: record)
    let location = IssueLocation(file: table.path, line: record.line)
    if let width = Self.whole(value["width"]), let height = Self.whole(value["height"]) {
      result.statedSize = ImageSize.checked(width: width, height: height)
    }
    readLabel(value, location, key, &result)
    if let objects = value["objects"] { readObjects(objects, location, key, &result) }
    return result
  }

  private static func whole(_ value: JSONValue?) -> Int? {
    if case .integer(let number)? = value { Int(number) } else { nil }
  }

  private func readLabel(
    _ value: JSONValue, _ location: IssueLocation, _ key: String, _ result: inout LabeledImage
  ) {
    let stated = HFMetadata.labelFields.lazy.compactMap { value[$0] }.first { $0 != .null }
    guard let stated else {
      if value["objects"] == nil {
        result.issues.append(
          Issue(
            .missingLabel, .warning, at: location, sampleKey: key,
            "\(key) has no label; kept without"))
      }
      return
    }
    switch category(stated) {
    case .success(let category): result.label = category
    case .failure(let problem):
      result.issues.append(
        Issue(
          problem.kind, .error, at: location, sampleKey: key,
          "the label of \(key) \(problem.text); kept without a label"))
    }
  }

  private func readObjects(
    _ value: JSONValue, _ location: IssueLocation, _ key: String, _ result: inout LabeledImage
  ) {
    let objects: [HFObjects.Object]
    do throws(HFObjects.Problem) {
      objects = try HFObjects(value).objects
    } catch {
      result.issues.append(
        Issue(
          .badField, .error, at: location, sampleKey: key, "\(error.text); the image is left out"))
      result.isRejected = true
      return
    }
    result.annotationsRead = objects.count
    for (number, object) in objects.enumerated() {
      let title = "object \(number + 1)"
      func report(_ kind: IssueKind, _ severity: Issue.Severity, _ text: String) {
        result.issues.append(
          Issue(kind, severity, at: location, sampleKey: key, "\(title) of \(key): \(text)"))
      }
      guard let box = HFObjects.box(object) else {
        report(.badShape, .error, "the box is not a list of 4 numbers; left out")
        continue
      }
      let stated: Category
      if let value = HFObjects.category(object) {
        switch category(value) {
        case .success(let found): stated = found
        case .failure(let problem):
          report(problem.kind, .error, "the class \(problem.text); left out")
          continue
        }
      } else {
        report(.missingField, .warning, "there is no class; “object” is used")
        stated = Category(name: "object")
      }
      var region = LabeledRegion(
        category: stated, shape: .box(box), at: location, title: "\(title) of \(key)")
      region.attributes = HFObjects.attributes(object)
      switch object.first(where: { $0.name == "id" })?.value {
      case .integer(let id)?: region.sourceID = .integer(id)
      case .string(let id)?: region.sourceID = .text(id)
      default: break
      }
      switch object.first(where: { $0.name == "iscrowd" })?.value {
      case .integer(let flag)?: region.isCrowd = flag != 0
      case .bool(let flag)?: region.isCrowd = flag
      default: break
      }
      result.regions.append(region)
    }
  }

  // MARK: Classes

  private struct ClassProblem: Error {
    var kind: IssueKind
    var text: String
  }

  /// The class of a value: a name, or a number.
  private func category(_ value: JSONValue) -> Result<Category, ClassProblem> {
    let text: String
    switch value {
    case .integer(let number): text = String(number)
    case .bool(let flag): text = flag ? "true" : "false"
    case .string(let name): text = LabelSeparator.trimmed(name)
    default:
      return .failure(ClassProblem(kind: .badField, text: "is neither a name nor a number"))
    }
    guard !text.isEmpty, text.utf8.count <= LabelReader.nameLimit else {
      return .failure(
        ClassProblem(
          kind: .badField, text: "is empty, or longer than \(LabelReader.nameLimit) bytes"))
    }
    guard let names else {
      return .success(Category(name: text, sourceID: Int64(text).map { .integer($0) }))
    }
    if let place = names.firstIndex(of: text) { return .success(classes[place]) }
    if let number = Int(text), names.indices.contains(number) { return .success(classes[number]) }
    return .failure(
      ClassProblem(kind: .unknownLabel, text: "“\(text)” is not one of --classes"))
  }
}
