/// The folders of the datasets that annotation files belong to, relative to the source's root;
/// empty for the root itself.
struct DatasetRoots {
  /// By a file's folder.
  private var roots: [Substring: String] = [:]

  private static let markers: Set<String> = [
    "annotations", "imagesets", "jpegimages", "labels", "gtfine", "leftimg8bit", "images",
    "segmentationclass", "segmentationobject", "masks", "obj_train_data", "label_2", "image_2",
    "trainannot", "valannot", "testannot",
  ]

  /// - Parameters:
  ///   - own: the paths of annotation files that an importer reads: each belongs to a dataset.
  ///   - others: the paths of other files: a file belongs to a dataset if a folder above it has a
  ///     name that is typical of dataset parts, or if it lies beside the folders of datasets.
  init(own: [String], others: [String]) {
    for path in others {
      let folder = Self.folder(of: path)
      if roots[folder] == nil, let root = Self.root(of: folder) { roots[folder] = root }
    }
    for path in own {
      let folder = Self.folder(of: path)
      guard roots[folder] == nil else { continue }
      roots[folder] =
        Self.root(of: folder)
        ?? Self.withoutSplits(folder.split(separator: "/").map(String.init))
    }
    // Beside datasets in folders, a folder with annotations of its own is another one: `coco/`, `voc/1.xml`.
    let ownRoots = Set(own.compactMap { roots[Self.folder(of: $0)] })
    if !ownRoots.isEmpty, !ownRoots.contains("") {
      for path in others {
        let folder = Self.folder(of: path)
        guard roots[folder] == nil,
          !ownRoots.contains(where: { (folder + "/").hasPrefix($0 + "/") })
        else { continue }
        let root = Self.withoutSplits(folder.split(separator: "/").map(String.init))
        if !root.isEmpty { roots[folder] = root }
      }
    }
    // `annotations/classes.txt` belongs to the dataset `annotations` if that is a dataset
    // (`annotations/images/`), not to the folder above.
    let known = Set(roots.values)
    for (folder, root) in roots {
      var parts = folder.split(separator: "/")
      while parts.count > 0 {
        let path = parts.joined(separator: "/")
        if path.utf8.count <= root.utf8.count { break }
        if known.contains(path) {
          roots[folder] = path
          break
        }
        parts.removeLast()
      }
    }
  }

  /// The folder of a file's dataset; `nil` if it belongs to none.
  subscript(path: String) -> String? { roots[Self.folder(of: path)] }

  private static func folder(of path: String) -> Substring {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
  }

  /// The folder above the last one with a name typical of dataset parts, ignoring splits; `nil` if
  /// no folder has such a name.
  static func root(of folder: Substring) -> String? {
    var folders = folder.split(separator: "/").map(String.init)
    guard let last = folders.lastIndex(where: { markers.contains($0.lowercased()) }) else {
      return nil
    }
    folders.removeSubrange(last...)
    return withoutSplits(folders)
  }

  /// A path without the splits at its end.
  static func withoutSplits(_ folders: [String]) -> String {
    var folders = folders
    while let name = folders.last, FolderLayout.isSplit(name) { folders.removeLast() }
    return folders.joined(separator: "/")
  }
}
