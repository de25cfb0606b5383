import AssayCore

/// The annotations without an image of the same name: the image that their `filename` names.
struct VOCOrphans {
  /// An annotation and the image that it names.
  struct Orphan: Sendable {
    var index: Int
    /// False if the file is XML of another kind.
    var isKind: Bool
    /// The text of `filename`; `nil` if there is none or the file cannot be read.
    var filename: String?
    /// The text of `folder`.
    var folder: String?
  }

  /// In order.
  private(set) var orphans: [Orphan] = []

  private static let batch = 256

  /// Reads annotations on several threads.
  ///
  /// - Parameter isKind: returns whether a document is an annotation of the format.
  /// - Throws: any error that the tree throws.
  init(
    _ indices: [Int], _ files: SortedFiles, in tree: any SourceTree,
    isKind: @escaping @Sendable (XMLElement) -> Bool
  ) throws {
    guard !indices.isEmpty else { return }
    var start = 0
    try OrderedWorkers(workers: 2).run(
      next: { () -> ArraySlice<Int>? in
        guard start < indices.count else { return nil }
        defer { start += Self.batch }
        return indices[start..<min(indices.count, start + Self.batch)]
      },
      transform: { _, part in
        part.map { index in
          // A broken file is reported when it is read again.
          guard let root = try? VOCAnnotation.root(files.files[index], in: tree) else {
            return Orphan(index: index, isKind: true)
          }
          return Orphan(
            index: index, isKind: isKind(root), filename: root.text(of: "filename"),
            folder: root.text(of: "folder"))
        }
      },
      deliver: { orphans += $0 })
  }
}
