import AssayCore

/// The classes of a column: names by number, or the values themselves.
struct HFClassNames: Sendable {
  /// The classes with names, by number; empty if the values are the classes.
  let categories: [Category]
  private let names: [String]?
  private let source: String

  /// - Parameters:
  ///   - names: the names by number; `nil` if the values are the classes.
  ///   - source: the place of the names, for messages.
  init(_ names: [String]?, from source: String = "--classes") {
    self.names = names
    self.source = source
    categories = (names ?? []).enumerated().map {
      Category(name: $1, sourceID: .integer(Int64($0)))
    }
  }

  struct Problem: Error {
    var kind: IssueKind
    var text: String
  }

  /// The class of a value: a name, or a number.
  func category(_ value: JSONValue) -> Result<Category, Problem> {
    let text: String
    switch value {
    case .integer(let number): text = String(number)
    case .bool(let flag): text = flag ? "true" : "false"
    case .string(let name): text = LabelSeparator.trimmed(name)
    default:
      return .failure(Problem(kind: .badField, text: "is neither a name nor a number"))
    }
    guard !text.isEmpty, text.utf8.count <= LabelReader.nameLimit else {
      return .failure(
        Problem(
          kind: .badField, text: "is empty, or longer than \(LabelReader.nameLimit) bytes"))
    }
    guard let names else {
      return .success(Category(name: text, sourceID: Int64(text).map { .integer($0) }))
    }
    if let place = names.firstIndex(of: text) { return .success(categories[place]) }
    if let number = Int(text), names.indices.contains(number) {
      return .success(categories[number])
    }
    return .failure(Problem(kind: .unknownLabel, text: "“\(text)” is not one of \(source)"))
  }
}

/// Reads the label and the objects of one record of Hugging Face's metadata.
struct HFRecordReader: Sendable {
  var labels: HFClassNames
  var objects: HFClassNames
  var fields = HFObjects.Fields()

  /// Reads the label of an image.
  ///
  /// - Parameter stated: the value; `nil` if there is none.
  func readLabel(
    _ stated: JSONValue?, _ location: IssueLocation, _ key: String, _ result: inout LabeledImage
  ) {
    guard let stated else {
      result.issues.append(
        Issue(
          .missingLabel, .warning, at: location, sampleKey: key,
          "\(key) has no label; kept without"))
      return
    }
    switch labels.category(stated) {
    case .success(let category): result.label = category
    case .failure(let problem):
      result.issues.append(
        Issue(
          problem.kind, .error, at: location, sampleKey: key,
          "the label of \(key) \(problem.text); kept without a label"))
    }
  }

  /// Reads a list of labels: one is the class of the image, several are labels of it.
  func readLabels(
    _ stated: [JSONValue], _ location: IssueLocation, _ key: String, _ result: inout LabeledImage
  ) {
    if let issue = Self.flagsIssue(stated, location, key) {
      result.annotationsRead += stated.count
      result.issues.append(issue)
      return
    }
    let first = result.regions.count
    var seen: Set<String> = []
    for value in stated {
      result.annotationsRead += 1
      switch labels.category(value) {
      case .success(let category):
        guard seen.insert(category.name).inserted else {
          result.issues.append(
            Issue(
              .duplicateID, .error, at: location, sampleKey: key,
              "\(key) has the label “\(category.name)” twice; kept once"))
          continue
        }
        result.regions.append(
          LabeledRegion(
            category: category, shape: .tag, at: location, title: "label \(category.name)"))
      case .failure(let problem):
        result.issues.append(
          Issue(
            problem.kind, .error, at: location, sampleKey: key,
            "a label of \(key) \(problem.text); left out"))
      }
    }
    if result.regions.count > first {
      result.takeLabel(from: Array(first..<result.regions.count))
    }
  }

  /// The issue of a list that has a 0 or 1, or a truth value, for each class, and not the classes of the image; `nil` for
  /// others.
  ///
  /// Of numbers, those lists are told by a 0 or 1 that occurs twice.
  static func flagsIssue(
    _ stated: [JSONValue], _ location: IssueLocation, _ key: String
  ) -> Issue? {
    let areFlags =
      stated.allSatisfy { if case .bool = $0 { true } else { false } }
      || stated.allSatisfy { $0 == .integer(0) || $0 == .integer(1) }
        && Set(stated).count < stated.count
    guard areFlags, stated.count > 1 else { return nil }
    return Issue(
      .badField, .error, at: location, sampleKey: key,
      "the labels of \(key) are \(stated.count) values of 0 and 1, one for each class, not the classes of the image; left "
        + "out. Make a CSV with the header image,NAME,… of them, which multilabel-csv reads")
  }

  /// Reads the objects of an image.
  ///
  /// - Parameter size: the size of the image, for relative coordinates.
  func readObjects(
    _ value: JSONValue, _ location: IssueLocation, _ key: String, _ size: ImageSize?,
    _ result: inout LabeledImage
  ) {
    let list: HFObjects
    do throws(HFObjects.Problem) {
      list = try HFObjects(value, fields)
    } catch {
      result.issues.append(
        Issue(
          .badField, .error, at: location, sampleKey: key, "\(error.text); the image is left out"))
      result.isRejected = true
      return
    }
    result.annotationsRead += list.objects.count
    for (number, object) in list.objects.enumerated() {
      let title = "object \(number + 1)"
      func report(_ kind: IssueKind, _ severity: Issue.Severity, _ text: String) {
        result.issues.append(
          Issue(kind, severity, at: location, sampleKey: key, "\(title) of \(key): \(text)"))
      }
      guard let box = list.box(object, in: size) else {
        report(.badShape, .error, "the box is not a list of 4 numbers; left out")
        continue
      }
      let stated: Category
      if let value = list.category(object) {
        switch objects.category(value) {
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
      region.attributes = list.attributes(object)
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
}
