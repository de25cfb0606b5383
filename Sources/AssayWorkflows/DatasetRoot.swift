import AssayCore
import AssayFormats
import AssayStore
import Foundation

/// Opens the source of a dataset to read its images: a folder, the folder of a file, or an archive.
enum DatasetRoot {
  /// The member of a dataset's options that is true if links out of the source are followed.
  static let followLinks = "followLinks"

  /// The files of a dataset, by the locations of its samples.
  ///
  /// - Throws: ``SourceError``; `ArchiveError`.
  static func tree(of dataset: DatasetRecord) throws -> any SourceTree {
    let sources = dataset.mergedSources
    guard sources.isEmpty else { return MergedTree(dataset, sources: sources) }
    return try tree(at: dataset.root, of: dataset)
  }

  /// The files of a dataset if its source is at a path.
  ///
  /// - Throws: ``SourceError``; `ArchiveError`.
  static func tree(at path: String, of dataset: DatasetRecord) throws -> any SourceTree {
    let directory = try DirectoryTree(path, followsLinks: followsLinks(dataset))
    if dataset.format.isParquet {
      return ParquetTree(directory) { try ArchiveCache.embeddedImages(directory, $0) }
    }
    if dataset.format.embedsImages {
      return TFRecordTree(directory) { try ArchiveCache.embeddedImages(directory, $0) }
    }
    guard directory.isSingleFile else {
      guard dataset.format == .webDataset else { return directory }
      return ShardTree(directory) { try ArchiveCache.archive(directory, $0) }
    }
    return try ArchiveCache.archive(directory, directory.name) ?? directory
  }

  /// The absolute path of the folder that the samples' locations are relative to, or of the archive.
  static func folder(of dataset: DatasetRecord) -> String {
    if dataset.format.embedsImages {
      return (try? DirectoryTree(dataset.root))?.root ?? dataset.root
    }
    return (try? tree(of: dataset) as? DirectoryTree)?.root ?? dataset.root
  }

  /// The path of the file on disk that holds the image at a location: the image, or the archive.
  static func file(_ location: String, of dataset: DatasetRecord) -> String {
    if let source = dataset.mergedSources.first(where: { location.hasPrefix($0.name + "/") }) {
      return file(String(location.dropFirst(source.name.count + 1)), of: source)
    }
    var path = folder(of: dataset) + "/" + location
    var status = stat()
    while stat(path, &status) != 0, errno == ENOTDIR, path.utf8.count > dataset.root.utf8.count {
      path = (path as NSString).deletingLastPathComponent
    }
    return path
  }

  /// The sources of a dataset on disk: one, or those of a merged dataset.
  static func roots(of dataset: DatasetRecord) -> [String] {
    let sources = dataset.mergedSources
    return sources.isEmpty ? [dataset.root] : sources.flatMap { roots(of: $0) }
  }

  /// Returns whether a dataset was imported with links out of its source followed.
  static func followsLinks(_ dataset: DatasetRecord) -> Bool {
    guard dataset.options.contains(followLinks),
      let options = try? JSONValue(parsing: dataset.options)
    else { return false }
    return options[followLinks] == .bool(true)
  }
}
