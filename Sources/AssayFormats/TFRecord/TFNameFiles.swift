import AssayCore

/// The files with class names beside record files: label maps, and the lists of TensorFlow Datasets.
struct TFNameFiles {
  private var map: (file: String, map: LabelMap)?
  private var lists: [(file: String, names: [String])] = []

  /// - Throws: ``TFRecordError`` for damaged files, and for label maps that differ; any error that the
  ///   tree throws.
  init(_ tree: any SourceTree) throws {
    for file in try tree.files() {
      let name = String(file.path.split(separator: "/").last ?? "")
      if name.hasSuffix(ignoringCase: ".pbtxt") {
        try addMap(file, tree)
      } else if name.hasSuffix(".labels.txt") {
        let text = try Self.text(file, tree)
        lists.append((file.path, text))
      }
    }
  }

  /// Returns whether a file has class names.
  static func isNamed(_ path: String) -> Bool {
    let lower = path.lowercased()
    return lower.hasSuffix(".pbtxt") || lower.hasSuffix(".labels.txt")
  }

  /// The name of TensorFlow Datasets' list of the names of a feature.
  static func listName(_ key: String) -> String {
    key.split(separator: "/").joined(separator: "-") + ".labels.txt"
  }

  private mutating func addMap(_ file: SourceFile, _ tree: any SourceTree) throws {
    let found: LabelMap
    do {
      found = try LabelMap(try Self.bytes(file, tree))
    } catch let problem as TFRecordProblem {
      throw TFRecordError(file: file.path, problem: problem)
    }
    guard !found.items.isEmpty else { return }
    guard let (first, other) = map else {
      map = (file.path, found)
      return
    }
    guard Set(other.items) == Set(found.items) else {
      throw TFRecordError(
        file: file.path,
        problem: TFRecordProblem(
          "it is not as \(first); import the folders one at a time, or remove the label map that does "
            + "not count"))
    }
  }

  private static func bytes(_ file: SourceFile, _ tree: any SourceTree) throws -> [UInt8] {
    guard file.size <= TFRecordLimits.names else {
      throw TFRecordError(
        file: file.path,
        problem: TFRecordProblem("it has more than \(TFRecordLimits.names >> 20) MiB"))
    }
    return try tree.readAll(file.path, limit: TFRecordLimits.names)
  }

  private static func text(_ file: SourceFile, _ tree: any SourceTree) throws -> [String] {
    var lines = String(decoding: try bytes(file, tree), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { LabelSeparator.trimmed(String($0)) }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The classes of a feature: those of `--classes`, of its list, or of the label map.
  ///
  /// - Throws: ``TFRecordError`` for a list with an empty name.
  func classes(
    of category: TFFeatures.Class?, _ options: ImportOptions
  ) throws -> TFClassNames {
    guard let category else { return TFClassNames() }
    if let names = options.classes { return TFClassNames(names, from: "--classes") }
    let keys = category.keys.map(Self.listName)
    let found = lists.first { list in
      keys.contains { list.file == $0 || list.file.hasSuffix("/" + $0) }
    }
    if let found {
      guard !found.names.contains("") else {
        throw TFRecordError(file: found.file, problem: TFRecordProblem("a name is empty"))
      }
      return TFClassNames(found.names, from: found.file)
    }
    return map.map { TFClassNames($0.map, from: $0.file) } ?? TFClassNames()
  }
}
