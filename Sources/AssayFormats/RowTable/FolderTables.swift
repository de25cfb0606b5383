import AssayCore

/// Rules for tables in a folder that each describe the images beside them.
enum FolderTables {
  /// The number of tables that are opened to find those of a dataset.
  static let opened = 64

  /// The split that the path of a table's folder states; `nil` for none.
  static func split(ofFolder folder: String) -> String? {
    folder.split(separator: "/").map(String.init).last(where: FolderLayout.isSplit)
  }

  /// The reason why tables are no single dataset, one clause: one of two folders contains the other. `nil` if
  /// no image can be in two tables.
  ///
  /// - Parameter tables: each table's path and its folder; empty for the root.
  static func overlap(_ tables: [(path: String, folder: String)]) -> String? {
    for (place, table) in tables.enumerated() {
      for other in tables[(place + 1)...] {
        let (a, b) = (table.folder, other.folder)
        if a.isEmpty || b.isEmpty || a == b || b.hasPrefix(a + "/") || a.hasPrefix(b + "/") {
          return "\(table.path) and \(other.path) can describe the same images: import one of them"
        }
      }
    }
    return nil
  }
}
