import AssayCore

/// The rows of a predictions table in Parquet.
struct ParquetScoreRows: ScoreRowSource {
  let file: String
  let classes: [String]
  private(set) var notes: [String] = []
  private let table: ParquetFile
  private let columns: PredictionColumns
  private let options: PredictionFileOptions
  private let numbering: ClassNumbering
  /// The columns that are read, ascending.
  private let used: [Int]

  /// The name of the column that pandas makes from an index without a name.
  private static let indexName = "__index_level_0__"

  /// - Throws: ``FormatError``, ``ParquetError``; any error that the tree throws.
  init(
    _ tree: any SourceTree, _ source: SourceFile, _ options: PredictionFileOptions,
    known: [String]
  ) throws {
    (file, self.options) = (source.path, options)
    if options.separator != nil || options.hasDecimalCommas {
      throw FormatError.predictions(
        source.path, problem: "--separator and --decimal-comma are for CSV files; omit them")
    }
    let table = try ParquetFile(tree, source)
    self.table = table
    let headers = table.schema.columns.map { node in
      PredictionColumns.Header(name: node.name, isList: node.element != nil)
    }
    do {
      columns = try PredictionColumns(headers, options, known: known, indexName: Self.indexName)
    } catch {
      throw FormatError.predictions(source.path, problem: error.text)
    }
    numbering = ClassNumbering(options.classes ?? known, first: options.firstNumber)
    classes = columns.label == nil ? columns.scores.map(\.name) : numbering.names
    if columns.label != nil, classes.isEmpty {
      throw FormatError.predictions(
        source.path,
        problem: "the dataset has no classes; list those of the model with --classes A,B,…")
    }
    let places =
      [columns.key, columns.truth, columns.label, columns.index, columns.list]
      .compactMap(\.self) + columns.scores.map(\.column)
    used = Set(places).sorted()
    guard table.footer.rows > 0 else { throw FormatError.noRows(source.path) }
    notes = columns.readingNotes(numbering)
  }

  var hasKeys: Bool { columns.key != nil }
  var hasTruth: Bool { columns.truth != nil }
  var isLabels: Bool { columns.label != nil }

  func forEach(_ precision: ScorePrecision, _ body: (ScoreRow) throws -> Void) throws {
    let nodes = used.map { table.schema.columns[$0] }
    var place: [Int: Int] = [:]
    for (index, column) in used.enumerated() { place[column] = index }
    var row = ScoreRow()
    var firstIndex: Int?
    for group in table.footer.groups.indices {
      var rows = try table.naming { try ParquetRows(table, nodes, group: group) }
      while let values = try table.naming({ try rows.next() }) {
        row.number += 1
        row.line = row.number
        func value(_ column: Int) -> JSONValue { place[column].map { values[$0] } ?? .null }
        if let column = columns.index {
          firstIndex = try columns.checkIndex(
            Self.text(value(column)) ?? "", row, first: firstIndex
          ) { fault(in: row, $0) }
        }
        if let column = columns.key {
          guard let key = Self.text(value(column)), !key.isEmpty else {
            throw fault(in: row, "the sample is missing")
          }
          row.key = key
        }
        if let column = columns.truth {
          guard let truth = Self.text(value(column)), !truth.isEmpty else {
            throw fault(in: row, "the true label is empty")
          }
          row.truth = truth
        }
        if let column = columns.label {
          let label = Self.text(value(column)) ?? ""
          guard let index = numbering.index(of: label) else {
            throw fault(in: row, numbering.problem(label))
          }
          row.label = index
          try body(row)
          continue
        }
        try readScores(value, precision, into: &row)
        try body(row)
      }
    }
  }

  private func readScores(
    _ value: (Int) -> JSONValue, _ precision: ScorePrecision, into row: inout ScoreRow
  ) throws {
    row.scores.removeAll(keepingCapacity: true)
    func append(_ value: JSONValue, column: Int) throws {
      guard let score = value.double, score.isFinite else {
        let text = Self.text(value) ?? (value == .null ? "" : "a value")
        throw fault(in: row, columns.problem(text, column: column, options: options))
      }
      row.scores.append(precision == .single ? Double(Float(score)) : score)
    }
    if let list = columns.list {
      let elements = value(list).elements ?? []
      guard elements.count == classes.count else {
        throw fault(
          in: row,
          "“\(table.schema.columns[list].name)” has \(elements.count) scores, and there are \(classes.count) classes"
        )
      }
      for element in elements { try append(element, column: list) }
      return
    }
    for (column, _) in columns.scores { try append(value(column), column: column) }
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let number): Int(exactly: number).map { "\($0).0" } ?? "\(number)"
    case .bool, .null, .array, .object: nil
    }
  }
}
