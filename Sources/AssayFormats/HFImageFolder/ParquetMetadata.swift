import AssayCore

/// A file `metadata.parquet` beside images. Class numbers with names become the names.
struct ParquetMetadata {
  private let file: ParquetFile
  private let columns: [ParquetSchema.Node]
  private let features: HFFeatures
  /// The columns that cannot be read.
  let unread: [String]

  /// - Throws: ``ParquetError``; any error that the tree throws.
  init(_ tree: any SourceTree, _ path: String) throws {
    guard let source = try tree.files().first(where: { $0.path == path }) else {
      throw ParquetError(file: path, problem: ParquetProblem("it is not there"))
    }
    let file = try ParquetFile(tree, source)
    self.file = file
    columns = file.schema.columns.filter { $0.isReadable(in: file) }
    unread = file.schema.columns.filter { !$0.isReadable(in: file) }.map(\.name)
    features = HFFeatures(file)
  }

  /// The names of the columns.
  var names: [String] { file.schema.columns.map(\.name) }

  /// Calls `body` with the number of each row, from 0, and its values as an object.
  ///
  /// - Throws: ``ParquetError``; any error that the tree or `body` throws.
  func forEachRow(_ body: (Int, JSONValue) throws -> Void) throws {
    try file.naming {
      for (number, group) in file.footer.groups.enumerated() {
        var rows = try ParquetRows(file, columns, group: number)
        var row = group.firstRow
        while let values = try rows.next() {
          try body(
            row,
            .object(
              zip(columns, values).map { column, value in
                .init(column.name, Self.named(value, features.columns[column.name]))
              }))
          row += 1
        }
      }
    }
  }

  /// A value with class numbers replaced by names; -1 is no class.
  private static func named(_ value: JSONValue, _ feature: HFFeatures.Feature?) -> JSONValue {
    guard let feature else { return value }
    switch value {
    case .integer(let number):
      guard feature.type == "ClassLabel", let names = feature.names else { return value }
      if number == -1 { return .null }
      return Int(exactly: number).flatMap { names.indices.contains($0) ? .string(names[$0]) : nil }
        ?? value
    case .array(let elements):
      return .array(elements.map { named($0, feature.element.first ?? feature) })
    case .object(let members):
      let inner = feature.innerMembers
      return .object(members.map { .init($0.name, named($0.value, inner[$0.name])) })
    default: return value
    }
  }
}
