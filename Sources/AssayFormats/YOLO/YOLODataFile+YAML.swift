import AssayCore
import Yams

extension YOLODataFile {
  /// The keys whose values are images, in the order in which images are assigned to them.
  static let splitKeys = ["train", "val", "valid", "validation", "test", "minival"]

  /// Reads the YAML of Ultralytics, YOLOv5 or Roboflow; `nil` if it is another program's.
  ///
  /// No objects are constructed, and aliases and deep nesting are refused.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)``.
  init?(yaml text: String, path: String) throws {
    guard Self.hasKeys(text) else { return nil }
    if let (line, problem) = YAMLShape.problem(in: text) {
      throw FormatError.table(
        path, line: line,
        problem: problem == .anchor
          ? "anchors (&name) are unsupported; repeat the value, or quote the text"
          : "the YAML is nested more than \(YAMLShape.depthLimit) levels deep")
    }
    self.init(path: path)
    guard case .mapping(let mapping) = try Self.compose(text, path) else { return nil }
    var values: [String: Node] = [:]
    for (key, value) in mapping {
      if case .scalar(let name) = key { values[name.string] = value }
    }
    for key in Self.splitKeys {
      for (entry, line) in try texts(values[key], key) where !Self.isNull(entry) {
        entries.append(Entry(split: key, path: entry, line: line))
      }
    }
    if let (text, _) = try texts(values["path"], "path").first, !Self.isNull(text) { root = text }
    names = try names(values["names"])
    if let (text, line) = try texts(values["nc"], "nc").first { noteCount(text, "nc", line: line) }
    keypoints = try keypoints(values["kpt_shape"])
    readKeypointNames(values)
  }

  private mutating func readKeypointNames(_ values: [String: Node]) {
    var problems: [YOLOKeypointNames.Problem] = []
    keypointNames = YOLOKeypointNames(
      names: values["kpt_names"], flips: values[YOLOKeypointNames.flipsName],
      count: keypoints?.count,
      classes: names.map { Set($0.keys) }, &problems)
    issues += problems.map {
      Issue(.badField, .warning, at: IssueLocation(file: path, line: $0.line), $0.text)
    }
  }

  /// Returns whether the top-level keys of a YAML text are those of a YOLO dataset.
  static func hasKeys(_ text: String) -> Bool {
    var keys: Set<String> = []
    // A mapping in braces, as JSON has them, can be in one line.
    let isFlow = text.first { !$0.isWhitespace && $0 != "\u{FEFF}" } == "{"
    for part in text.split(whereSeparator: { $0.isNewline || isFlow && "{,".contains($0) }) {
      let line = isFlow ? part.drop(while: \.isWhitespace) : part
      guard let first = line.first, first.isLetter || first == "\"" || first == "'",
        let colon = line.firstIndex(of: ":")
      else { continue }
      keys.insert(line[..<colon].filter { !"\"' \t".contains($0) })
    }
    let hasImages = !keys.isDisjoint(with: splitKeys)
    return keys.contains("names") && (hasImages || !keys.isDisjoint(with: ["nc", "path"]))
      || keys.contains("nc") && hasImages
  }

  private static func compose(_ text: String, _ path: String) throws -> Node? {
    do {
      return try Yams.compose(yaml: text)
    } catch let error as YamlError {
      switch error {
      case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
        .composer(_, let problem, let mark, _):
        throw FormatError.table(path, line: mark.line, problem: "invalid YAML: \(problem)")
      case .duplicatedKeysInMapping(let duplicates, let context):
        throw FormatError.table(
          path, line: context.mark.line,
          problem: "the key '\(duplicates.first ?? "?")' is repeated; keep one")
      default: throw FormatError.table(path, line: 1, problem: "invalid YAML: \(error)")
      }
    }
  }

  private static func isNull(_ text: String) -> Bool {
    ["", "~", "null", "Null", "NULL", "None"].contains(text)
  }

  private func fault(_ node: Node, _ problem: String) -> FormatError {
    FormatError.table(path, line: node.mark?.line ?? 1, problem: problem)
  }

  /// The texts of a value: one, or a list of them; empty for a missing key.
  private func texts(_ node: Node?, _ key: String) throws -> [(text: String, line: Int?)] {
    switch node {
    case nil: return []
    case .scalar(let scalar): return [(scalar.string, scalar.mark?.line)]
    case .sequence(let sequence):
      return try sequence.map { element in
        guard case .scalar(let scalar) = element else {
          throw fault(element, "'\(key)' must be a text or a list of texts")
        }
        return (scalar.string, scalar.mark?.line)
      }
    case .some(let node): throw fault(node, "'\(key)' must be a text or a list of texts")
    }
  }

  private func names(_ node: Node?) throws -> [Int: String]? {
    let expected = "'names' must be a list of names, or a map of class numbers to names"
    switch node {
    case nil: return nil
    case .scalar(let scalar):
      guard Self.isNull(scalar.string) else { throw fault(.scalar(scalar), expected) }
      return nil
    case .sequence(let sequence):
      guard sequence.count <= YOLOClasses.limit else {
        throw fault(.sequence(sequence), "'names' has more than \(YOLOClasses.limit) names")
      }
      var names: [Int: String] = [:]
      for (index, element) in sequence.enumerated() {
        guard case .scalar(let name) = element else { throw fault(element, expected) }
        names[index] = name.string
      }
      return names
    case .mapping(let mapping):
      var names: [Int: String] = [:]
      for (key, value) in mapping {
        guard case .scalar(let number) = key, case .scalar(let name) = value,
          let index = Int(number.string), (0..<YOLOClasses.limit).contains(index)
        else { throw fault(key, expected) }
        guard names.updateValue(name.string, forKey: index) == nil else {
          throw fault(key, "class \(index) has two names; keep one")
        }
      }
      return names
    case .some(let node): throw fault(node, expected)
    }
  }

  private func keypoints(_ node: Node?) throws -> YOLOKeypointShape? {
    guard let node else { return nil }
    if case .scalar(let scalar) = node, Self.isNull(scalar.string) { return nil }
    let numbers = try texts(node, "kpt_shape").map { Int($0.text) ?? -1 }
    guard let shape = YOLOKeypointShape(numbers) else {
      throw fault(
        node,
        "'kpt_shape' must be [n, 2] or [n, 3] with n from 1 to \(YOLOKeypointShape.limit)")
    }
    return shape
  }
}
