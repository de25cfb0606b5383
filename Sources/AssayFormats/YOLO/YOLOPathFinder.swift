import AssayCore

/// Finds files and folders of a source by paths that were written on another machine.
///
/// A path is tried below each base as it is, then without its leading `..`, then its ever shorter
/// trailing parts below each base. Components are compared, never text prefixes, and nothing
/// outside the source is found.
struct YOLOPathFinder {
  /// The meaning of a path.
  enum Target: Hashable {
    case file(Int)
    case folder(String)
  }

  /// The file or folder that a path means, and true if only a trailing part of the path was found.
  struct Match: Hashable {
    var target: Target
    var isTail: Bool
  }

  /// The maximum number of components of a path; of a longer one the last ones count.
  private static let depthLimit = 64

  private let files: SortedFiles
  /// The folders that the folder of a listed path can mean, most likely first, by folder.
  private var folders: [String: [String]] = [:]

  init(_ files: SortedFiles) { self.files = files }

  /// The target of an entry of a data file; `nil` if nothing is found.
  ///
  /// - Parameter bases: the folders that the path can be relative to, most likely first.
  func find(_ text: String, bases: [String]) -> Match? {
    for parts in Self.components(text) {
      if let match = find(parts, isAbsolute: Self.isAbsolute(text), bases) { return match }
    }
    return nil
  }

  private func find(_ parts: [String], isAbsolute: Bool, _ bases: [String]) -> Match? {
    if !isAbsolute {
      for base in bases {
        if let path = Self.normalized(base, parts), let target = target(path) {
          return Match(target: target, isTail: false)
        }
      }
    }
    // Roboflow's `../train/images` is relative to a folder beside the file.
    let lead = parts.prefix { $0 == ".." }.count
    for start in lead..<max(lead, parts.count) {
      let tail = Array(parts[start...])
      guard !tail.contains("..") else { continue }
      for base in bases {
        let path = ([base] + tail).filter { !$0.isEmpty }.joined(separator: "/")
        if let target = target(path) {
          return Match(target: target, isTail: isAbsolute || start > lead)
        }
      }
    }
    return nil
  }

  private func target(_ path: String) -> Target? {
    if !path.isEmpty, let index = files.index(of: path) { return .file(index) }
    return files.hasFolder(path) ? .folder(path) : nil
  }

  /// The index of the file that a line of a list names; `nil` if there is none.
  ///
  /// - Parameter bases: the same for each call.
  mutating func file(_ text: String, bases: [String]) -> Int? {
    for variant in Self.variants(text) {
      let name = variant.utf8.lastIndex(of: UInt8(ascii: "/")).map {
        variant[variant.utf8.index(after: $0)...]
      }
      for folder in candidates(variant, bases) {
        if let index = files.index(of: SortedFiles.join(folder, name ?? variant[...])) {
          return index
        }
      }
    }
    return nil
  }

  /// The path below the root where a file that does not exist would most likely be.
  mutating func likelyPath(_ text: String, bases: [String]) -> String {
    let variant = Self.variants(text).last ?? text
    let parts = variant.split(separator: "/").map(String.init).filter { $0 != "." && $0 != ".." }
    let name = parts.last ?? variant
    // A folder that has nothing but its place in common with the path is no better.
    if let folder = candidates(variant, bases).first,
      parts.count < 2 || folder.split(separator: "/").last == parts[parts.count - 2][...]
    {
      return SortedFiles.join(folder, name)
    }
    return parts.isEmpty ? text : parts.joined(separator: "/")
  }

  /// The existing folders that the folder of a path can mean.
  private mutating func candidates(_ text: String, _ bases: [String]) -> [String] {
    let folder = SortedFiles.folder(of: text)
    let key = String(folder)
    if let known = folders[key] { return known }
    var found: [String] = []
    let parts = Self.parts(of: folder)
    if !Self.isAbsolute(text) {
      found += bases.compactMap { Self.normalized($0, parts) }
    }
    for start in 0...parts.count {
      let tail = Array(parts[start...])
      guard !tail.contains("..") else { continue }
      found += bases.map { base in
        ([base] + tail).filter { !$0.isEmpty }.joined(separator: "/")
      }
    }
    var seen: Set<String> = []
    found = found.filter { seen.insert($0).inserted && files.hasFolder($0) }
    folders[key] = found
    return found
  }

  /// Forgets the folders, for other bases.
  mutating func reset() { folders.removeAll() }

  // MARK: Texts

  /// A drive letter counts as absolute: paths come from every system.
  private static func isAbsolute(_ text: String) -> Bool {
    if text.hasPrefix("/") || text.hasPrefix("\\") { return true }
    let start = Array(text.utf8.prefix(2))
    return start.count == 2 && start[1] == UInt8(ascii: ":")
  }

  /// The text, and the same with slashes for backslashes if it has any.
  private static func variants(_ text: String) -> [String] {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return [text] }
    return [text, String(text.map { $0 == "\\" ? "/" : $0 })]
  }

  private static func components(_ text: String) -> [[String]] {
    variants(text).map { parts(of: $0[...]) }
  }

  private static func parts(of path: Substring) -> [String] {
    path.split(separator: "/").suffix(depthLimit).map(String.init).filter { $0 != "." }
  }

  /// The path of some components below a base, without `..`; `nil` if it leaves the root.
  static func normalized(_ base: String, _ parts: [String]) -> String? {
    var path = base.split(separator: "/").map(String.init)
    for part in parts {
      if part == ".." {
        guard path.popLast() != nil else { return nil }
      } else {
        path.append(part)
      }
    }
    return path.joined(separator: "/")
  }
}
