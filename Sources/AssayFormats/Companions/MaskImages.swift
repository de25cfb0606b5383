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
    let pairs = MaskPairing(files).pairs
    if IndexMaskPlan.isPlausible(pairs, in: tree) { masks.formUnion(pairs.map(\.mask.path)) }
    return masks.count < files.count ? masks : []
  }
}
