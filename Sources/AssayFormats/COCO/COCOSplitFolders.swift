import AssayCore

/// The folders below the images' root by the split that their names mean.
struct COCOSplitFolders {
  /// Folders that only contain the images of the folder above, in lower case.
  static let imageFolders: Set<String> = ["images", "image", "imgs", "img", "data", "jpegimages"]

  private var folders: [String: [String]] = [:]

  init() {}

  /// - Parameter paths: the paths of all files; those of a folder follow each other.
  init(_ paths: some Sequence<String>) {
    var seen: Set<Substring> = []
    for folder in PathFolders.all(of: paths) {
      var folder = folder
      while !folder.isEmpty, seen.insert(folder).inserted {
        let above = folder.folderPath
        var name = Self.name(folder)
        folders[Self.canonical(name), default: []].append(String(folder))
        if Self.imageFolders.contains(name.lowercased()), !above.isEmpty {
          name = Self.name(above)
          folders[Self.canonical(name), default: []].append(String(folder))
        }
        folder = above
      }
    }
  }

  /// The folders that are called like a split in any spelling, and the folders of images directly below
  /// them.
  func called(_ split: String) -> [String] { folders[Self.canonical(split)] ?? [] }

  /// The last component of a folder.
  private static func name(_ folder: Substring) -> Substring {
    folder.split(separator: "/").last ?? folder
  }

  /// The well-known split that a name means: `train` of `Train`, `train2017` and `train_images`; `nil` if
  /// it means none, or several.
  static func known(_ name: some StringProtocol) -> String? {
    var found: String?
    for word in name.lowercased().split(whereSeparator: { !$0.isLetter }) {
      guard let split = splits.first(where: { SplitName.match(String(word), $0) }) else { continue }
      guard found == nil || found == split else { return nil }
      found = split
    }
    return found
  }

  private static let splits = ["train", "validation", "test"]

  /// The well-known split that a name means, else the name in lower case.
  static func canonical(_ name: some StringProtocol) -> String { known(name) ?? name.lowercased() }
}
