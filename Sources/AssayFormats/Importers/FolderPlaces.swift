/// The places of images one after the other: those of a folder are computed once.
struct FolderPlaces: Sendable {
  private let layout: FolderLayout
  private var folder: Substring?
  private var place: (split: String?, category: String?) = (nil, nil)

  init(_ layout: FolderLayout) { self.layout = layout }

  /// The split and the class of an image; `nil` if it has none.
  mutating func place(of path: String) -> (split: String?, category: String?) {
    if let folder, path.isDirectly(in: folder) { return place }
    let found = path.folderPath
    folder = found
    place = layout.place(ofFolder: found)
    return place
  }
}
