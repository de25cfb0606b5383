import AssayCore

/// The meaning of the folders above an image.
struct FolderLayout: Hashable, Sendable {
  /// The level of the folders that are splits.
  enum Splits: Hashable, Sendable {
    case none
    /// The first folder is a split, the second a class.
    case outer
    /// The first folder is a class, the second a split.
    case inner
  }

  private(set) var splits: Splits
  /// True if any image is in a class folder.
  var hasClasses: Bool
  /// First-level folders that are treated as splits although their names are not known split names.
  var oddSplits: [String] = []
  /// The reason for this interpretation, one clause.
  var reason: String
  /// The first folders that only contain a folder of the same name, which counts once (`test_set/test_set/cat`).
  private(set) var repeated: Set<String>
  /// The splits of first folders that are named by a word of the folder's name: `train` of `seg_train`.
  private var named: [String: String] = [:]

  /// Decides from the paths of the images.
  init(_ paths: [String]) {
    let all = PathFolders.all(of: paths).map { $0.split(separator: "/").map(String.init) }
    let repeated = Self.repeated(all)
    self.repeated = repeated
    let folders = all.map { Self.parts($0, without: repeated) }
    let first = Set(folders.compactMap(\.first)).sorted()
    let known = first.filter(Self.isSplit)
    let others = first.filter { !Self.isSplit($0) }
    let allDeep = folders.allSatisfy { $0.count >= 2 }
    splits = !known.isEmpty && (others.isEmpty || allDeep) ? .outer : .none
    if splits == .outer {
      oddSplits = others
      hasClasses = folders.contains { $0.count >= 2 }
      reason =
        "its first folders (\(Self.list(first))) are \(others.isEmpty ? "known splits" : "splits")"
        + (others.isEmpty ? "" : ": \(Self.list(known)) is one by name, and all hold folders")
        + (hasClasses ? ", the second ones classes" : ", and there are no folders of classes")
    } else if let named = Self.named(folders) {
      self.named = named
      splits = .outer
      hasClasses = true
      oddSplits = first.filter { named[$0] == nil }
      reason =
        "its first folders are splits by a word of their names ("
        + Self.list(first.map { name in named[name].map { "\(name): \($0)" } ?? name })
        + "), the second ones classes"
    } else if first.count > 1, folders.allSatisfy({ $0.count == 2 && Self.isSplit($0[1]) }) {
      splits = .inner
      hasClasses = true
      reason = "its first folders (\(Self.list(first))) are classes, the second ones known splits"
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
    let folders = parts(of: folder)
    let (first, second) = (folders.first, folders.dropFirst().first)
    let place: (split: String?, category: String?) =
      switch splits {
      case .none: (nil, first)
      case .outer: (first.map { named[$0] ?? $0 }, second)
      case .inner: (second, first)
      }
    return (place.split, hasClasses ? place.category : nil)
  }

  /// The folders of a path from the first one on, without those that repeat the first one's name.
  func parts(of folder: Substring) -> [String] {
    Self.parts(folder.split(separator: "/").map(String.init), without: repeated)
  }

  private static func parts(_ parts: [String], without repeated: Set<String>) -> [String] {
    guard let first = parts.first, repeated.contains(first) else { return parts }
    return Array(parts.dropFirst())
  }

  /// The first folders that only contain a folder of the same name.
  private static func repeated(_ folders: [[String]]) -> Set<String> {
    var (found, others): (Set<String>, Set<String>) = ([], [])
    for parts in folders {
      guard let first = parts.first else { continue }
      if parts.count > 1, parts[1] == first { found.insert(first) } else { others.insert(first) }
    }
    return found.subtracting(others)
  }

  /// Words of folders with images that have no labels, beside the splits.
  private static let unlabeled: Set<String> = ["unlabeled", "unlabelled", "pred", "unsup"]

  /// The splits of first folders that are named by a word of the folder's name, if they all hold only folders and are
  /// of different splits, and other folders are called as those of images without labels, which they directly hold;
  /// `nil` for other trees.
  private static func named(_ folders: [[String]]) -> [String: String]? {
    guard folders.allSatisfy({ !$0.isEmpty }) else { return nil }
    let (deep, direct) = depths(folders)
    var named: [String: String] = [:]
    for name in deep {
      let splits = Set(words(of: name).filter(SplitName.isKnown))
      guard splits.count == 1, let split = splits.first, !direct.contains(name),
        !named.values.contains(where: { SplitName.match($0, split) })
      else { return nil }
      named[name] = split
    }
    let areUnlabeled = direct.allSatisfy { !unlabeled.isDisjoint(with: words(of: $0)) }
    let isSure = named.count > 1 || !direct.isEmpty && deep.contains(where: isSplit)
    return areUnlabeled && isSure ? named : nil
  }

  /// The first folders that hold folders with images, and those that hold images themselves.
  private static func depths(_ folders: [[String]]) -> (deep: Set<String>, direct: Set<String>) {
    var (deep, direct): (Set<String>, Set<String>) = ([], [])
    for parts in folders {
      guard let first = parts.first else { continue }
      if parts.count > 1 { deep.insert(first) } else { direct.insert(first) }
    }
    return (deep, direct)
  }

  /// The words of a name, in lower case.
  private static func words(of name: String) -> [String] {
    name.lowercased().split { "_-. ".contains($0) }.map(String.init)
  }

  /// The class names of some images, sorted.
  func classes(of paths: [String]) -> [String] {
    Set(PathFolders.all(of: paths).compactMap { place(ofFolder: $0).category }).sorted()
  }

  /// The folders with images inside a class folder, sorted. A class whose images are all in one
  /// folder of a known layout (`cat/images/`) has none.
  func nested(_ paths: [String]) -> [String] {
    guard hasClasses else { return [] }
    var inner: [Substring: Set<Substring>] = [:]
    var direct: Set<Substring> = []
    for folder in PathFolders.all(of: paths) {
      let depth = depth(of: folder)
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
    guard hasClasses, splits == .none else { return [] }
    let (deep, direct) = Self.depths(PathFolders.all(of: paths).map(parts))
    return deep.subtracting(direct).filter(Self.namesSplit).sorted()
  }

  /// Folder names that occur inside of several class folders if no class folder holds an image itself:
  /// the classes may be these (Office-31's `amazon/images/bike`, `dslr/images/bike`). Sorted; empty if
  /// the first folders are classes beyond doubt.
  func namesInside(_ paths: [String]) -> [String] {
    guard hasClasses else { return [] }
    let depth = splits == .none ? 1 : 2
    var outer: [String: Set<String>] = [:]
    for folder in PathFolders.all(of: paths) {
      let parts = parts(of: folder)
      guard parts.count != depth else { return [] }
      guard parts.count > depth, let last = parts.last else { continue }
      outer[last, default: []].insert(parts[depth - 1])
    }
    return outer.filter { $0.value.count > 1 && !LayoutNames.areNoClasses([$0.key]) }
      .keys.sorted()
  }

  /// The class folder that contains a nested folder.
  func outer(ofNested folder: String) -> String {
    folder.split(separator: "/").prefix(depth(of: folder[...])).joined(separator: "/")
  }

  /// The number of folders from the first to that of the class, those of repeated names included.
  func depth(of folder: Substring) -> Int {
    (splits == .none ? 1 : 2) + (repeated.contains(String(folder.prefix { $0 != "/" })) ? 1 : 0)
  }

  /// The folder in which exports put images without a split beside others.
  static let withoutSplit = "nosplit"

  /// Returns whether one of the words of a name is a split's: `cars_train`, `test_images`, `train-jpg`.
  static func namesSplit(_ name: String) -> Bool {
    words(of: name).contains(where: isSplit)
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
