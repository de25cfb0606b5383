import AssayCore

/// Finds the images of a folder that are masks of other images in it.
enum MaskImages {
  /// The paths of the masks: files in mask folders, files that pair with an image by name, and the
  /// files of the mask folder beside the images. Empty if no other image would remain.
  /// - Parameters:
  ///   - files: the images.
  ///   - folders: two folders of images and their masks that would be read as classes; `nil` if
  ///     there are none.
  static func find(
    _ files: [SourceFile], _ folders: MaskFolders?, _ layout: FolderLayout, in tree: any SourceTree
  ) -> Set<String> {
    var masks = Set(files.lazy.map(\.path).filter(LayoutNames.isMask))
    if let folders {
      for file in files where layout.place(of: file.path).category == folders.masks {
        masks.insert(file.path)
      }
    }
    let paths = files.map(\.path)
    masks.formUnion(MaskTwins.pairs(paths, in: tree)?.pairs.map(\.mask) ?? [])
    masks.formUnion(paths.filter(LayoutNames.isBrush))
    // `lung masks`, `instances` and `panoptic` beside `images`, perhaps in a folder of a version.
    let all = PathFolders.all(of: paths)
    let known = Set(all)
    for folder in all {
      let name = folder.split(separator: "/").last?.lowercased() ?? ""
      guard
        ["instances", "panoptic"].contains(name) || name.hasSuffix(" masks")
          || name.hasSuffix("_masks")
      else { continue }
      let above = folder.folderPath
      guard
        [above, above.folderPath].contains(where: {
          known.contains($0.isEmpty ? "images" : $0 + "/images")
        })
      else { continue }
      masks.formUnion(paths.filter { $0.isDirectly(in: String(folder)[...]) })
    }
    let pairs = MaskPairing(files).pairs
    if IndexMaskPlan.isPlausible(pairs, in: tree) { masks.formUnion(pairs.map(\.mask.path)) }
    return masks.count < files.count ? masks : []
  }
}
