import AssayCore

/// The meaning of the folders above an image.
struct FolderLayout: Hashable, Sendable {
  /// True if the first folder is a split, so that the second is the class.
  var hasSplits: Bool
  /// True if any image is in a class folder.
  var hasClasses: Bool
  /// First-level folders that are treated as splits although their names are not known split names.
  var oddSplits: [String] = []
  /// The reason for this interpretation, one clause.
  var reason: String

  /// Decides from the paths of the images.
  init(_ paths: [String]) {
    let folders = PathFolders.all(of: paths).map { $0.split(separator: "/").map(String.init) }
    let first = Set(folders.compactMap(\.first)).sorted()
    let known = first.filter(Self.isSplit)
    let others = first.filter { !Self.isSplit($0) }
    let allDeep = folders.allSatisfy { $0.count >= 2 }
    hasSplits = !known.isEmpty && (others.isEmpty || allDeep)
    if hasSplits {
      oddSplits = others
      hasClasses = folders.contains { $0.count >= 2 }
      reason =
        "its first folders (\(Self.list(first))) are \(others.isEmpty ? "known splits" : "splits")"
        + (others.isEmpty ? "" : ": \(Self.list(known)) is one by name, and all hold folders")
        + (hasClasses ? ", the second ones classes" : ", and there are no folders of classes")
    } else if first.isEmpty {
      hasClasses = false
      reason = "all images lie in one folder, so there are neither splits nor classes"
    } else {
      hasClasses = true
      reason =
        "its first folders (\(Self.list(first))) are classes"
        + (known.isEmpty
          ? "" : "; \(Self.list(known)) would be a split by name, but others hold images directly")
    }
  }

  /// The split and the class of an image; `nil` if it has none.
  func place(of path: String) -> (split: String?, category: String?) {
    place(ofFolder: path.folderPath)
  }

  /// The split and the class of the images that a folder directly contains; `nil` if it has none.
  func place(ofFolder folder: Substring) -> (split: String?, category: String?) {
    let folders = folder.split(separator: "/")
    let split = hasSplits ? folders.first.map(String.init) : nil
    guard hasClasses else { return (split, nil) }
    let category = (hasSplits ? folders.dropFirst() : folders[...]).first.map(String.init)
    return (split, category)
  }

  /// The class names of some images, sorted.
  func classes(of paths: [String]) -> [String] {
    Set(PathFolders.all(of: paths).compactMap { place(ofFolder: $0).category }).sorted()
  }

  /// The folders with images inside a class folder, sorted. A class whose images are all in one
  /// folder of a known layout (`cat/images/`) has none.
  func nested(_ paths: [String]) -> [String] {
    guard hasClasses else { return [] }
    let depth = hasSplits ? 2 : 1
    var inner: [Substring: Set<Substring>] = [:]
    var direct: Set<Substring> = []
    for folder in PathFolders.all(of: paths) {
      let ends =
        folder.utf8.indices.filter { folder.utf8[$0] == UInt8(ascii: "/") } + [folder.endIndex]
      guard !folder.isEmpty, ends.count >= depth else { continue }
      if ends.count == depth {
        direct.insert(folder)
      } else {
        inner[folder[..<ends[depth - 1]], default: []].insert(folder)
      }
    }
    return inner.flatMap { outer, folders -> [String] in
      let name = folders.first.map { $0.dropFirst(outer.count + 1) } ?? ""
      let isPart =
        folders.count == 1 && !direct.contains(outer) && LayoutNames.areNoClasses([String(name)])
      return isPart ? [] : folders.map(String.init)
    }.sorted()
  }

  /// The first folders that are called like splits and would be classes, although they only hold folders
  /// with images: `train` beside `unlabeled`, `training_set`. Sorted; empty if first folders are splits.
  func splitsAsClasses(_ paths: [String]) -> [String] {
    guard hasClasses, !hasSplits else { return [] }
    var deep: Set<String> = []
    var direct: Set<String> = []
    for folder in PathFolders.all(of: paths) {
      let parts = folder.split(separator: "/")
      guard let first = parts.first.map(String.init) else { continue }
      if parts.count > 1 { deep.insert(first) } else { direct.insert(first) }
    }
    return deep.subtracting(direct).filter { name in
      name.split { "_-. ".contains($0) }.contains { Self.isSplit(String($0)) }
    }.sorted()
  }

  /// Folder names that occur inside of several class folders if no class folder holds an image itself:
  /// the classes may be these (Office-31's `amazon/images/bike`, `dslr/images/bike`). Sorted; empty if
  /// the first folders are classes beyond doubt.
  func namesInside(_ paths: [String]) -> [String] {
    guard hasClasses else { return [] }
    let depth = hasSplits ? 2 : 1
    var outer: [Substring: Set<Substring>] = [:]
    for folder in PathFolders.all(of: paths) {
      let parts = folder.split(separator: "/")
      guard parts.count != depth else { return [] }
      guard parts.count > depth, let last = parts.last else { continue }
      outer[last, default: []].insert(parts[depth - 1])
    }
    return outer.filter { $0.value.count > 1 && !LayoutNames.areNoClasses([String($0.key)]) }
      .keys.map(String.init).sorted()
  }

  /// The class folder that contains a nested folder.
  func outer(ofNested folder: String) -> String {
    folder.split(separator: "/").prefix(hasSplits ? 2 : 1).joined(separator: "/")
  }

  /// The folder in which exports put images without a split beside others.
  static let withoutSplit = "nosplit"

  /// Returns whether one of the words of a name is a split's: `cars_train`, `test_images`, `train-jpg`.
  static func namesSplit(_ name: String) -> Bool {
    name.lowercased().split { "_-. ".contains($0) }.contains { isSplit(String($0)) }
  }

  /// Returns whether a folder's name is a split's, ignoring a trailing year (`val2017`).
  static func isSplit(_ name: String) -> Bool {
    if name == withoutSplit { return true }
    var stem = name[...]
    while let last = stem.last, last.isNumber { stem.removeLast() }
    return SplitName.isKnown(name) || SplitName.isKnown(String(stem))
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(4).joined(separator: ", ") + (names.count > 4 ? ", … \(names.count) in all" : "")
  }
}
