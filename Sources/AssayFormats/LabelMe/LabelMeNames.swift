import AssayCore

/// The lists of classes of LabelMe's programs, `labels.txt`: one name per line, with `__ignore__` and
/// `_background_` first, which are no classes of objects.
///
/// Source: labelme's `labelme --labels labels.txt` and its examples `labelme2voc.py` and `labelme2coco.py`.
enum LabelMeNames {
  static let name = "labels.txt"
  private static let reserved: Set<String> = ["__ignore__", "_background_"]
  /// The maximum number of lists, and of names in each.
  private static let limit = (files: 64, names: 10_000)

  /// The paths of the lists in a source; empty if there are too many.
  ///
  /// - Throws: any error that the tree throws.
  static func files(in tree: any SourceTree) throws -> [String] {
    guard !tree.isSingleFile else { return [] }
    let found = try tree.files().map(\.path).filter { $0.fileName == name }
    return found.count <= limit.files ? found : []
  }

  /// The classes of a list, in its order.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)`` for text that is not UTF-8 and for too many names;
  ///   any error that the tree throws.
  static func read(_ tree: any SourceTree, _ path: String) throws -> [String] {
    var names: [String] = []
    var seen = reserved
    for (place, line) in try NameList.lines(tree, path).enumerated()
    where !line.isEmpty && seen.insert(line).inserted {
      guard names.count < limit.names, line.utf8.count <= LabelReader.nameLimit else {
        throw FormatError.table(
          path, line: place + 1,
          problem: names.count < limit.names
            ? "a class name of \(line.utf8.count) bytes, over \(LabelReader.nameLimit)"
            : "more than \(limit.names) class names")
      }
      names.append(line)
    }
    return names
  }
}
