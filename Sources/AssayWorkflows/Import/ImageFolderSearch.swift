import AssayCore
import AssayFormats
import Foundation

/// Finds the image folder of a source that lists images.
enum ImageFolderSearch {
  /// The requested folder; otherwise, for a CSV of images, the CSV's folder, and for a single JSON
  /// file, the folder next to it where its images are by convention; `nil` if the images are in the
  /// source itself.
  ///
  /// - Throws: ``SourceError``; ``ImportError/imagesAreNoFolder(_:)``; `FormatError` if the format
  ///   does not support a separate folder.
  static func find(
    _ request: ImportRequest, _ tree: ListedTree, as format: DatasetFormat
  ) throws -> ListedTree? {
    if let path = request.images {
      let isJSON = Importers.importer(for: format).readsJSON
      guard isJSON || format.isTableOfImages else {
        throw FormatError.unusedOption("--images", format: format)
      }
      let images = try DiskSource(path, followsLinks: request.followsLinks)
      guard !images.tree.isSingleFile else { throw ImportError.imagesAreNoFolder(path) }
      return ListedTree(images)
    }
    if format.isTableOfImages, tree.isSingleFile {
      return ListedTree(try tree.source.folder())
    }
    let importer = Importers.importer(for: format)
    if importer.readsJSON, tree.isSingleFile, tree.source.remote?.isSingleFile == true,
      tree.source.archive == nil
    {
      return try findRemote(tree, importer.someImageNames(in: tree))
    }
    guard importer.readsJSON, tree.isSingleFile, let here = tree.source.directory?.root else {
      return nil
    }
    let names = try importer.someImageNames(in: tree).filter {
      !$0.hasPrefix("/") && !$0.split(separator: "/").contains("..")
    }
    // If image names are known, the folder must contain one of these images; otherwise the folder
    // only has to exist.
    let folders = beside(tree, here, byNames: !names.isEmpty).filter { folder in
      let paths = names.isEmpty ? [folder] : names.map { folder + "/" + $0 }
      return paths.contains { FileManager.default.fileExists(atPath: $0) }
    }
    return try folders.first.map {
      ListedTree(try DiskSource($0, followsLinks: request.followsLinks))
    }
  }

  /// The folder of a JSON file on a server, or the one beside the file, that has one of the images; `nil` if none has.
  private static func findRemote(_ tree: ListedTree, _ names: [String]) throws -> ListedTree? {
    let folder = try tree.source.folder()
    guard let remote = folder.remote, !remote.isSingleFile else { return nil }
    let paths = Set(try remote.files().map(\.path))
    let splits = COCOImporter.split(ofFile: tree.name).map { ["\($0)/", "images/\($0)/"] } ?? []
    for start in splits + ["", "images/"]
    where names.contains(where: { paths.contains(start + $0) }) {
      return ListedTree(
        start.isEmpty
          ? folder
          : try DiskSource(
            remote.listing.address.text + (remote.listing.address.text.hasSuffix("/") ? "" : "/")
              + start))
    }
    return nil
  }

  /// The folders where the images of a JSON file are by convention, most likely first.
  ///
  /// - Parameter byNames: true to include folders that are not named after the split.
  private static func beside(
    _ tree: ListedTree, _ here: String, byNames: Bool
  ) -> [String] {
    let above = "/" + here.split(separator: "/").dropLast().joined(separator: "/")
    var found: [String] = []
    if let split = COCOImporter.split(ofFile: tree.name) {
      found += [
        "\(here)/\(split)", "\(here)/images/\(split)", "\(above)/images/\(split)",
        "\(above)/\(split)",
      ]
    }
    return byNames ? found + [here, "\(here)/images", "\(above)/images", above] : found
  }
}
