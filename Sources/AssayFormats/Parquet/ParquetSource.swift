import AssayCore

/// The images of Parquet files with their labels and objects, for ``RegionImport``.
struct ParquetSource: RegionSource {
  /// A row of a file.
  struct Item: Sendable {
    var file: Int32
    var row: Int32
  }

  let name: String
  let items: [Item]
  let classes: [Category]
  let issues: [Issue]
  private let layout: ParquetLayout
  private let reader: HFRecordReader
  private let records: [ParquetRecords]
  /// The names of the columns of ``records``.
  private let names: [String]

  /// - Parameter options: names of classes that take the place of those of the files.
  init(_ layout: ParquetLayout, _ options: ImportOptions) {
    self.layout = layout
    name = layout.name
    let columns = layout.columns
    var reader = HFRecordReader(
      labels: Self.classes(columns.label?.names, options),
      objects: Self.classes(columns.objects?.names, options))
    var names: [String] = []
    if let label = columns.label { names.append(label.column) }
    if let objects = columns.objects {
      names += [objects.parent ?? objects.box]
      if objects.parent == nil { names += [objects.category].compactMap(\.self) + objects.others }
      reader.fields = HFObjects.Fields(
        box: [objects.box], category: [objects.category].compactMap(\.self), form: objects.form,
        isRelative: objects.isRelative)
    }
    names += columns.texts + (columns.hasSize ? ["width", "height"] : [])
    self.reader = reader
    self.names = names
    var items: [Item] = []
    var issues: [Issue] = []
    var records: [ParquetRecords] = []
    for (number, file) in layout.files.enumerated() {
      for row in 0..<file.table.footer.rows {
        items.append(Item(file: Int32(number), row: Int32(truncatingIfNeeded: row)))
      }
      let nodes = names.compactMap { name in
        file.table.schema.columns.first { $0.name == name }.map { node in
          Self.readable(node, of: file.table)
        }
      }
      records.append(ParquetRecords(file.table, nodes))
    }
    if let first = layout.files.first {
      issues = columns.ignored.map { column in
        Issue(
          .unsupportedField, .warning, at: IssueLocation(file: first.table.path),
          "the column “\(column.prefix(60))” is not kept")
      }
      if let parent = columns.objects?.parent,
        let node = first.table.schema.columns.first(where: { $0.name == parent })
      {
        let kept = Set(Self.readable(node, of: first.table).innerMembers.map(\.name))
        issues += node.innerMembers.filter { !kept.contains($0.name) }.map { member in
          Issue(
            .unsupportedField, .warning, at: IssueLocation(file: first.table.path),
            "the column “\(parent).\(member.name.prefix(60))” is not kept")
        }
      }
    }
    self.items = items
    self.issues = issues
    self.records = records
    classes = reader.labels.categories + reader.objects.categories
  }

  private static func classes(_ names: [String]?, _ options: ImportOptions) -> HFClassNames {
    if let given = options.classes { return HFClassNames(given) }
    return HFClassNames(names, from: "the class names of the file")
  }

  /// A column without the members that cannot be read.
  private static func readable(
    _ node: ParquetSchema.Node, of file: ParquetFile
  ) -> ParquetSchema.Node {
    var node = node
    switch node.content {
    case .group(let members): node.content = .group(members.filter { $0.isReadable(in: file) })
    case .list(let repetition, let definition, let element):
      node.content = .list(
        repetition: repetition, definition: definition, readable(element, of: file))
    case .leaf: break
    }
    return node
  }

  func path(of item: Item) -> String {
    let file = layout.files[Int(item.file)]
    return file.image.location(file.table, row: Int(item.row))
  }

  func split(of item: Item) -> String? { layout.files[Int(item.file)].split }

  func file(of item: Item, at path: String) -> SourceFile? {
    let table = layout.files[Int(item.file)].table
    return SourceFile(path: path, size: table.size, modified: table.modified)
  }

  func read(_ item: Item, image: ImageProbe?) -> LabeledImage {
    var result = LabeledImage()
    let key = image?.path ?? path(of: item)
    let location = IssueLocation(file: key)
    let values: [JSONValue]
    do {
      values = try records[Int(item.file)].values(ofRow: Int(item.row))
    } catch {
      result.issues.append(
        Issue(
          .unreadableImage, .error, at: location, sampleKey: key,
          "the annotations of \(key) cannot be read: \(error); left out"))
      result.isRejected = true
      return result
    }
    func value(_ name: String) -> JSONValue {
      names.firstIndex(of: name).flatMap { $0 < values.count ? values[$0] : nil } ?? .null
    }
    let columns = layout.columns
    if columns.hasSize, case .integer(let width) = value("width"),
      case .integer(let height) = value("height"), let width = Int(exactly: width),
      let height = Int(exactly: height)
    {
      result.statedSize = ImageSize.checked(width: width, height: height)
    }
    let captions = columns.texts.flatMap { text -> [LabeledRegion] in
      if let texts = Captions.texts(value(text)) {
        return texts.map { Captions.region($0, at: location) }
      }
      // Another value, such as a number, is a field of the image.
      result.attributes.append(.init(text, value(text)))
      return []
    }
    if let label = columns.label { readLabel(label, value(label.column), location, key, &result) }
    if let objects = columns.objects {
      let size: ImageSize? = if case .success(let size)? = image?.size { size } else { nil }
      reader.readObjects(self.objects(objects, value), location, key, size, &result)
    }
    result.regions += captions
    result.annotationsRead += captions.count
    return result
  }

  /// The objects as Hugging Face writes them: an object of lists, or a list of objects.
  private func objects(
    _ objects: ParquetColumns.Objects, _ value: (String) -> JSONValue
  ) -> JSONValue {
    if let parent = objects.parent { return value(parent) }
    guard value(objects.box) != .null else { return .null }
    let members = [objects.box] + [objects.category].compactMap(\.self) + objects.others
    return .object(
      members.compactMap { name in
        value(name) == .null ? nil : .init(name, value(name))
      })
  }

  private func readLabel(
    _ label: ParquetColumns.Label, _ value: JSONValue, _ location: IssueLocation, _ key: String,
    _ result: inout LabeledImage
  ) {
    // Hugging Face writes -1 for a label that is not known.
    let isMissing = value == .null || (label.names != nil && value == .integer(-1))
    guard label.isList else {
      guard !isMissing || layout.columns.objects == nil else { return }
      return reader.readLabel(isMissing ? JSONValue?.none : value, location, key, &result)
    }
    guard let elements = value.elements else {
      return reader.readLabel(nil, location, key, &result)
    }
    if let issue = HFRecordReader.flagsIssue(elements, location, key) {
      result.isRejected = true
      return result.issues.append(issue)
    }
    for element in elements {
      switch reader.labels.category(element) {
      case .success(let category):
        if !result.labels.contains(where: { $0.name == category.name }) {
          result.labels.append(category)
        }
      case .failure(let problem):
        result.issues.append(
          Issue(
            problem.kind, .error, at: location, sampleKey: key,
            "a label of \(key) \(problem.text); left out"))
      }
    }
  }
}

extension ParquetSchema.Node {
  /// The members of a structure, or of the structures in a list.
  var innerMembers: [ParquetSchema.Node] { members.isEmpty ? element?.innerMembers ?? [] : members }
}
