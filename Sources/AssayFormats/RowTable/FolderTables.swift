import AssayCore

/// Rules for tables in a folder that each describe the images beside them.
enum FolderTables {
  /// The number of tables that are opened to find those of a dataset.
  static let opened = 64

  /// The split that the path of a table's folder states; `nil` for none.
  static func split(ofFolder folder: String) -> String? {
    folder.split(separator: "/").map(String.init).last(where: FolderLayout.isSplit)
  }

  /// The split that a table's name states, as `train.csv` and `labels_val.csv` do; `nil` for none.
  static func split(ofTable path: String) -> String? {
    let words = path.fileName.split { "_-. ".contains($0) }.dropLast().map(String.init)
    let splits = words.filter(FolderLayout.isSplit)
    return splits.count == 1 ? splits[0] : nil
  }

  /// The folder of a table's images: the one that holds most of their names; of those that hold as many, the one
  /// of the split that the table's name states.
  ///
  /// - Parameters:
  ///   - names: the names of the first images.
  ///   - listed: all files among which the images are.
  static func images(
    ofTable path: String, _ names: [String], listed: Set<String>
  ) -> COCOImageFolder {
    COCOImageFolder(for: names, in: [""], listed: listed, split: split(ofTable: path))
  }

  /// The reason why the images of a table are not known, one clause; `nil` if one folder holds the most.
  static func tie(_ images: COCOImageFolder) -> String? {
    guard !images.candidates.isEmpty else { return nil }
    let folders = images.candidates.map { $0.isEmpty ? "its own folder" : $0 + "/" }
    return
      "images of these names are in \(folders.prefix(4).joined(separator: " and in "))"
      + "\(folders.count > 4 ? " and elsewhere" : ""): name the folder with --images"
  }

  /// The reason why tables are no single dataset, one clause: one of two folders contains the other. `nil` if
  /// no image can be in two tables.
  ///
  /// - Parameters:
  ///   - tables: each table's path and its folder; empty for the root.
  ///   - areOfSplits: whether two tables whose names state different splits are parts of one dataset.
  static func overlap(
    _ tables: [(path: String, folder: String)], areOfSplits: Bool = false
  ) -> String? {
    for (place, table) in tables.enumerated() {
      for other in tables[(place + 1)...] {
        if areOfSplits, let one = split(ofTable: table.path),
          let two = split(ofTable: other.path), !SplitName.match(one, two)
        {
          continue
        }
        let (a, b) = (table.folder, other.folder)
        if a.isEmpty || b.isEmpty || a == b || b.hasPrefix(a + "/") || a.hasPrefix(b + "/") {
          return "\(table.path) and \(other.path) can describe the same images: import one of them"
        }
      }
    }
    return nil
  }
}
