import AssayCore

/// Tables of boxes in a folder, each beside its images: `train/_annotations.csv` and
/// `valid/_annotations.csv` of Roboflow, the export of VoTT, or `train_labels.csv` and `test_labels.csv`
/// of TensorFlow's tutorials.
struct BoxTableFolder {
  /// A table and the names of its first images.
  struct Table {
    var head: TableHead
    var file: SourceFile
    /// The folder of the table; empty for the root.
    var folder: String
    /// The columns, as `--columns` states them.
    var columns: String
    /// The classes in the order that Roboflow's `_classes.csv` gives; `nil` without one.
    var classes: [String]?
  }

  private(set) var tables: [Table] = []
  /// The paths of the tables and of their lists of classes.
  private(set) var known: Set<String> = []
  /// The reason why these tables are no dataset, one clause; `nil` if they are one.
  private(set) var problem: String?

  /// The maximum size of a list of classes.
  private static let byteLimit = 1 << 20

  /// - Throws: any error that the tree throws.
  init(_ tree: any SourceTree) throws {
    let files = try tree.files().filter { $0.path.hasSuffix(ignoringCase: ".csv") }
    var lists: [Table] = []
    for file in files.prefix(FolderTables.opened) {
      guard let head = try? TableHead.read(tree, file) else { continue }
      let folder = String(SortedFiles.folder(of: file.path))
      if let proposal = LabelColumnProposal(head), proposal.isCertain,
        !HFMetadata.isNamed(file.path)
      {
        lists.append(Table(head: head, file: file, folder: folder, columns: proposal.columns))
      }
      guard let proposal = BoxTableProposal(head) else { continue }
      let list = SortedFiles.join(folder, "_classes.csv")
      let isRoboflow =
        file.path.fileName == "_annotations.csv" && files.contains { $0.path == list }
      guard proposal.isCertain || isRoboflow else { continue }
      var table = Table(
        head: head, file: file, folder: folder, columns: proposal.columns)
      known.insert(file.path)
      if isRoboflow, let classes = try Self.classes(tree, list) {
        table.classes = classes
        known.insert(list)
      }
      tables.append(table)
    }
    // Of a table of labels and one of boxes, neither is the whole.
    if tables.isEmpty {
      tables = lists
      known = Set(lists.map(\.file.path))
    }
    tables.sort { SortedFiles.precedes($0.file.path, $1.file.path) }
    problem = Self.problem(tables)
  }

  /// The classes of a list of `name,number`; `nil` for another file.
  private static func classes(_ tree: any SourceTree, _ path: String) throws -> [String]? {
    let text = String(decoding: try tree.readAll(path, limit: byteLimit), as: UTF8.self)
    var numbered: [(number: Int, name: String)] = []
    for line in text.split(whereSeparator: \.isNewline) {
      guard let comma = line.lastIndex(of: ","),
        let number = Int(LabelSeparator.trimmed(String(line[line.index(after: comma)...])))
      else { return nil }
      numbered.append((number, LabelSeparator.trimmed(String(line[..<comma]))))
    }
    numbered.sort { $0.number < $1.number }
    return numbered.isEmpty ? nil : numbered.map(\.name)
  }

  private static func problem(_ tables: [Table]) -> String? {
    guard !tables.isEmpty else { return "it is a folder without a table of boxes or labels" }
    return FolderTables.overlap(
      tables.map { ($0.file.path, $0.folder) }, areOfSplits: true)
  }

  /// The split of a table: that of its folder, else of several tables the one that its name states; `nil`
  /// for none.
  func split(of table: Table) -> String? {
    FolderTables.split(ofFolder: table.folder)
      ?? (tables.count > 1 ? FolderTables.split(ofTable: table.file.path) : nil)
  }

