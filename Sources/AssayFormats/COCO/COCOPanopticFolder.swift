import AssayCore

/// The folder of the PNG files of a panoptic JSON file.
struct COCOPanopticFolder: Sendable {
  /// The tree that contains the files.
  let tree: any SourceTree
  /// The folder and all files of the tree.
  let folder: COCOImageFolder

  init(tree: any SourceTree, folder: COCOImageFolder) {
    self.tree = tree
    self.folder = folder
  }

  /// Finds the folder: one that is named like the JSON file (`panoptic_val2017/` beside
  /// `panoptic_val2017.json`, or anywhere else), else one whose name contains `panoptic`, or the JSON file's own; of several
  /// the one with the most of the files. `nil` if none of them has one of the files.
  ///
  /// - Parameters:
  ///   - names: some of the file names.
  ///   - path: the path of the JSON file.
  ///   - tree: the tree to look in.
  ///   - listed: all files of the tree.
  init?(
    for names: [String], of path: String, in tree: any SourceTree, listed: Set<String>
  ) {
    let stem = SortedFiles.stem(of: path).lowercased()
    let own = SortedFiles.folder(of: path)
    let beside = SortedFiles.join(own, SortedFiles.stem(of: path))
    var folders: Set<String> = []
    for file in listed where file.hasSuffix(".png") || file.hasSuffix(".PNG") {
      let folder = SortedFiles.folder(of: file)
      guard !folders.contains(String(folder)) else { continue }
      let name = folder.split(separator: "/").last?.lowercased() ?? ""
      if name == stem || name.contains("panoptic") || folder == own {
        folders.insert(String(folder))
      }
    }
    var best: (folder: String, rank: (Int, Int, Int, String))?
    for folder in folders {
      let count = names.count { listed.contains(SortedFiles.join(folder, $0)) }
      guard count > 0 else { continue }
      let isNamed = folder.split(separator: "/").last?.lowercased() == stem
      let rank = (isNamed ? 0 : 1, folder == beside ? 0 : 1, -count, folder)
      if best.map({ rank < $0.rank }) ?? true { best = (folder, rank) }
    }
    guard let best else { return nil }
    self.tree = tree
    folder = COCOImageFolder(folder: best.folder, listed: listed)
  }

  /// Finds the zip archive of a panoptic file (`panoptic_val2017.zip`), as COCO distributes it: the one beside
  /// the file, else the only one of this name. `nil` if there is none, or it has none of the files.
  ///
  /// - Throws: ``FormatError`` for several archives; ``ArchiveError`` for a damaged one; any error that the
  ///   tree throws.
  init?(for names: [String], of path: String, packedIn tree: any SourceTree) throws {
    let name = SortedFiles.stem(of: String(path.fileName)) + ".zip"
    let archives = try tree.files().filter { $0.path.fileName == name }
    let beside = SortedFiles.join(SortedFiles.folder(of: path), name)
    guard let archive = archives.first(where: { $0.path == beside }) ?? archives.first else {
      return nil
    }
    if archive.path != beside, archives.count > 1 {
      throw FormatError.notCOCO(
        path,
        problem:
          "its PNG files can be in \(archives[0].path) and in \(archives[1].path); remove one of "
          + "them")
    }
    let packed = try ArchiveTree(.zip, tree, archive)
    let listed = Set(try packed.files().map(\.path))
    if let found = Self(for: names, of: path, in: packed, listed: listed) {
      self = found
    } else if names.contains(where: listed.contains) {
      self.init(tree: packed, folder: COCOImageFolder(folder: "", listed: listed))
    } else {
      return nil
    }
  }
}
