import AssayCore

/// The folder of a file's images; turns `file_name` into a path below the images' root.
struct COCOImageFolder {
  /// The meaning of a `file_name`.
  enum Place: Equatable {
    /// A path below the root, and true if the file exists.
    case path(String, isThere: Bool)
    /// The same after a correction, with the problem.
    case repaired(String, isThere: Bool, String)
    /// A path outside the root.
    case outside
  }

  /// The folder that names are relative to; empty for the root.
  let folder: String
  /// All files below the root.
  private let listed: Set<String>
  /// Paths by their last component, built when an absolute name, or one that leaves the root, needs it.
  private let byName: [Substring: [String]]
  /// True if a name that leaves the root is the file that its end names.
  private let takesEnds: Bool
  /// The number of leading folders of names that do not exist and are left out: 2 for
  /// `images/v1/patch0/1.jpg` of Objects365, whose files are `patch0/1.jpg`.
  private(set) var dropped = 0
  /// The folders that have the same names if nothing decides between them. With a choice, no image is then found;
  /// without one, ``folder`` is the first of them.
  private(set) var candidates: [String] = []
  /// True if names that are in no folder together are looked up wherever they are: `part_1` and `part_2` of
  /// HAM10000 hold the images of one table.
  private var isSpread = false

  /// - Parameters:
  ///   - names: some of the file names; the folder that contains most of them is chosen.
  ///   - folders: the folders to try, most likely first.
  ///   - listed: all files below the root.
  ///   - choice: the choice among folders that have the same names; `nil` for the first.
  ///   - split: without a choice, the split whose folders come first; `nil` for none.
  ///   - takesEnds: true if a name that leaves the root is taken as the file that its end names, which the
  ///     caller reports.
  init(
    for names: [String], in folders: [String], listed: Set<String>,
    choosing choice: COCOFolderChoice? = nil, split: String? = nil, takesEnds: Bool = false
  ) {
    self.listed = listed
    self.takesEnds = takesEnds
    // If no file is found, names are kept unchanged, so that a later move of the images can find
    // them.
    var best = (folder: listed.isEmpty ? "" : folders.first ?? "", count: 0)
    for folder in folders {
      let count = names.count { listed.contains(Self.join(folder, $0)) }
      if count > best.count { best = (folder, count) }
    }
    switch choice?.folderOfSplit(names, instead: best) {
    case .folder(let folder): best = (folder, names.count)
    case .several(let folders): candidates = folders
    case nil: break
    }
    if !candidates.isEmpty {
      folder = ""
      byName = [:]
      return
    }
    let isAbsolute = names.contains { Self.isAbsolute($0) || takesEnds && $0.hasPrefix("..") }
    if (best.count == 0 || isAbsolute), !listed.isEmpty {
      byName = Dictionary(grouping: listed.sorted()) { path in
        path.split(separator: "/").last ?? path[...]
      }
    } else {
      byName = [:]
    }
    if best.count == 0, !listed.isEmpty {
      let (found, dropped) = Self.anywhere(names, byName, choice, split)
      isSpread = choice == nil && Self.areSpread(names, byName)
      switch isSpread ? nil : found {
      case .folder(let folder): (best.folder, self.dropped) = (folder, dropped)
      case .several(let folders):
        candidates = folders
        if choice == nil { (best.folder, self.dropped) = (folders[0], dropped) }
      case nil: break
      }
    }
    folder = best.folder
  }

  /// Returns whether names without folders are in several parts of a folder, each in one of them, and at least two of
  /// every three are found.
  private static func areSpread(_ names: [String], _ byName: [Substring: [String]]) -> Bool {
    var stems: [String: Set<String>] = [:]
    for name in Set(names) {
      guard !name.contains("/") else { return false }
      let stem = PairPath.isImageName(name) ? PairPath.stem(of: name) : name
      for one in [name] + ImageName.candidates(name) {
        stems[stem, default: []].formUnion(byName[one[...]] ?? [])
      }
    }
    let found = stems.values.filter { !$0.isEmpty }
    let folders = Set(found.joined().map(\.folderPath))
    return found.allSatisfy { $0.count == 1 } && 3 * found.count >= 2 * stems.count
      && areParts(folders)
  }

  /// Returns whether folders are the parts of one, by their names: they differ in numbers alone and say that they are
  /// parts or images. Others can be classes.
  private static func areParts(_ folders: Set<Substring>) -> Bool {
    let names = Set(folders.map { $0.lowercased().filter { !$0.isNumber } })
    return folders.count > 1 && names.count == 1
      && ["part", "image", "img", "batch", "chunk"].contains { names.first?.contains($0) ?? false }
  }

  /// The folder that holds names, wherever it is, and the number of leading folders of names that are left
  /// out; `nil` if no name is found.
  private static func anywhere(
    _ names: [String], _ byName: [Substring: [String]], _ choice: COCOFolderChoice?,
    _ split: String?
  ) -> (COCOFolderChoice.Outcome?, dropped: Int) {
    for count in 0...4 {
      // At least one folder remains, so that equal names in other folders are not taken.
      let tails = count == 0 ? names : names.compactMap { tail(of: $0, without: count) }
      let counts = counts(holding: tails, byName)
      guard !counts.isEmpty else {
        if tails.isEmpty { break }
        continue
      }
      if let choice { return (choice.choose(tails, counts), count) }
      let best = most(counts, split)
      return (best.count == 1 ? .folder(best[0]) : .several(best), count)
    }
    return (nil, 0)
  }

