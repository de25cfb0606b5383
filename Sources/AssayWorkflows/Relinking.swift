import AssayCore
package import AssayStore

/// Points datasets to where their sources lie now.
package struct Relinking {
  private let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  /// Looks which of the dataset's files are at the new place, and moves the dataset there.
  ///
  /// - Throws: ``RelinkError/nothingFound(dataset:root:files:example:)`` where not one of its files is
  ///   there (the catalog stays as it was); ``SourceError``; `StoreError`.
  package func relink(_ name: String, to path: String) throws -> Relinked {
    let dataset = try catalog.dataset(named: name)
    let tree = try DirectoryTree(path)
    let files = try catalog.samples(in: catalog.resolve(name)).compactMap(\.location)
    let there = Set(try files.isEmpty ? [] : tree.files().map(\.path))
    let found = files.count { there.contains($0) }
    if let example = files.first, found == 0 {
      throw RelinkError.nothingFound(
        dataset: name, root: tree.root, files: files.count, example: example)
    }
    let root = tree.isSingleFile ? tree.root + "/" + tree.name : tree.root
    try catalog.relink(dataset: dataset.id, root: root, isSingleFile: tree.isSingleFile)
    return Relinked(dataset: name, root: root, files: files.count, found: found)
  }
}

/// What came of a move.
package struct Relinked: Hashable, Sendable {
  package var dataset: String
  package var root: String
  /// The dataset's image files (0 where its pixels are in the catalog), and those at the new place.
  package var files: Int
  package var found: Int
}

/// Why a dataset was not moved.
package enum RelinkError: Error, Hashable, CustomStringConvertible {
  case nothingFound(dataset: String, root: String, files: Int, example: String)

  package var description: String {
    switch self {
    case .nothingFound(let dataset, let root, let files, let example):
      "none of the \(files) files of \(dataset) is in \(root) (looked for \(example), …); give the folder that holds them"
    }
  }
}
