/// The facts that the paths of a dataset's shards state: `data/train-00000-of-00002.parquet`.
enum ShardName {
  /// The folders that hold datasets of their own: those of the files without the folders of splits.
  static func configurations(_ paths: [String]) -> [String] {
    var found: Set<String> = []
    for path in paths {
      var folders = path.split(separator: "/").dropLast().map(String.init)
      while let last = folders.last, FolderLayout.isSplit(last) || last == "data" {
        folders.removeLast()
      }
      found.insert(folders.joined(separator: "/"))
    }
    return found.sorted()
  }

  /// The split that a file's path states: a folder, a word of its name, or its name before the numbers
  /// of the shard (`train-00000-of-00002`); `nil` for none.
  ///
  /// - Parameters:
  ///   - suffix: the end of the file's name, which is ignored.
  ///   - takesAny: whether any name before the numbers of a shard is a split.
  static func split(of path: String, suffix: String, takesAny: Bool = true) -> String? {
    let parts = path.split(separator: "/").map(String.init)
    if let folder = parts.dropLast().last(where: FolderLayout.isSplit) { return folder }
    guard let name = parts.last?.dropLast(suffix.count) else { return nil }
    var words = name.split(separator: "-").map(String.init)
    var isShard = false
    if let place = numbers(words) {
      // A hash can follow.
      words = Array(words[..<place])
      isShard = true
    }
    let stem = words.joined(separator: "-")
    let known = stem.split { "-_.".contains($0) }.map(String.init).filter(FolderLayout.isSplit)
    if let last = known.last { return last }
    return isShard && takesAny && !stem.isEmpty ? stem : nil
  }

  /// The place of a shard's numbers among the words of its name: `00000`, `of`, `00002`.
  static func numbers(_ words: [String]) -> Int? {
    func isNumber(_ word: String) -> Bool {
      !word.isEmpty && word.utf8.allSatisfy { 48...57 ~= $0 }
    }
    guard let of = words.lastIndex(of: "of"), of > 0, of + 1 < words.count, isNumber(words[of - 1]),
      isNumber(words[of + 1])
    else { return nil }
    return of - 1
  }
}
