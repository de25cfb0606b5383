package import AssayStore

/// The number of a dataset's image files that are where the catalog says.
package struct ImageFileCount: Hashable, Sendable {
  /// The dataset's files; 0 where its pixels are in the catalog.
  package var files = 0
  /// Those that are there now, by one listing of the folder.
  package var found = 0

  /// - Throws: `StoreError`. A folder that is gone or cannot be listed has none of them.
  package init(of dataset: DatasetRecord, in catalog: Catalog) throws {
    let files = try catalog.samples(in: catalog.resolve(dataset.name)).compactMap(\.location)
    self.files = files.count
    guard !files.isEmpty, let tree = try? DirectoryTree(dataset.root),
      let listed = try? Set(tree.files().map(\.path))
    else { return }
    found = files.count { listed.contains($0) }
  }
}
