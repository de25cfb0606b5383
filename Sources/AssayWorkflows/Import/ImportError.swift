package import AssayCore

/// The reasons why an import failed.
package enum ImportError: Error, Hashable {
  /// The source's name gives no name for a dataset.
  case noName(source: String)
  /// Every record was rejected; the first issues.
  case nothingAccepted(source: String, format: DatasetFormat, read: Int, issues: [Issue])
  /// The folder of images is a file.
  case imagesAreNoFolder(String)
  /// Files beside the images are to be ignored, and no format says what is to be read.
  case ignoresWithoutFormat
  /// A stated split that is no name.
  case badSplit(String)
}

extension ImportError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noName(let source):
      "no dataset name can be derived from \(source); give one with --name"
    case .nothingAccepted(let source, let format, let read, let issues):
      "nothing was imported: all \(read) records of \(source), read as \(format.rawValue), are "
        + "invalid\n"
        + issues.map { "  \($0.location): \($0.message)" }.joined(separator: "\n")
    case .imagesAreNoFolder(let path):
      "--images must be the folder with the images; \(path) is a file"
    case .ignoresWithoutFormat:
      "--ignore-companions needs a format: PATH:image-folder --ignore-companions"
    case .badSplit(let split):
      "invalid split name “\(split)”: expected letters, digits, “.”, “_” and “-”, starting with a "
        + "letter or digit"
    }
  }
}

/// An import that was to be refused on any issue, and found some: nothing was imported.
package struct ImportRefused: Error, Hashable, Sendable {
  package var dataset: String
  package var read: Int
  package var rejected: Int
  /// All issues that the importer listed.
  package var issues: [Issue]
}
