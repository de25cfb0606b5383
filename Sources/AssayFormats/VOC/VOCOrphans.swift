import AssayCore

/// The annotations without an image of the same name: the image that their `filename` names.
struct VOCOrphans {
  /// An annotation and the image that it names.
  struct Orphan: Sendable {
    var index: Int
    /// False if the file is XML of another kind.
    var isVOC: Bool
    /// The text of `filename`; `nil` if there is none or the file cannot be read.
    var filename: String?
  }

  /// In order.
  private(set) var orphans: [Orphan] = []

  private static let batch = 256

  /// Reads annotations on several threads.
  ///
  /// - Throws: any error that the tree throws.
  init(_ indices: [Int], _ inventory: VOCInventory) throws {
    guard !indices.isEmpty else { return }
    let (tree, files) = (inventory.tree, inventory.files)
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
            return Orphan(index: index, isVOC: true, filename: nil)
          }
          return Orphan(
            index: index, isVOC: VOCAnnotation.isVOC(root), filename: root.text(of: "filename"))
        }
      },
      deliver: { orphans += $0 })
  }
}
