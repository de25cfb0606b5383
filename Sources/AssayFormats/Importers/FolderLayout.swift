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
    let folders = paths.map { $0.split(separator: "/").dropLast().map(String.init) }
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
    let folders = path.split(separator: "/").dropLast()
    let split = hasSplits ? folders.first.map(String.init) : nil
    guard hasClasses else { return (split, nil) }
    let category = (hasSplits ? folders.dropFirst() : folders).first.map(String.init)
    return (split, category)
  }

  /// The class names of some images, sorted.
  func classes(of paths: [String]) -> [String] {
    Set(paths.compactMap { place(of: $0).category }).sorted()
  }

  /// The folders with images inside a class folder, sorted. A class whose images are all in one
  /// folder of a known layout (`cat/images/`) has none.
  func nested(_ paths: [String]) -> [String] {
    guard hasClasses else { return [] }
    let depth = hasSplits ? 2 : 1
    var inner: [Substring: Set<Substring>] = [:]
    var direct: Set<Substring> = []
    for path in paths {
      let ends = path.utf8.indices.filter { path.utf8[$0] == UInt8(ascii: "/") }
      guard ends.count >= depth, let last = ends.last else { continue }
      let outer = path[..<ends[depth - 1]]
      if ends.count == depth {
        direct.insert(outer)
      } else {
        inner[outer, default: []].insert(path[..<last])
      }
    }
    return inner.flatMap { outer, folders -> [String] in
      let name = folders.first.map { $0.dropFirst(outer.count + 1) } ?? ""
      let isPart =
        folders.count == 1 && !direct.contains(outer) && LayoutNames.areNoClasses([String(name)])
      return isPart ? [] : folders.map(String.init)
    }.sorted()
  }

  /// The class folder that contains a nested folder.
  func outer(ofNested folder: String) -> String {
    folder.split(separator: "/").prefix(hasSplits ? 2 : 1).joined(separator: "/")
  }

  /// Returns whether a folder's name is a split's, ignoring a trailing year (`val2017`).
  static func isSplit(_ name: String) -> Bool {
    var stem = name[...]
    while let last = stem.last, last.isNumber { stem.removeLast() }
    return SplitName.isKnown(name) || SplitName.isKnown(String(stem))
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(4).joined(separator: ", ") + (names.count > 4 ? ", … \(names.count) in all" : "")
  }
}
