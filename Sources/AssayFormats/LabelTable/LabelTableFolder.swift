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
    var split: String? { FolderTables.split(ofFolder: folder) }
  }

  private(set) var tables: [Table] = []
  /// The reason why these tables are no dataset, one clause; `nil` if they are one.
  private(set) var problem: String?

  /// - Throws: any error that the tree throws.
  init(_ tree: any SourceTree) throws {
    let files = try tree.files()
    let sorted = SortedFiles(files)
    let candidates = files.filter { $0.path.hasSuffix(ignoringCase: ".csv") }
    for file in candidates.prefix(FolderTables.opened) {
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
    if let other = tables.first(where: { $0.classes != first.classes }) {
      return "\(first.file.path) and \(other.file.path) have different classes: import one of them"
    }
    return FolderTables.overlap(tables.map { ($0.file.path, $0.folder) })
  }
}
