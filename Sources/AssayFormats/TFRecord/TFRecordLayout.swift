import AssayCore

/// The record files of a dataset, their splits, the meaning of their features, and their classes.
struct TFRecordLayout: Sendable {
  struct File: Sendable {
    var table: TFRecordFile
    var split: String?
  }

  let name: String
  private(set) var files: [File] = []
  let features: TFFeatures
  /// The classes of whole images.
  let labels: TFClassNames
  /// The classes of objects.
  let objects: TFClassNames
  /// Assumptions that the user should know, one sentence each without a period.
  private(set) var notes: [String] = []
  private(set) var issues: [Issue] = []

  /// The number of records that are looked at, in up to as many files.
  private static let looked = 512
  private static let fileLimit = 8
  /// The largest relative coordinate; a box can leave its image a little.
  private static let relativeLimit = 2.0

  /// The record files of a source, by path.
  ///
  /// - Throws: any error that the tree throws.
  static func files(_ tree: any SourceTree) throws -> [SourceFile] {
    if tree.isSingleFile { return try tree.files() }
    return try tree.files().filter { TFRecordFile.isNamed($0.path) }
      .sorted { SortedFiles.precedes($0.path + "/", $1.path + "/") }
  }

  /// The features that the first records of some files hold; `nil` if there are none.
  ///
  /// - Throws: ``TFRecordError``.
  static func census(_ tables: [TFRecordFile]) throws -> TFFeatureCensus? {
    var census = TFFeatureCensus()
    let tables = tables.filter { $0.rows > 0 }.prefix(fileLimit)
    for table in tables {
      for row in 0..<min(table.rows, looked / tables.count) {
        // A damaged record is an issue of the import.
        guard let example = try record(row, of: table) else { continue }
        try table.naming { try census.add(example) }
      }
    }
    return census.records > 0 ? census : nil
  }

  /// A record; `nil` if its checksum is wrong.
  private static func record(_ row: Int, of table: TFRecordFile) throws -> TFExample? {
    do {
      return try table.record(row)
    } catch let problem as TFRecordProblem {
      guard row == 0 else { return nil }
      throw TFRecordError(file: table.path, problem: TFRecordProblem("record 0: \(problem)"))
    }
  }

  /// - Throws: ``TFRecordError``; ``FormatError`` if there are no records; any error that the tree throws.
  init(_ tree: TFRecordTree, _ sources: [SourceFile], _ options: ImportOptions) throws {
    name = tree.name
    let configurations = ShardName.configurations(sources.map(\.path))
    guard configurations.count < 2 else {
      let list = configurations.prefix(12).map { "\($0.isEmpty ? "the folder itself" : $0)" }
      throw TFRecordError(
        file: tree.name,
        problem: TFRecordProblem(
          "it holds record files in \(configurations.count) folders, which are datasets of their own: "
            + list.joined(separator: ", ") + (configurations.count > 12 ? ", …" : "")
            + "; import one of them: assay import "
            + ShellText.below(configurations.first { !$0.isEmpty } ?? "")))
    }
    let tables = try sources.compactMap { try tree.file($0.path) }
    guard
      tables.reduce(0, { min(TFRecordLimits.rows, $0) + min(TFRecordLimits.rows, $1.rows) })
        <= TFRecordLimits.rows
    else { throw FormatError.tooManyRows(tree.name, limit: TFRecordLimits.rows) }
    guard let census = try Self.census(tables) else {
      throw FormatError.mismatch(name: tree.name, format: .tfRecord, reason: "it has no records")
    }
    do {
      features = try TFFeatures(census, options)
      try Self.checkBoxes(features, tables)
    } catch let problem as TFRecordProblem {
      throw TFRecordError(file: tables.first?.path ?? tree.name, problem: problem)
    }
    let names = try TFNameFiles(tree)
    labels = try names.classes(of: features.label, options)
    objects = try names.classes(of: features.objects?.category, options)
    files = tables.filter { $0.rows > 0 || $0.damage != nil }.map {
      File(table: $0, split: Self.split(of: $0.path))
    }
    issues = tables.compactMap { table in
      table.damage.map { damage in
        Issue(
          .truncated, .error, at: IssueLocation(file: table.path),
          "\(damage); what follows its first \(table.rows) records is left out")
      }
    }
    issues += features.ignored.map { key in
      Issue(
        .unsupportedField, .warning, at: IssueLocation(file: tables[0].path),
        "the feature “\(key.prefix(60))” is not kept")
    }
    notes = [
      Self.note(features.label, labels), Self.note(features.objects?.category, objects),
    ].compactMap(\.self)
  }

  /// The note that classes have no names.
  private static func note(_ category: TFFeatures.Class?, _ names: TFClassNames) -> String? {
    guard let key = category?.number, category?.text == nil, names.categories.isEmpty else {
      return nil
    }
    return
      "the classes of “\(key)” are numbers: label_map.pbtxt or "
      + "\(TFNameFiles.listName(key)) beside the records names them, or --classes those from 0"
  }

  /// The split that a file's path states.
  static func split(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    let lower = name.lowercased()
    // What follows the suffix is the number of the shard.
    for suffix in TFRecordFile.suffixes {
      guard let range = lower.firstRange(of: suffix) else { continue }
      let rest = lower[range.upperBound...].utf8.count + suffix.utf8.count
      let ending = String(repeating: "x", count: rest)
      return ShardName.split(of: path, suffix: ending, takesAny: false)
    }
    return ShardName.split(of: path, suffix: "", takesAny: false)
  }

  /// Refuses boxes that the first records show not to be relative.
  private static func checkBoxes(_ features: TFFeatures, _ tables: [TFRecordFile]) throws {
    guard let objects = features.objects, objects.isRelative else { return }
    let tables = tables.filter { $0.rows > 0 }.prefix(fileLimit)
    for table in tables {
      for row in 0..<min(table.rows, looked / tables.count) {
        guard let example = try record(row, of: table) else { continue }
        for key in objects.boxes.keys {
          guard let value = try example.numbers(key)?.first(where: { abs($0) > relativeLimit })
          else { continue }
          throw TFRecordProblem(
            "record \(row) has \(value) in “\(key)”, which should be relative to the size of the "
              + "image, from 0 to 1; state the boxes with --columns image=\(features.image)"
              + (objects.category?.keys.first.map { ",label=\($0)" } ?? "")
              + ",box=\(objects.boxes.keys.joined(separator: ":")) --coordinates pixels")
        }
      }
    }
  }
}
