import AssayCore

/// The CVAT files of a source.
struct CVATFiles {
  let tree: any SourceTree
  let files: SortedFiles
  /// The indices of the CVAT files, nearest to the root first.
  private(set) var indices: [Int] = []
  /// An XML file of another kind.
  private(set) var other: Int?

  /// The maximum number of XML files that are opened.
  private static let opened = 1024

  /// - Throws: any error that the tree throws.
  init(_ tree: any SourceTree) throws {
    self.tree = tree
    files = SortedFiles(tree.isSingleFile ? [] : try tree.files())
    let all = files.files.indices.filter { files[$0].utf8.suffix(4).elementsEqual(".xml".utf8) }
    func depth(_ index: Int) -> Int { files[index].utf8.count { $0 == UInt8(ascii: "/") } }
    let nearest = all.map { (depth: depth($0), index: $0) }
      .sorted { ($0.depth, $0.index) < ($1.depth, $1.index) }.prefix(Self.opened)
    var tried = 0
    for (_, index) in nearest {
      // A tree of one annotation per image is not opened completely.
      if indices.isEmpty, tried == 32 { break }
      tried += 1
      if XMLAnnotationKind(files[index], in: tree) == .cvat {
        indices.append(index)
      } else {
        other = other ?? index
      }
    }
  }

  /// The CVAT files by the datasets that they belong to: files with the same classes in the same
  /// order, and files of one folder, are one dataset.
  ///
  /// - Throws: ``FormatError`` for a broken file; any error that the tree throws.
  func datasets() throws -> [[Int]] {
    var datasets: [(folder: Substring, classes: [String], files: [Int])] = []
    for index in indices {
      let folder = SortedFiles.folder(of: files[index])
      let classes = try CVATIndex(tree, files[index], isMetaOnly: true).meta.classes
      if let place = datasets.firstIndex(where: {
        $0.folder == folder || ($0.classes == classes && !classes.isEmpty)
      }) {
        datasets[place].files.append(index)
      } else {
        datasets.append((folder, classes, [index]))
      }
    }
    return datasets.map(\.files)
  }
}