  /// The folders with the most names, by their path; those of a split alone if there are any.
  private static func most(_ counts: [String: Int], _ split: String?) -> [String] {
    let most = counts.values.max()
    let best = counts.filter { $0.value == most }.keys.sorted()
    guard let split else { return best }
    let name = COCOSplitFolders.canonical(split)
    let own = best.filter { folder in
      FolderTables.split(ofFolder: folder).map { COCOSplitFolders.canonical($0) } == name
    }
    return own.isEmpty ? best : own
  }

  /// A folder that is known; `listed` are all files below the root.
  init(folder: String, listed: Set<String>) {
    self.folder = folder
    self.listed = listed
    takesEnds = false
    byName = [:]
  }

  /// A relative name without its first folders; `nil` if no folder would remain.
  private static func tail(of name: String, without count: Int) -> String? {
    let parts = name.split(separator: "/")
    guard !isAbsolute(name), parts.count >= count + 2, !parts.contains("..") else { return nil }
    return parts.dropFirst(count).joined(separator: "/")
  }

  /// The number of names that are found below each folder; only folders with some of them.
  private static func counts(
    holding names: [String], _ byName: [Substring: [String]]
  ) -> [String: Int] {
    var counts: [String: Int] = [:]
    for name in names where !isAbsolute(name) {
      for path in byName[name.split(separator: "/").last ?? name[...]] ?? [] {
        if path == name { counts["", default: 0] += 1 }
        if path.hasSuffix("/" + name) {
          counts[String(path.dropLast(name.count + 1)), default: 0] += 1
        }
      }
    }
    return counts
  }

  /// The location of a `file_name`. Components are compared, never text prefixes.
  func place(of name: String) -> Place {
    guard !name.utf8.contains(0) else { return .outside }
    let plain = Self.join(folder, name)
    if listed.contains(plain), !name.contains("..") { return .path(plain, isThere: true) }
    if Self.isAbsolute(name) {
      return place(ofTail: name).map { .repaired($0, isThere: true, "is an absolute path") }
        ?? .outside
    }
    if isSpread, let found = byName[name[...]], found.count == 1 {
      return .path(found[0], isThere: true)
    }
    if dropped > 0, let tail = Self.tail(of: name, without: dropped) {
      let path = Self.join(folder, tail)
      if listed.contains(path) { return .path(path, isThere: true) }
    }
    guard let path = Self.normalized(folder, name, separators: ["/"]) else {
      return placeOfEnd(of: name)
    }
    let isThere = listed.contains(path)
    if !isThere, name.contains("\\") {
      guard let other = Self.normalized(folder, name, separators: ["/", "\\"]) else {
        return placeOfEnd(of: name)
      }
      if listed.isEmpty || listed.contains(other) {
        return .repaired(
          other, isThere: listed.contains(other), "uses backslashes instead of slashes")
      }
    }
    return .path(path, isThere: isThere)
  }

  /// The meaning of a name that leaves the root.
  private func placeOfEnd(of name: String) -> Place {
    guard takesEnds, let path = place(ofTail: name) else { return .outside }
    return .repaired(path, isThere: true, "leaves the folder")
  }

  /// The file that an absolute name, or one that leaves the root, probably means: the one of its longest end that
  /// is there, else the only one with its last component; `nil` for none. Nothing outside of the root is looked at.
  private func place(ofTail name: String) -> String? {
    let parts = name.split { $0 == "/" || $0 == "\\" }
    for start in parts.indices where parts[start] != ".." && parts[start] != "." {
      let tail = parts[start...].joined(separator: "/")
      if let path = [Self.join(folder, tail), tail].first(where: listed.contains) { return path }
    }
    guard takesEnds, let last = parts.last, let found = byName[last], found.count == 1 else {
      return nil
    }
    return found[0]
  }

  /// A drive letter counts as absolute: names come from every system.
  private static func isAbsolute(_ name: String) -> Bool {
    if name.hasPrefix("/") || name.hasPrefix("\\") { return true }
    let start = Array(name.utf8.prefix(3))
    return start.count == 3 && start[1] == UInt8(ascii: ":")
      && (start[2] == UInt8(ascii: "\\") || start[2] == UInt8(ascii: "/"))
  }

  /// The path without `.` and `..`; `nil` if it leaves the root or is empty.
  private static func normalized(
    _ folder: String, _ name: String, separators: Set<Character>
  ) -> String? {
    var parts = folder.split(separator: "/").map(String.init)
    let before = parts.count
    for part in name.split(whereSeparator: separators.contains) {
      switch part {
      case ".": continue
      case "..":
        guard !parts.isEmpty else { return nil }
        parts.removeLast()
      default: parts.append(String(part))
      }
    }
    guard !parts.isEmpty, before == 0 || parts.count > 0, !name.isEmpty else { return nil }
    return parts.joined(separator: "/")
  }

  private static func join(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder + "/" + name
  }
}
