package import AssayCore

/// Reads predictions: `sample,<class>…`, `truth,<class>…`, `sample,truth,<class>…` or classes
/// alone; CSV, plain or gzip.
package enum PredictionsCSV {
  /// The maximum number of bytes of text that are read: 4 GiB.
  private static let textLimit = 4 << 30

  /// Reads a file.
  ///
  /// - Parameter score: `Float` for a run's predictions, `Double` for scores of other programs.
  /// - Throws: ``FormatError`` with the line of the problem; any error that the tree throws.
  package static func read<Score: DecimalScore>(
    _ tree: any SourceTree, as score: Score.Type
  ) throws -> PredictionTable<Score> {
    let (bytes, file) = try text(of: tree)
    return try read(bytes, file: file, as: score)
  }

  /// Reads the text of a file; see ``read(_:as:)``.
  package static func read<Score: DecimalScore>(
    _ bytes: [UInt8], file: String, as score: Score.Type
  ) throws(FormatError) -> PredictionTable<Score> {
    try withBytes(bytes) { (buffer) throws(FormatError) in
      try parse(buffer, file: file, as: score)
    }
  }

  /// Returns whether a header's name is that of a key column.
  package static func namesKeys(_ name: String) -> Bool { TableColumns.namesKeys(name) }

  /// Reads true labels: a column `truth` or `label`, and optionally one with keys (`sample`).
  ///
  /// - Throws: ``FormatError`` with the line of the problem; any error that the tree throws.
  package static func readTruth(_ tree: any SourceTree) throws -> TruthTable {
    let (bytes, file) = try text(of: tree)
    return try readTruth(bytes, file: file)
  }

  /// Reads the text of a label file; see ``readTruth(_:)``.
  package static func readTruth(
    _ bytes: [UInt8], file: String
  ) throws(FormatError) -> TruthTable {
    try withBytes(bytes) { (buffer) throws(FormatError) in
      try parseTruth(buffer, file: file)
    }
  }

  private static func parse<Score: DecimalScore>(
    _ bytes: UnsafeRawBufferPointer, file: String, as: Score.Type
  ) throws(FormatError) -> PredictionTable<Score> {
    var records = CSVRecords(bytes, file: file)
    var fields: [CSVRecords.Field] = []
    guard try records.next(into: &fields) else { throw .emptyFile(file) }
    let columns = try TableColumns(fields, of: records, anywhere: false)
    let header = ScoreColumns(columns, file: file, line: records.recordLine)
    try header.check()
    let classes = columns.others.map(\.name)
    var rows = TableRows(columns, file: file)
    var scores: [Score] = []
    while try records.next(into: &fields) {
      try rows.take(fields, of: records)
      for (column, name) in columns.others {
        let text = UnsafeRawBufferPointer(rebasing: bytes[fields[column].range])
        guard let score = DecimalNumber.parse(trimmed(text), as: Score.self) else {
          throw .table(
            file, line: records.recordLine,
            problem: header.problem(
              try records.text(fields[column]), column: column, name: name))
        }
        scores.append(score)
      }
    }
    guard !scores.isEmpty else { throw .noRows(file) }
    return PredictionTable(
      classes: classes, samples: columns.sample == nil ? nil : rows.samples,
      truth: columns.truth == nil ? nil : rows.truth, scores: scores)
  }

  private static func parseTruth(
    _ bytes: UnsafeRawBufferPointer, file: String
  ) throws(FormatError) -> TruthTable {
    var records = CSVRecords(bytes, file: file)
    var fields: [CSVRecords.Field] = []
    guard try records.next(into: &fields) else { throw .emptyFile(file) }
    let columns = try TableColumns(fields, of: records, anywhere: true)
    guard columns.truth != nil else {
      let names = columns.others.map(\.name).joined(separator: ", ")
      throw .table(
        file, line: records.recordLine,
        problem: "expected a column truth or label, found \(names)")
    }
    var rows = TableRows(columns, file: file)
    while try records.next(into: &fields) { try rows.take(fields, of: records) }
    guard !rows.truth.isEmpty else { throw .noRows(file) }
    return TruthTable(samples: columns.sample == nil ? nil : rows.samples, labels: rows.truth)
  }

  /// The text of a number without blanks around it.
  static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var part = text[...]
    while let first = part.first, CSVFields.isBlank(first) { part.removeFirst() }
    while let last = part.last, CSVFields.isBlank(last) { part.removeLast() }
    return UnsafeRawBufferPointer(rebasing: part)
  }

  private static func text(of tree: any SourceTree) throws -> (bytes: [UInt8], file: String) {
    guard tree.isSingleFile, let file = try tree.files().first else {
      throw FormatError.table(tree.name, line: 1, problem: "this is a folder; name a CSV file")
    }
    var stream = try ByteStream(tree, file)
    var bytes: [UInt8] = []
    while true {
      let step = min(max(1 << 16, bytes.count), 1 << 26)
      let piece = try stream.read(upTo: step)
      bytes += piece
      guard bytes.count <= textLimit else {
        throw SourceReadError.tooLarge(path: file.path, limit: textLimit)
      }
      if piece.count < step { break }
    }
    if let damage = stream.damage { throw FormatError.damagedFile(file.path, reason: damage) }
    if let found = SourceContent.binaryKind(of: Array(bytes.prefix(1 << 16))) {
      throw FormatError.binaryFile(file.path, found: found)
    }
    return (bytes, file.path)
  }

  private static func withBytes<Value>(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(FormatError) -> Value
  ) throws(FormatError) -> Value {
    let result = bytes.withUnsafeBytes { buffer -> Result<Value, FormatError> in
      do throws(FormatError) { return .success(try body(buffer)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}

/// The keys and true labels of a table's rows, checked as they are added.
struct TableRows {
  private let columns: TableColumns
  private let file: String
  private var lines: [String: Int] = [:]
  private(set) var samples: [String] = []
  private(set) var truth: [String] = []

  init(_ columns: TableColumns, file: String) {
    self.columns = columns
    self.file = file
  }

  /// Adds a row's key and label.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)`` for a wrong number of fields, an empty key or
  ///   label, and a repeated key.
  mutating func take(
    _ fields: [CSVRecords.Field], of records: CSVRecords
  ) throws(FormatError) {
    let line = records.recordLine
    guard fields.count == columns.count else {
      throw .table(
        file, line: line,
        problem: "expected \(columns.count) fields, found \(fields.count)")
    }
    if let column = columns.sample {
      let key = try records.text(fields[column])
      guard !key.isEmpty else { throw .table(file, line: line, problem: "the sample is missing") }
      if let earlier = lines.updateValue(line, forKey: key) {
        throw .table(
          file, line: line, problem: "duplicate sample '\(key)', first in line \(earlier)")
      }
      samples.append(key)
    }
    if let column = columns.truth {
      let label = try records.text(fields[column])
      guard !label.isEmpty else {
        throw .table(file, line: line, problem: "the true label is empty")
      }
      truth.append(label)
    }
  }
}