  /// The folder that the names of a table's images are below: its own, or for a table of a split beside others
  /// the nearest one above that has some of the first ones. A folder of a split is not left.
  func images(
    of table: Table, _ form: BoxTableForm, in files: SortedFiles
  ) -> (base: String, images: COCOImageFolder) {
    let names = Self.names(table.head, form)
    var base = table.folder
    var own: COCOImageFolder?
    while true {
      let images = FolderTables.images(
        ofTable: table.file.path, names, listed: Self.listed(files, below: base))
      let isThere =
        FolderTables.tie(images) != nil
        || names.contains { name in
          switch BoxTableIndex.place(of: name, in: images) {
          case .path(_, let isThere), .repaired(_, let isThere, _): isThere
          case .outside: false
          }
        }
      if isThere { return (base, images) }
      own = own ?? images
      if base.isEmpty || FolderLayout.isSplit(String(base.fileName)) || tables.count < 2
        || FolderTables.split(ofTable: table.file.path) == nil
      {
        return (table.folder, own ?? images)
      }
      base = String(base.folderPath)
    }
  }

  /// The names that the images in the first rows of a table can have.
  static func names(_ head: TableHead, _ form: BoxTableForm) -> [String] {
    head.lines.dropFirst(form.hasHeader ? 1 : 0).flatMap { line in
      let fields = CSVFields.texts(of: line, delimiter: form.delimiter)
      return form.image < fields.count ? BoxTableIndex.names(of: fields[form.image]) : []
    }
  }

  /// The files below a folder, by their path below it.
  static func listed(_ files: SortedFiles, below folder: String) -> Set<String> {
    let start = folder.isEmpty ? 0 : folder.utf8.count + 1
    return Set(
      files.range(below: folder).map { index in
        let path = files[index]
        return String(path[path.utf8.index(path.startIndex, offsetBy: start)...])
      })
  }
}

/// The images of several tables of boxes, for ``RegionImport``.
struct BoxTablesSource: RegionSource {
  struct Item: Sendable {
    var table: Int32
    var item: Int32
    /// The first table with the image, if this is a later one; else -1.
    var first: Int32 = -1
  }

  let name: String
  let items: [Item]
  let classes: [Category]
  let issues: [Issue]
  let imagesLeftOut: Int
  private let sources: [BoxTableSource]

  /// - Parameters:
  ///   - sources: the tables. An image of several belongs to the first of them.
  ///   - classes: the classes that are declared, in order.
  ///   - files: the files among which the images are.
  init(_ sources: [BoxTableSource], classes: [String], name: String, files: [SourceFile]) {
    self.name = name
    self.sources = sources
    self.classes = classes.map { Category(name: $0) }
    let all = sources.enumerated().flatMap { place, source in
      source.items.map { (path: source.path(of: $0), item: Item(table: Int32(place), item: $0)) }
    }
    let unlisted = UnlistedImages(files, listed: Set(all.map(\.path)))
    imagesLeftOut = unlisted.count
    issues = sources.flatMap(\.issues) + [unlisted.issue()].compactMap(\.self)
    var sorted = all.sorted { a, b in
      a.path == b.path ? a.item.table < b.item.table : SortedFiles.precedes(a.path, b.path)
    }
    for place in sorted.indices.dropFirst() where sorted[place].path == sorted[place - 1].path {
      let other = sorted[place - 1].item
      sorted[place].item.first = other.first < 0 ? other.table : other.first
    }
    items = sorted.map(\.item)
  }

  func path(of item: Item) -> String { sources[Int(item.table)].path(of: item.item) }

  func split(of item: Item) -> String? { sources[Int(item.table)].split(of: item.item) }

  func read(_ item: Item, image: ImageProbe?) -> LabeledImage {
    let source = sources[Int(item.table)]
    let read = source.read(item.item, image: image)
    guard item.first >= 0 else { return read }
    var left = LabeledImage()
    left.annotationsRead = read.annotationsRead
    left.isRejected = true
    let path = source.path(of: item.item)
    let rows = read.annotationsRead == 1 ? "1 row" : "\(read.annotationsRead) rows"
    left.issues = [
      Issue(
        .duplicateID, .error, at: IssueLocation(file: source.file), sampleKey: path,
        "\(path) is in \(sources[Int(item.first)].file), too, which counts; its \(rows) here are left out"
      )
    ]
    return left
  }
}
