import AssayCore

/// The choice among several folders that have images with the names in a JSON file.
struct COCOFolderChoice {
  /// The split of the file; `nil` if nothing indicates one.
  private let split: String?
  /// The folder that contains the file, or the one above if that only contains annotations.
  private let home: [Substring]
  /// The folders beside which the images are by convention.
  private let levels: Set<String>
  private let folders: COCOSplitFolders
  private let listed: Set<String>

  /// The outcome of a choice.
  enum Outcome: Equatable {
    case folder(String)
    /// Nothing decides between these folders.
    case several([String])
  }

  /// - Parameters:
  ///   - folders: the folders below the images' root.
  ///   - listed: all files below the images' root.
  ///   - isApart: whether the images are in a different folder than the JSON files.
  init(
    for part: COCOLayout.Part, in folders: COCOSplitFolders, listed: Set<String>, isApart: Bool
  ) {
    split = part.split
    self.folders = folders
    self.listed = listed
    let here = isApart ? [] : part.file.path.split(separator: "/").dropLast()
    let isLayout = here.last.map { COCOLayout.isLayoutFolder($0) } ?? false
    home = isLayout ? here.dropLast() : Array(here)
    levels = Set(
      COCOLayout.levels(above: here.map(String.init), split: part.split).map {
        $0.joined(separator: "/")
      })
  }

  /// Chooses again where the usual folder does not have the split's name: among the usual folders whose
  /// names mean the split (`images/valid` for `val.json`). `nil` if these have fewer of the images.
  func folderOfSplit(_ names: [String], instead usual: (folder: String, count: Int)) -> Outcome? {
    guard let split, usual.count == 0 || rank(usual.folder) < 2 else { return nil }
    var counts: [String: Int] = [:]
    for folder in folders.called(split) where isUsual(folder) {
      let count = names.count { listed.contains(SortedFiles.join(folder, $0)) }
      if count > 0, count >= usual.count { counts[folder] = count }
    }
    return counts.isEmpty ? nil : choose(names, counts)
  }

  /// Returns whether a folder that is called like the split is where COCO's layouts have it.
  private func isUsual(_ folder: String) -> Bool {
    var parts = folder.split(separator: "/")
    func isImages(_ name: Substring?) -> Bool {
      name.map { COCOSplitFolders.imageFolders.contains($0.lowercased()) } ?? false
    }
    if isImages(parts.last) { parts.removeLast() }
    _ = parts.popLast()
    let above = parts.joined(separator: "/")
    return levels.contains(above)
      || isImages(parts.last) && levels.contains(parts.dropLast().joined(separator: "/"))
  }

  /// Chooses among all folders that have some of the images.
  ///
  /// - Parameters:
  ///   - names: some of the names in the file.
  ///   - counts: the number of these that each folder has; not empty.
  func choose(_ names: [String], _ counts: [String: Int]) -> Outcome {
    func most(_ folders: [String]) -> Int { folders.map { counts[$0] ?? 0 }.max() ?? 0 }
    var left = counts.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let images = left.filter { !Self.isOfMasks($0) }
    if !images.isEmpty { left = images }
    let own = left.filter { rank($0) == 2 }
    let neutral = left.filter { rank($0) == 1 }
    if !own.isEmpty {
      left = most(own) >= most(neutral) ? own : neutral
      let closest = left.map(spelling).min()
      left = left.filter { spelling($0) == closest }
    }
    let distance = left.map { shared($0) }.max() ?? 0
    let near = left.filter { shared($0) == distance }
    if most(near) == most(left) { left = near }
    let best = left.max { (counts[$0] ?? 0, $1) < (counts[$1] ?? 0, $0) } ?? ""
    let rivals = left.filter { $0 != best && isRival($0, of: best, names, counts) }
    return rivals.isEmpty
      ? .folder(best) : .several(left.filter { $0 == best || rivals.contains($0) })
  }

  /// Returns whether a folder may be meant in place of the one with the most images.
  private func isRival(
    _ folder: String, of best: String, _ names: [String], _ counts: [String: Int]
  ) -> Bool {
    let (count, most) = (counts[folder] ?? 0, counts[best] ?? 0)
    // Images of two other splits say nothing about those of this one.
    let areOthers = rank(folder) == 0 && rank(best) == 0
    guard areOthers || (2 * count > most && (most < names.count || count >= names.count)) else {
      return false
    }
    return names.contains { name in
      [folder, best].allSatisfy { listed.contains(SortedFiles.join($0, name)) }
    }
  }

  /// 2 for a folder of the split, 0 for one of another split, 1 for others.
  private func rank(_ folder: String) -> Int {
    guard let split else { return 1 }
    let own = COCOSplitFolders.canonical(split)
    for name in folder.split(separator: "/").reversed() {
      if COCOSplitFolders.canonical(name) == own { return 2 }
      if COCOSplitFolders.known(name) != nil { return 0 }
    }
    return 1
  }

  /// 0 for a folder whose path has the split's name, 1 in another case, 2 in another spelling.
  private func spelling(_ folder: String) -> Int {
    guard let split else { return 2 }
    let parts = folder.split(separator: "/")
    if parts.contains(where: { $0 == split }) { return 0 }
    return parts.contains { $0.lowercased() == split.lowercased() } ? 1 : 2
  }

  /// The number of folders above a folder that are above the JSON file, too.
  private func shared(_ folder: String) -> Int {
    zip(home, folder.split(separator: "/")).prefix { $0 == $1 }.count
  }

  private static func isOfMasks(_ folder: String) -> Bool {
    LayoutNames.isMask(folder + "/x")
      || folder.lowercased().split(whereSeparator: { !$0.isLetter }).contains {
        $0 == "masks" || $0 == "mask" || $0 == "panoptic"
      }
  }
}
