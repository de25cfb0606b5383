/// The folders of the files of a list.
enum PathFolders {
  /// The folders that directly contain files, each once, in the order of their first files; empty for the
  /// root.
  static func all(of paths: some Sequence<String>) -> [Substring] {
    var found: [Substring] = []
    var seen: Set<Substring> = []
    var last: Substring?
    for path in paths {
      // Files of a folder follow each other in a sorted list.
      if let last, path.isDirectly(in: last) { continue }
      let folder = path.folderPath
      last = folder
      guard seen.insert(folder).inserted else { continue }
      found.append(folder)
    }
    return found
  }
}
