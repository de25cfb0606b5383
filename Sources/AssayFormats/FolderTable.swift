import AssayCore

/// A table in a folder that is a dataset of its own: importing the folder would not read it.
struct FolderTable: Hashable, Sendable {
  var path: String
  /// Its content, one clause without a subject: "lists images and their labels".
  var content: String
  /// Further such tables, in the same order.
  var others: [String] = []

  /// The maximum number of tables that are opened, and of folders above them.
  private static let opened = 32
  private static let depth = 4

  /// The first such table, nearest to the root; `nil` if there is none.
  init?(in tree: any SourceTree) {
    guard !tree.isSingleFile, let files = try? tree.files() else { return nil }
    let tables = files.compactMap { file -> (depth: Int, file: SourceFile)? in
      let name = file.path.lowercased()
      guard name.hasSuffix(".csv") || name.hasSuffix(".csv.gz"),
        FileNameKind(file.path) != .harmless
      else { return nil }
      let depth = name.utf8.count { $0 == UInt8(ascii: "/") }
      return depth <= Self.depth ? (depth, file) : nil
    }.sorted { ($0.depth, $0.file.path) < ($1.depth, $1.file.path) }
    let found = tables.prefix(Self.opened).compactMap { depth, file in
      Self.content(of: file, in: tree, isTop: depth == 0).map { (path: file.path, content: $0) }
    }
    guard let first = found.first else { return nil }
    (path, content) = first
    others = found.dropFirst().map(\.path)
  }

  /// The commands that import the tables, at most three.
  var commands: String {
    ([path] + others).prefix(3).map(ShellText.below).joined(separator: " or ")
      + (others.count > 2 ? " or …" : "")
  }

  private static func content(
    of file: SourceFile, in tree: any SourceTree, isTop: Bool
  ) -> String? {
    guard let head = try? TableHead.read(tree, file) else { return nil }
    let view = SubtreeView(tree, file: file.path)
    if (try? FERImporter().probe(view).isMatch) == true {
      return "holds faces as pixels (\(DatasetFormat.fer.rawValue))"
    }
    if MultiLabelCSVImporter.probe(head).isMatch || CSVImporter.probe(head).isMatch {
      return "lists images and their labels"
    }
    if PixelTableFolder.isOfPixels(head), (try? PixelCSVImporter().probe(view).isMatch) == true {
      return "holds images as pixels (\(DatasetFormat.pixelCSV.rawValue))"
    }
    return nil
  }
}
