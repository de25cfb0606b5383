import AssayCore

/// The classes of Open Images: names and parents of ids such as `/m/0k4j`.
struct OpenImagesClasses: Sendable {
  /// The classes that are declared, in order.
  private(set) var declared: [Category] = []
  private var byID: [String: Category] = [:]
  private(set) var issues: [Issue] = []
  private(set) var notes: [String] = []
  /// The files that name classes.
  private(set) var files: Set<String> = []

  /// A list of all classes with more names than this declares only the used ones.
  private static let declaredLimit = 1000
  private static let limit = 100_000
  private static let byteLimit = 16 << 20

  /// - Parameters:
  ///   - others: the CSV files that are no tables of images, with their first lines.
  /// - Throws: ``FormatError/tooManyClasses(_:limit:)``.
  init(
    _ files: [SourceFile], _ others: [(file: SourceFile, header: [String])], in tree: any SourceTree
  ) throws {
    let lists = others.filter { Self.isList($0.file.path, $0.header) }
    let parents = hierarchy(files, in: tree)
    var names: [(id: String, name: String, file: String, line: Int)] = []
    let boxable = lists.filter { $0.file.path.contains("boxable") }
    var used: Set<String> = []
    for (file, header) in boxable.isEmpty ? lists : boxable + lists {
      guard used.insert(file.path).inserted else { continue }
      self.files.insert(file.path)
      try LineScan.run(tree, file.path) { line in
        let fields = CSVFields.texts(of: Array(line.bytes))
        guard line.number > 1 || header.first != "LabelName" else { return }
        guard fields.count >= 2, !fields[0].isEmpty else {
          note(.fieldCount, file.path, line.number, "expected an id and a name; skipped")
          return
        }
        names.append((fields[0], fields[1].isEmpty ? fields[0] : fields[1], file.path, line.number))
        guard names.count <= Self.limit else {
          throw FormatError.tooManyClasses(file.path, limit: Self.limit)
        }
      }
    }
    let first = boxable.isEmpty ? nil : Set(boxable.map(\.file.path))
    let texts = Dictionary(names.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    var taken: Set<String> = []
    for (id, name, file, line) in names {
      guard byID[id] == nil else {
        if texts[id] != name {
          note(
            .duplicateID, file, line,
            "the class \(id) is '\(texts[id] ?? "")' in an earlier line; that name counts")
        }
        continue
      }
      var unique = name
      if !taken.insert(name).inserted {
        unique = "\(name) (\(id))"
        taken.insert(unique)
        note(
          .duplicateID, file, line,
          "another class has the same name '\(name)'; imported as a separate class, '\(unique)'")
      }
      let parent = parents[id].map { texts[$0] ?? $0 }
      let category = Category(name: unique, sourceID: .text(id), supercategory: parent)
      byID[id] = category
      if first?.contains(file) ?? (names.count <= Self.declaredLimit) { declared.append(category) }
    }
    if lists.isEmpty {
      notes.append("no class-descriptions.csv names the classes, so their ids are their names")
    }
  }

  private mutating func note(_ kind: IssueKind, _ file: String, _ line: Int, _ message: String) {
    guard issues.count < 1000 else { return }
    issues.append(Issue(kind, .warning, at: IssueLocation(file: file, line: line), message))
  }

  /// Returns whether a CSV is a list of class ids and names, not one of the attributes that
  /// relationships have (`attributes.csv`, `oidv6-attributes-description.csv`).
  private static func isList(_ path: String, _ header: [String]) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    guard header.count == 2, !name.contains("attributes") else { return false }
    return header == ["LabelName", "DisplayName"] || path.contains("class-descriptions")
      || header[0].hasPrefix("/m/") || header[0].hasPrefix("/g/")
  }

  /// The class of an id; `nil` if no list names it.
  func category(_ id: String) -> Category? { byID[id] }

  /// True if no list names classes, so that ids are names.
  var isOpen: Bool { byID.isEmpty }

  // MARK: Parents

  /// The parent of each class in `bbox_labels_600_hierarchy.json`; of several the first.
  private mutating func hierarchy(
    _ files: [SourceFile], in tree: any SourceTree
  ) -> [String: String] {
    var parents: [String: String] = [:]
    for file in files where file.path.hasSuffix(".json") && file.path.contains("hierarchy") {
      guard let bytes = try? tree.readAll(file.path, limit: Self.byteLimit),
        let root = try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self)),
        root["LabelName"] != nil || root["Subcategory"] != nil
      else { continue }
      self.files.insert(file.path)
      // Nesting is limited by the parser.
      Self.add(root, into: &parents, isRoot: true)
    }
    return parents
  }

  private static func add(_ node: JSONValue, into parents: inout [String: String], isRoot: Bool) {
    let own = node["LabelName"]?.text
    for child in node["Subcategory"]?.elements ?? [] {
      if let id = child["LabelName"]?.text, let own, !isRoot, parents[id] == nil, id != own {
        parents[id] = own
      }
      add(child, into: &parents, isRoot: false)
    }
  }
}
