import AssayFormats
package import AssayStore

/// The number of a dataset's image files, and how many of them exist.
package struct ImageFileCount: Hashable, Sendable {
  /// The number of files of the dataset; 0 if its pixels are in the catalog.
  package var files = 0
  /// The number of files that currently exist, according to one listing of the folder.
  package var found = 0

  /// - Throws: `StoreError`. No files are found in a folder that is missing or cannot be listed.
  package init(of dataset: DatasetRecord, in catalog: Catalog) throws {
    let files = try catalog.samples(in: catalog.resolve(dataset.name)).compactMap(\.location)
    self.files = files.count
    guard !files.isEmpty, let tree = try? DatasetRoot.tree(of: dataset),
      let listed = try? Set(tree.files().map(\.path))
    else { return }
    found = files.count { listed.contains(EmbeddedImagePlace.listed($0)) }
  }
}
