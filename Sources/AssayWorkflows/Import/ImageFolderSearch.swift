import AssayCore
import AssayFormats
import Foundation

/// The folder of the images of a source that lists them.
enum ImageFolderSearch {
  /// The folder that was asked for; else for a CSV of images its own folder, and for a JSON alone the folder
  /// beside it that custom would give its images; `nil` where the source itself is the place.
  ///
  /// - Throws: ``SourceError``; ``ImportError/imagesAreNoFolder(_:)``; `FormatError` where the format
  ///   has no use for it.
  static func find(
    _ request: ImportRequest, _ tree: ListedTree, as format: DatasetFormat
  ) throws -> ListedTree? {
    if let path = request.images {
      guard format == .coco || format == .multiLabelCSV else {
        throw FormatError.unusedOption("--images", format: format)
      }
      let images = try DirectoryTree(path)
      guard !images.isSingleFile else { throw ImportError.imagesAreNoFolder(path) }
      return ListedTree(images)
    }
    if format == .multiLabelCSV, tree.isSingleFile {
      return ListedTree(try DirectoryTree(tree.tree.root))
    }
    guard format == .coco, tree.isSingleFile else { return nil }
    let names = try COCOImporter.someFileNames(of: tree.name, in: tree).filter {
      !$0.hasPrefix("/") && !$0.split(separator: "/").contains("..")
    }
    // If image names are known, the folder must contain one of these images; else the folder's own name is enough.
    let folders = beside(tree, byNames: !names.isEmpty).filter { folder in
      let paths = names.isEmpty ? [folder] : names.map { folder + "/" + $0 }
      return paths.contains { FileManager.default.fileExists(atPath: $0) }
    }
    return try folders.first.map { ListedTree(try DirectoryTree($0)) }
  }

  /// Folders where custom puts the images of a JSON, the likeliest first.
  ///
  /// - Parameter byNames: whether folders that are not called as the split is come into question.
  private static func beside(_ tree: ListedTree, byNames: Bool) -> [String] {
    let here = tree.tree.root
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
