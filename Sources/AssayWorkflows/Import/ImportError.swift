package import AssayCore
import AssayFormats

/// The reasons why an import failed.
package enum ImportError: Error, Hashable {
  /// No dataset name can be derived from the source's name.
  case noName(source: String)
  /// Every record was rejected; the first issues.
  case nothingAccepted(source: String, format: DatasetFormat, read: Int, issues: [Issue])
  /// Annotations of which none can be kept: their number, and the first issues.
  case noAnnotationKept(source: String, format: DatasetFormat, read: Int, issues: [Issue])
  /// A detected format whose annotations belong to fewer images than are left out.
  case mostImagesLeftOut(source: String, format: DatasetFormat, kept: Int, leftOut: Int)
  /// A large file with images that is deflated in a zip archive.
  case packedTable(archive: String, entry: String, size: Int)
  /// The image folder is a file.
  case imagesAreNoFolder(String)
  /// Files next to the images are to be ignored, but no format is given.
  case ignoresWithoutFormat
  /// A given split that is not a valid name.
  case badSplit(String)
}

extension ImportError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noName(let source):
      "no dataset name can be derived from \(source); give one with --name"
    case .nothingAccepted(let source, let format, let read, let issues):
      "nothing was imported: "
        + (read == 1
          ? "the only record of \(source), read as \(format.rawValue), is invalid\n"
          : "all \(read) records of \(source), read as \(format.rawValue), are invalid\n")
        + issues.map { "  \($0.location): \($0.message)" }.joined(separator: "\n")
    case .noAnnotationKept(let source, let format, let read, let issues):
      "nothing was imported: "
        + (read == 1
          ? "the only annotation of \(source), read as \(format.rawValue), is left out\n"
          : "all \(read) annotations of \(source), read as \(format.rawValue), are left out\n")
        + issues.map { "  \($0.location): \($0.message)" }.joined(separator: "\n")
        + "\nto import the images alone: PATH:image-folder --ignore-companions"
    case .mostImagesLeftOut(let source, let format, let kept, let leftOut):
      "\(source) was not imported: its \(format.rawValue) annotations belong to "
        + "\(kept == 1 ? "1 image" : "\(kept) images"), and "
        + "\(leftOut == 1 ? "1 image" : "\(leftOut) images") would be left out\n"
        + "import only the annotated ones with PATH:\(format.rawValue), all images without annotations with "
        + "PATH:image-folder --ignore-companions, or a folder inside"
    case .packedTable(let archive, let entry, let size):
      """
      \(archive) was not imported: \(entry) (\(size >> 20) MiB) is deflated, so that reading one of its \
      images would unpack all that is before it
      unpack it: \(Self.unpackCommand(archive)), then import the folder; or pack it without compression: \
      zip -0
      """
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

extension ImportError {
  /// The command that unpacks a zip archive into a folder beside it.
  private static func unpackCommand(_ archive: String) -> String {
    let folder =
      archive.lowercased().hasSuffix(".zip") ? String(archive.dropLast(4)) : archive + ".d"
    return "unzip \(ShellText.quoted(archive)) -d \(ShellText.quoted(folder))"
  }
}

/// An import in strict mode that found issues: nothing was imported.
package struct ImportRefused: Error, Hashable, Sendable {
  package var dataset: String
  package var read: Int
  package var rejected: Int
  /// All issues that the importer listed.
  package var issues: [Issue]
}
