/// The folders of the files of a list.
enum PathFolders {
  /// The folders that directly contain files, each once, in the order of their first files; empty for the
  /// root.
  static func all(of paths: some Sequence<String>) -> [Substring] {
    var found: [Substring] = []
    var seen: Set<Substring> = []
    for path in paths {
      // Files of a folder follow each other in a sorted list.
      let folder = path.folderPath
      guard folder != found.last, seen.insert(folder).inserted else { continue }
      found.append(folder)
    }
    return found
  }
}
