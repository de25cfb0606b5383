import AssayCore

/// The Parquet files of a dataset, their splits, and the meaning of their columns.
struct ParquetLayout: Sendable {
  struct File: Sendable {
    var table: ParquetFile
    var split: String?
    var image: ParquetImageColumn
    var mask: ParquetImageColumn?
  }

  let name: String
  private(set) var files: [File] = []
  let columns: ParquetColumns

  /// The Parquet files of a source.
  static func files(_ tree: any SourceTree) throws -> [SourceFile] {
    try tree.files().filter { ParquetFile.isNamed($0.path) }
      .sorted { SortedFiles.precedes($0.path + "/", $1.path + "/") }
  }

  /// - Throws: ``ParquetError``; ``FormatError`` if no file has images; any error that the tree throws.
  init(
    _ tree: ParquetTree, _ sources: [SourceFile], _ format: DatasetFormat, _ options: ImportOptions
  )
    throws
  {
    name = tree.name
    let configurations = ShardName.configurations(sources.map(\.path))
    guard configurations.count < 2 else {
      let list = configurations.prefix(12).map { "\($0.isEmpty ? "the folder itself" : $0)" }
      throw ParquetError(
        file: tree.name,
        problem: ParquetProblem(
          "it holds \(configurations.count) configurations, which are datasets of their own: "
            + list.joined(separator: ", ") + (configurations.count > 12 ? ", …" : "")
            + "; import one of them: assay import "
            + ShellText.below(configurations.first { !$0.isEmpty } ?? "")))
    }
    let tables = try sources.compactMap { try tree.file($0.path) }
    guard
      tables.reduce(0, { min(ParquetLimits.rows, $0) + min(ParquetLimits.rows, $1.footer.rows) })
        <= ParquetLimits.rows
    else { throw FormatError.tooManyRows(tree.name, limit: ParquetLimits.rows) }
    guard let first = tables.first(where: { $0.footer.rows > 0 }) else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: "it has no rows")
    }
    let found: ParquetColumns? = try first.naming { try ParquetColumns(first, options) }
    guard let columns = found else {
      throw FormatError.mismatch(
        name: tree.name, format: format, reason: Self.noImages(first))
    }
    self.columns = columns
    for table in tables {
      let file: File = try table.naming { try self.file(table, like: first) }
      if table.footer.rows > 0 { files.append(file) }
    }
  }

  /// The reason why a file has no images, with its columns.
  static func noImages(_ file: ParquetFile) -> String {
    let names = file.schema.columns.prefix(12).map(\.name).joined(separator: ", ")
    return
      "no column of \(file.path) holds images (bytes, or bytes and path); its columns: "
      + names + (file.schema.columns.count > 12 ? ", …" : "")
  }

  private func file(_ table: ParquetFile, like first: ParquetFile) throws -> File {
    guard let image = ParquetImageColumn(table, columns.image) else {
      throw ParquetProblem(
        "it has no column of images “\(columns.image)”, which \(first.path) has; import the files "
          + "one at a time")
    }
    // A codec or type that is not read is refused once, not for each row.
    if table.footer.rows > 0 { _ = try ParquetChunk(table, leaf: image.bytes, group: 0) }
    let mask = columns.mask.flatMap { ParquetImageColumn(table, $0) }
    guard columns.mask == nil || mask != nil else {
      throw ParquetProblem(
        "it has no column of masks “\(columns.mask ?? "")”, which \(first.path) has")
    }
    let features = HFFeatures(table)
    func check(_ column: String, _ names: [String]?, _ found: [String]?) throws {
      guard let node = table.schema.node(at: column), let own = first.schema.node(at: column),
        (node.element == nil) == (own.element == nil),
        node.members.map(\.name) == own.members.map(\.name)
      else {
        throw ParquetProblem(
          "its column “\(column)” is not as in \(first.path); import the files one at a time")
      }
      guard names == found else {
        throw ParquetProblem(
          "the class names of “\(column)” are not those of \(first.path); import the files one at a "
            + "time")
      }
    }
    if let label = columns.label {
      try check(label.column, label.names, features.classNames(label.column))
    }
    if let objects = columns.objects {
      try check(objects.path(objects.box), nil, nil)
      if let category = objects.category {
        try check(
          objects.path(category), objects.names,
          objects.parent.map { features.classNames($0, category) } ?? features.classNames(category))
      }
    }
    return File(
      table: table, split: ShardName.split(of: table.path, suffix: ".parquet"), image: image,
      mask: mask)
  }
}
