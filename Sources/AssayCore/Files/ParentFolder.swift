extension String {
  /// The path of the folder that a path is in; empty for a name alone, `/` for `/` and its entries.
  ///
  /// Foundation's `deletingLastPathComponent` of `NSString` ends the program for a path of one character
  /// (Swift 6.3).
  package var parentFolder: String {
    var path = self[...]
    func dropSlashes() {
      while path.utf8.count > 1, path.last == "/" { path.removeLast() }
    }
    dropSlashes()
    guard path != "/", let slash = path.lastIndex(of: "/") else { return path == "/" ? "/" : "" }
    path = path[...slash]
    dropSlashes()
    return String(path)
  }
}
