import AssayCore
import AssayStore

/// Opens the source of a dataset to read its images.
enum DatasetRoot {
  /// The member of a dataset's options that is true if links out of the source are followed.
  static let followLinks = "followLinks"

  /// The files of a dataset, by the locations of its samples.
  ///
  /// - Throws: ``SourceError``.
  static func tree(of dataset: DatasetRecord) throws -> DirectoryTree {
    try DirectoryTree(dataset.root, followsLinks: followsLinks(dataset))
  }

  /// Returns whether a dataset was imported with links out of its source followed.
  static func followsLinks(_ dataset: DatasetRecord) -> Bool {
    guard dataset.options.contains(followLinks),
      let options = try? JSONValue(parsing: dataset.options)
    else { return false }
    return options[followLinks] == .bool(true)
  }
}
