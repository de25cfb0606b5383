import AssayCore

/// The data file that describes a source, chosen among all that it contains.
struct YOLODataFiles {
  /// The chosen file; `nil` if there is none, or several that contradict each other.
  private(set) var chosen: YOLODataFile?
  /// The reason why none can be chosen.
  private(set) var conflict: String?
  private(set) var notes: [String] = []

  /// The meaning of a data file: two files with the same one are interchangeable.
  private struct Meaning: Hashable {
    var names: [Int: String]?
    var classCount: Int?
    var keypoints: YOLOKeypointShape?
    var keypointNames: YOLOKeypointNames?
    var targets: [String: [YOLOPathFinder.Target?]]
  }

  init(_ inventory: YOLOInventory) {
    let files = inventory.dataFiles
    let described = files.filter { !$0.entries.isEmpty }
    let candidates = described.isEmpty ? files : described
    guard let first = candidates.first else { return }
    let meanings = candidates.map { Self.meaning($0, inventory) }
    let others = candidates.dropFirst().map(\.path)
    if meanings.dropFirst().contains(where: { $0 != meanings[0] }) {
      conflict =
        "it has data files that differ in their classes, keypoints or splits "
        + "(\(candidates.prefix(4).map(\.path).joined(separator: ", "))"
        + "\(candidates.count > 4 ? ", …" : "")); keep one of them"
      return
    }
    chosen = first
    if !others.isEmpty {
      notes.append("\(first.path) is used; \(Self.list(others)) means the same")
    }
  }

  private static func list(_ paths: [String]) -> String {
    paths.prefix(3).joined(separator: ", ") + (paths.count > 3 ? ", …" : "")
  }

  private static func meaning(_ file: YOLODataFile, _ inventory: YOLOInventory) -> Meaning {
    let finder = YOLOPathFinder(inventory.files)
    let bases = bases(of: file, inventory.files).folders
    var targets: [String: [YOLOPathFinder.Target?]] = [:]
    for entry in file.entries {
      targets[entry.split, default: []].append(finder.find(entry.path, bases: bases)?.target)
    }
    let names =
      file.names
      ?? Self.namesFile(of: file, inventory).flatMap { try? YOLONames.read($0, inventory) }
    return Meaning(
      names: names, classCount: file.classCount, keypoints: file.keypoints,
      keypointNames: file.keypointNames, targets: targets)
  }

  /// The index of the list of class names that a data file names; `nil` if there is none.
  static func namesFile(of file: YOLODataFile, _ inventory: YOLOInventory) -> Int? {
    guard let path = file.namesPath else { return nil }
    let bases = bases(of: file, inventory.files).folders
    guard case .file(let index) = YOLOPathFinder(inventory.files).find(path, bases: bases)?.target
    else { return nil }
    return index
  }

  /// The folders that the paths of a data file can be relative to, most likely first: its `path`,
  /// its own folder, and the folders above it.
  ///
  /// - Returns: the folders, and a note if `path` is not used as it is.
  static func bases(
    of file: YOLODataFile, _ files: SortedFiles
  ) -> (folders: [String], note: String?) {
    var above: [String] = []
    var folder = file.folder
    while !folder.isEmpty {
      above.append(folder)
      folder = String(SortedFiles.folder(of: folder))
    }
    above.append("")
    guard let root = file.root else { return (above, nil) }
    let match = YOLOPathFinder(files).find(root, bases: above)
    guard let match, case .folder(let found) = match.target else {
      return (above, "the path of \(file.path) (\(root)) is not in the folder and is ignored")
    }
    let note =
      match.isTail
      ? "the path of \(file.path) (\(root)) is taken as \(found.isEmpty ? "." : found)" : nil
    return ([found] + above.filter { $0 != found }, note)
  }
}
