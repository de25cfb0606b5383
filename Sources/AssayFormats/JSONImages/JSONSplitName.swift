/// The split in the name of a file: `annotations_train.json`.
enum JSONSplitName {
  /// The whole name, or its last or first word; `nil` if none of them is a split.
  ///
  /// - Parameter stem: the name without its suffix.
  static func split(ofName stem: Substring) -> String? {
    let words = stem.split { "_-. ".contains($0) }.map(String.init)
    guard let first = words.first, let last = words.last else { return nil }
    return [String(stem), last, first].first(where: FolderLayout.isSplit)
  }
}
