import AssayCore

/// The rows of a predictions file in CSV, plain or gzip.
struct CSVScoreRows: ScoreRowSource {
  let file: String
  private let tree: any SourceTree
  private let source: SourceFile
  private let separator: UInt8
  private let options: PredictionFileOptions
  private let columns: PredictionColumns
  private let numbering: ClassNumbering
  let classes: [String]
  private(set) var notes: [String] = []

  /// - Throws: ``FormatError``; any error that the tree throws.
  init(
    _ tree: any SourceTree, _ source: SourceFile, _ options: PredictionFileOptions,
    known: [String]
  ) throws {
    (self.tree, self.source, self.options, file) = (tree, source, options, source.path)
    guard let found = try CSVRecordStream.separator(tree, source) else {
      throw FormatError.emptyFile(source.path)
    }
    separator = options.separator?.byte ?? found
    var read: (line: Int, headers: [PredictionColumns.Header])?
    do {
      try CSVRecordStream.forEach(tree, source, separator: separator) { records, fields in
        read = (
          records.recordLine,
          try fields.map {
            PredictionColumns.Header(name: try records.text($0), isQuoted: $0.isQuoted)
          }
        )
        throw HeaderRead()
      }
    } catch is HeaderRead {}
    guard let read else { throw FormatError.emptyFile(source.path) }
    do {
      columns = try PredictionColumns(read.headers, options, known: known)
    } catch {
      throw FormatError.table(source.path, line: read.line, problem: error.text)
    }
    numbering = ClassNumbering(options.classes ?? known, first: options.firstNumber)
    classes = columns.label == nil ? columns.scores.map(\.name) : numbering.names
    if columns.label != nil, classes.isEmpty {
      throw FormatError.table(
        source.path, line: read.line,
        problem: "the dataset has no classes; list those of the model with --classes A,B,…")
    }
    if separator != CSVRecords.comma {
      notes.append(
        "columns are separated by \(separator == UInt8(ascii: ";") ? "semicolons" : "tabs")")
    }
    notes += columns.readingNotes(numbering)
  }

  private struct HeaderRead: Error {}

  var hasKeys: Bool { columns.key != nil }
  var hasTruth: Bool { columns.truth != nil }
  var isLabels: Bool { columns.label != nil }

  func fault(in row: ScoreRow, _ problem: String) -> FormatError {
    .table(file, line: row.line, problem: problem)
  }

  func forEach(_ precision: ScorePrecision, _ body: (ScoreRow) throws -> Void) throws {
    var row = ScoreRow()
    var isHeader = true
    var firstIndex: Int?
    var scratch: [UInt8] = []
    try CSVRecordStream.forEach(tree, source, separator: separator) { records, fields in
      if isHeader {
        isHeader = false
        return
      }
      row.number += 1
      row.line = records.recordLine
      guard fields.count == columns.count else {
        throw fault(in: row, "expected \(columns.count) fields, found \(fields.count)")
      }
      if let column = columns.index {
        firstIndex = try columns.checkIndex(
          try records.text(fields[column]), row, first: firstIndex
        ) { fault(in: row, $0) }
      }
      if let column = columns.key {
        let key = try records.text(fields[column])
        guard !key.isEmpty else { throw fault(in: row, "the sample is missing") }
        row.key = key
      }
      if let column = columns.truth {
        let truth = try records.text(fields[column])
        guard !truth.isEmpty else { throw fault(in: row, "the true label is empty") }
        row.truth = truth
      }
      if let column = columns.label {
        let label = try records.text(fields[column])
        guard let place = numbering.index(of: label) else {
          throw fault(in: row, numbering.problem(label))
        }
        row.label = place
        return try body(row)
      }
      row.scores.removeAll(keepingCapacity: true)
      for (column, _) in columns.scores {
        let text = PredictionsCSV.trimmed(records.bytes(of: fields[column]))
        let score = number(text, precision, &scratch)
        guard let score else {
          throw fault(
            in: row,
            columns.problem(try records.text(fields[column]), column: column, options: options))
        }
        row.scores.append(score)
      }
      try body(row)
    }
    guard row.number > 0 else { throw FormatError.noRows(file) }
  }

  private func number(
    _ text: UnsafeRawBufferPointer, _ precision: ScorePrecision, _ scratch: inout [UInt8]
  ) -> Double? {
    guard options.hasDecimalCommas else { return Self.parse(text, precision) }
    scratch.removeAll(keepingCapacity: true)
    for byte in text {
      // A point would separate thousands.
      guard byte != UInt8(ascii: ".") else { return nil }
      scratch.append(byte == UInt8(ascii: ",") ? UInt8(ascii: ".") : byte)
    }
    return scratch.withUnsafeBytes { Self.parse($0, precision) }
  }

  private static func parse(
    _ text: UnsafeRawBufferPointer, _ precision: ScorePrecision
  ) -> Double? {
    switch precision {
    case .single: DecimalNumber.parse(text, as: Float.self).map(Double.init)
    case .double: DecimalNumber.parse(text, as: Double.self)
    }
  }
}

extension PredictionColumns {
  /// The notes on columns that were passed over and numbers that were read as classes.
  func readingNotes(_ numbering: ClassNumbering) -> [String] {
    var notes: [String] = []
    if !passed.isEmpty { notes.append("columns left out: \(Self.list(passed))") }
    if index != nil { notes.append("a column of row numbers (pandas' index) was left out") }
    return notes + numbering.notes
  }

  /// Checks that a column without a name counts the rows, and returns the number of the first one.
  func checkIndex(
    _ text: String, _ row: ScoreRow, first: Int?, _ fault: (String) -> FormatError
  ) throws -> Int {
    let number = ClassNumbering.number(text)
    let first = first ?? number ?? -1
    guard let number, (0...1).contains(first), number == first + row.number - 1 else {
      let name = index.map { names[$0] } ?? ""
      let option = ShellText.quoted(name)
      throw fault(
        "'\(text.prefix(60))' in \(name.isEmpty ? "the column without a name" : "column '\(name)'") is not the row's "
          + "number, as pandas writes its index; if the column holds the samples' keys, give --key-column "
          + "\(option), else --ignore-columns \(option)")
    }
    return first
  }
}
