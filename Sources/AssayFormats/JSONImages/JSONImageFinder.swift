import AssayCore

/// Finds the image that an annotation file names.
///
/// A name is looked for beside the JSON file, then in `images/` beside it, beside and in `images/`
/// beside the folder above, and at the root. Then its ever shorter trailing parts are looked for in
/// the same folders, so that absolute paths of other machines are found. At last the file name alone
/// counts, if only one file of the source has it. Nothing outside the source is looked at.
///
/// An image that is found by a part of its name, or in another folder, can be another image: such a
/// match is loose, and does not count if another entry names the same file.
struct JSONImageFinder {
  enum Match: Hashable {
    /// The index of the image; true if only a part of the name was used; and the key of a loose match,
    /// which is the same only for the same name in the same folder (0 for a match that is not loose).
    case found(Int, isPart: Bool, loose: UInt64)
    /// The path where the image should be.
    case absent(String)
    /// A name that leaves the source, or is empty.
    case outside
  }

  let files: SortedFiles
  /// True if the images are not in the tree of the JSON files.
  let isApart: Bool
  /// The indices of the files, sorted by their last component.
  private var byName: [Int32]?

  private static let nameLimit = 4096
  private static let imageFolders = ["images", "image", "imgs", "img", "JPEGImages", "Images"]

  init(_ files: SortedFiles, isApart: Bool) {
    self.files = files
    self.isApart = isApart
  }

  /// - Parameters:
  ///   - folder: the folder of the JSON file; empty for the root.
  ///   - folders: the folders that are looked at first; where the images are apart, also their
  ///     trailing parts.
  mutating func find(_ name: String, beside folder: Substring, _ folders: [String] = []) -> Match {
    guard !name.isEmpty, !name.utf8.contains(0), name.utf8.count <= Self.nameLimit else {
      return .outside
    }
    let here = isApart ? "" : folder
    let isPlain = !name.contains("..") && !Self.isAbsolute(name)
    if isPlain {
      for first in folders {
        for base in isApart ? Self.tails(of: first) : [first] {
          if let index = files.index(of: SortedFiles.join(base, name)) {
            return .found(index, isPart: false, loose: 0)
          }
        }
      }
    }
    if !name.contains("..") {
      let plain = SortedFiles.join(here, name)
      if let index = files.index(of: plain) {
        return .found(index, isPart: false, loose: 0)
      }
    }
    let parts = name.split { $0 == "/" || $0 == "\\" }.filter { $0 != "." }
    let isAbsolute = Self.isAbsolute(name)
    let normalized = isAbsolute ? nil : Self.normalized(here, parts)
    if let normalized, let index = files.index(of: normalized) {
      return .found(index, isPart: false, loose: 0)
    }
    let bases = Self.bases(of: here)
    let down = parts.filter { $0 != ".." }
    guard let last = down.last else { return .outside }
    let loose = Self.key(of: name, beside: isAbsolute ? "" : here)
    for start in down.indices {
      let tail = down[start...].joined(separator: "/")
      for base in bases {
        if let index = files.index(of: SortedFiles.join(base, tail)) {
          let isPart = isAbsolute || start > 0 || down.count < parts.count
          return .found(index, isPart: isPart, loose: isPart ? loose : 0)
        }
      }
    }
    if let index = only(String(last)) {
      return .found(index, isPart: down.count > 1 || isAbsolute, loose: loose)
    }
    if isPlain, !isApart, let first = folders.first {
      return .absent(SortedFiles.join(first, parts.joined(separator: "/")))
    }
    return normalized.map { .absent($0) } ?? .outside
  }

  /// A number for a name in a folder (FNV-1a), never 0.
  static func key(of name: String, beside folder: Substring) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in Array(folder.utf8) + [0] + Array(name.utf8) {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return max(1, hash)
  }

  /// A path and its ever shorter trailing parts.
  private static func tails(of path: String) -> [String] {
    let parts = path.split(separator: "/")
    return parts.indices.map { parts[$0...].joined(separator: "/") }
  }

  /// Returns whether a relative name leaves the source.
  static func leaves(_ name: String, from folder: Substring) -> Bool {
    let parts = name.split { $0 == "/" || $0 == "\\" }.filter { $0 != "." }
    return !isAbsolute(name) && parts.contains("..") && normalized(folder, parts) == nil
  }

  /// The folders in which names are looked for.
  private static func bases(of folder: Substring) -> [String] {
    let above = SortedFiles.folder(of: String(folder))
    let last = folder.split(separator: "/").last ?? ""
    var found = [String(folder)]
    found += imageFolders.map { SortedFiles.join(folder, $0) }
    if !folder.isEmpty {
      found.append(String(above))
      for name in imageFolders {
        found.append(SortedFiles.join(above, name))
        found.append(SortedFiles.join(SortedFiles.join(above, name), last))
        let top = SortedFiles.folder(of: String(above))
        if !above.isEmpty {
          found.append(SortedFiles.join(SortedFiles.join(top, name), last))
        }
      }
      found.append("")
    }
    return found
  }

  /// The only image with a file name; `nil` if none or several have it.
  private mutating func only(_ name: String) -> Int? {
    if byName == nil {
      byName = files.files.indices.filter { PairPath.isImageName(files[$0]) }.map { Int32($0) }
        .sorted {
          SortedFiles.precedes(Self.last(files[Int($0)]), Self.last(files[Int($1)]))
        }
    }
    guard let byName else { return nil }
    var (low, high) = (0, byName.count)
    while low < high {
      let middle = (low + high) / 2
      if SortedFiles.precedes(Self.last(files[Int(byName[middle])]), name) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < byName.count, Self.last(files[Int(byName[low])]) == name,
      low + 1 == byName.count || Self.last(files[Int(byName[low + 1])]) != name
    else { return nil }
    return Int(byName[low])
  }

  /// The last component of a path.
  static func last(_ path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) }
      ?? path
  }

  /// A drive letter counts as absolute: names come from every system.
  static func isAbsolute(_ name: String) -> Bool {
    if name.hasPrefix("/") || name.hasPrefix("\\") { return true }
    let start = Array(name.utf8.prefix(2))
    return start.count == 2 && start[1] == UInt8(ascii: ":")
      && ((0x41...0x5A).contains(start[0]) || (0x61...0x7A).contains(start[0]))
  }

  /// The path of a relative name; `nil` if it leaves the root.
  private static func normalized(_ folder: Substring, _ parts: [Substring]) -> String? {
    var path = folder.split(separator: "/")
    for part in parts {
      if part == ".." {
        guard !path.isEmpty else { return nil }
        path.removeLast()
      } else {
        path.append(part)
      }
    }
    return path.isEmpty || parts.isEmpty ? nil : path.joined(separator: "/")
  }
}
