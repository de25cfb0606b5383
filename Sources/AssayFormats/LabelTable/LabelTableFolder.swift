import AssayCore

/// Tables of images and several 0/1 columns in a folder, each beside its images: `train/_classes.csv` and
/// `valid/_classes.csv` of Roboflow.
struct LabelTableFolder {
  /// A table; its folder is empty for the root.
  struct Table {
    var file: SourceFile
    var folder: String
    var classes: [String]

    /// The split that the folder's name states.
    var split: String? {
      folder.split(separator: "/").map(String.init).last(where: FolderLayout.isSplit)
    }
  }

  private(set) var tables: [Table] = []
  /// The reason why these tables are no dataset, one clause; `nil` if they are one.
  private(set) var problem: String?

  /// The number of tables that are opened.
  private static let opened = 64

  /// - Throws: any error that the tree throws.
  init(_ tree: any SourceTree) throws {
    let files = try tree.files()
    let sorted = SortedFiles(files)
    for file in files.filter({ $0.path.hasSuffix(ignoringCase: ".csv") }).prefix(Self.opened) {
      guard let head = try? TableHead.read(tree, file), MultiLabelCSVImporter.probe(head).isMatch,
        let columns = try? LabelTableColumns(head.firstFields, file: file.path, isForced: false),
        case .columns(let classes) = columns.labels, classes.count > 1,
        !HFMetadata.isNamed(file.path)
      else { continue }
      let folder = String(SortedFiles.folder(of: file.path))
      let isThere = head.lines.dropFirst().contains { line in
        let fields = CSVFields.texts(of: line)
        return columns.image < fields.count
          && sorted.index(of: SortedFiles.join(folder, fields[columns.image])) != nil
      }
      guard isThere else { continue }
      tables.append(Table(file: file, folder: folder, classes: classes.map(\.name)))
    }
    problem = Self.problem(tables)
  }

  private static func problem(_ tables: [Table]) -> String? {
    guard let first = tables.first else {
      return "it is a folder without a CSV of 0/1 columns beside its images"
    }
    for (place, table) in tables.enumerated() {
      guard table.classes == first.classes else {
        return
          "\(first.file.path) and \(table.file.path) have different classes: import one of them"
      }
      for other in tables[(place + 1)...] {
        let (a, b) = (table.folder, other.folder)
        if a.isEmpty || b.isEmpty || a == b || b.hasPrefix(a + "/") || a.hasPrefix(b + "/") {
          return
            "\(table.file.path) and \(other.file.path) can describe the same images: import one "
            + "of them"
        }
      }
    }
    return nil
  }
}
