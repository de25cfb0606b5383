import AssayCore
import AssayFormats
import AssayRemote
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
    guard !RemoteAddress.isAddress(path) else {
      let (address, inner) = try RemoteAddress(path).parts
      let remote = try RemoteSources.tree(address, listing: RemoteSources.listing(of: dataset))
      return try tree(in: remote, inner, path, of: dataset)
    }
    let (file, inner) = DiskSource.parts(of: path)
    let directory = try DirectoryTree(file, followsLinks: followsLinks(dataset))
    return try tree(in: directory, inner, path, of: dataset)
  }

  /// The files of a dataset whose source is a folder or file, or a path in that if it is an archive.
  private static func tree(
    in directory: some KeyedTree, _ inner: String, _ path: String, of dataset: DatasetRecord
  ) throws -> any SourceTree {
    if let archive = try archive(directory, of: dataset) {
      let images = images(in: archive, directory, of: dataset)
      return inner.isEmpty ? images : SubtreeView(images, folder: inner)
    }
    guard inner.isEmpty else { throw SourceError.missing(path: path) }
    if dataset.format.isParquet {
      return ParquetTree(directory) { try ArchiveCache.embeddedImages(directory, $0) }
    }
    if dataset.format.embedsImages {
      return TFRecordTree(directory) { try ArchiveCache.embeddedImages(directory, $0) }
    }
    guard !directory.isSingleFile, dataset.format == .webDataset else { return directory }
    return ShardTree(directory, open: { try ArchiveCache.archive(directory, $0) })
  }

  /// Fetches images that are about to be read, several at a time; nothing for a local source.
  ///
  /// - Throws: `RemoteError` if the server cannot be read; ``Interrupted``.
  static func prefetch(_ locations: [String], of dataset: DatasetRecord) throws {
    guard locations.count > 1, RemoteAddress.isAddress(dataset.root),
      let remote = try tree(of: dataset) as? RemoteTree
    else { return }
    try remote.prefetch(locations)
  }

  /// The archive that a dataset is in; `nil` if its source is a folder or another file.
  private static func archive(
    _ file: some KeyedTree, of dataset: DatasetRecord
  ) throws -> ArchiveTree? {
    guard file.isSingleFile else { return nil }
    // No archive is called so, and the beginning of the file need not be read for each image.
    if dataset.format.embedsImages,
      ParquetFile.isNamed(file.name) || TFRecordFile.isNamed(file.name)
    {
      return nil
    }
    return try ArchiveCache.archive(file, file.name)
  }

  /// The images of a dataset in an archive, also those in files of the archive.
  private static func images(
    in archive: ArchiveTree, _ file: some KeyedTree, of dataset: DatasetRecord
  ) -> any SourceTree {
    if dataset.format.isParquet {
      return ParquetTree(archive) { try ArchiveCache.embeddedImages(in: archive, of: file, $0) }
    }
    if dataset.format.embedsImages {
      return TFRecordTree(archive) { try ArchiveCache.embeddedImages(in: archive, of: file, $0) }
    }
    guard dataset.format == .webDataset else { return archive }
    return ShardTree(archive, open: { try ArchiveCache.shard(in: archive, of: file, $0) })
  }

  /// The absolute path of the folder that the samples' locations are relative to, or of the archive.
  static func folder(of dataset: DatasetRecord) -> String {
    guard !RemoteAddress.isAddress(dataset.root) else { return dataset.root }
    if dataset.format.embedsImages {
      guard let source = try? DirectoryTree(dataset.root),
        (try? archive(source, of: dataset)) == nil
      else { return dataset.root }
      return source.root
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
    while stat(path, &status) != 0, errno == ENOTDIR, path.utf8.count > 1 {
      path = path.parentFolder
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
