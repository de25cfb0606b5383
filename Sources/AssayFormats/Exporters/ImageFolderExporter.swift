/// Arranges images in folders, `CLASS/NAME` or `SPLIT/CLASS/NAME`, as ``ImageFolderImporter`` reads
/// them.
///
/// Names are safe for every file system and differ in more than case. An image without a label is
/// placed beside the class folders.
package struct ImageFolderExporter: Sendable {
  /// An image to be placed.
  package struct Item: Hashable, Sendable {
    package var key: String
    /// The image's file; `nil` for pixels that are written as a PNG.
    package var location: String?
    package var split: String?
    /// The class's name; `nil` without a label.
    package var category: String?

    package init(key: String, location: String?, split: String?, category: String?) {
      self.key = key
      self.location = location
      self.split = split
      self.category = category
    }
  }

  /// The path of each image, in the order of the items.
  package let paths: [String]
  /// The folder of each split, and the folder of images without a split if others have one.
  package let splits: [String?: String]
  /// The classes whose folder has a different name, and that name.
  package private(set) var renamed: [(category: String, folder: String)] = []
  /// Notes about names that a reader of the folder would misread, one sentence each.
  package private(set) var notes: [String] = []

  package init(_ items: [Item]) {
    let classes = Set(items.compactMap(\.category)).sorted()
    let splits = Set(items.compactMap(\.split)).sorted()
    let classFolders = Dictionary(
      uniqueKeysWithValues: zip(classes, ClassFolderNames.of(classes)))
    var splitFolders = Self.folders(for: splits)
    if !splits.isEmpty, items.contains(where: { $0.split == nil }) {
      var name = FolderLayout.withoutSplit
      while splitFolders.values.contains(where: { $0.lowercased() == name }) { name += "_" }
      splitFolders[nil] = name
    }
    let digits = items.map { Int($0.key) == nil ? 0 : $0.key.utf8.count }.max() ?? 0
    var used: Set<String> = []
    var paths: [String] = []
    for item in items {
      let folder = [splitFolders[item.split], item.category.flatMap { classFolders[$0] }]
        .compactMap { $0.map { $0 + "/" } }.joined()
      paths.append(Self.path(of: item, in: folder, digits: digits, &used))
    }
    self.paths = paths
    self.splits = splitFolders
    renamed = classes.compactMap { name in
      classFolders[name].flatMap { $0 == name ? nil : (name, $0) }
    }
    let layout = FolderLayout(paths)
    let misread = zip(items, paths).count { item, path in
      let read = layout.place(of: path)
      return read.split != splitFolders[item.split]
        || read.category != item.category.flatMap { classFolders[$0] }
    }
    if misread > 0 {
      notes.append(
        "importing the folder again would give \(misread) of the images another split or class: "
          + layout.reason)
    }
    for split in splits where splitFolders[split] != split {
      notes.append("the folder of the split “\(split)” is named \(splitFolders[split] ?? "")")
    }
    if let name = splitFolders[nil] {
      notes.append("images without a split are in the folder \(name)")
    }
  }

  /// A distinct folder for each split.
  private static func folders(for names: [String]) -> [String?: String] {
    var distinct = DistinctNames(ignoresCase: true)
    var folders: [String?: String] = [:]
    for name in names { folders[name] = distinct.add(SafeFileName.of(name)) }
    return folders
  }

  private static func path(
    of item: Item, in folder: String, digits: Int, _ used: inout Set<String>
  ) -> String {
    let (stem, suffix) = name(of: item, digits: digits)
    let whole = item.key.split(separator: "/").joined(separator: "_")
    var candidate = folder + stem + suffix
    var number = 1
    while !used.insert(candidate.lowercased()).inserted {
      // First by adding the original folders, which is more informative than a number.
      let more =
        number == 1
        ? SafeFileName.of(Self.parts(of: whole).stem) : "\(stem)-\(number)"
      candidate = folder + more + suffix
      number += 1
    }
    return candidate
  }

  private static func name(of item: Item, digits: Int) -> (stem: String, suffix: String) {
    guard let location = item.location else {
      // In row order, because files are listed by name.
      guard let number = Int(item.key), number >= 0 else {
        return (SafeFileName.of(item.key), ".png")
      }
      let text = "\(number)"
      return (String(repeating: "0", count: max(0, digits - text.count)) + text, ".png")
    }
    let (stem, suffix) = parts(of: location.split(separator: "/").last.map(String.init) ?? location)
    return (SafeFileName.of(stem), suffix)
  }

  /// A file name's stem and its suffix with the dot; the suffix is empty if it is not an image's.
  private static func parts(of name: String) -> (stem: String, suffix: String) {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex, PairPath.isImageName(name)
    else { return (name, "") }
    return (String(name[..<dot]), name[dot...].lowercased())
  }
}
