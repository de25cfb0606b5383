/// The names of class folders.
enum ClassFolderNames {
  /// A folder for each class: safe for every file system, different in more than case, and not called like a
  /// part of another layout (`images`, `labels`); nor are all of them called like splits.
  static func of(_ classes: [String]) -> [String] {
    var names = classes.map(SafeFileName.of).map {
      LayoutNames.isLayoutFolder($0) ? $0 + ending : $0
    }
    if LayoutNames.areNoClasses(names) || names.allSatisfy(FolderLayout.isSplit) {
      names = names.map { $0 + ending }
    }
    var distinct = DistinctNames(ignoresCase: true)
    return names.map { distinct.add($0) }
  }

  private static let ending = "-class"
}
