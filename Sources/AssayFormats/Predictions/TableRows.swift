/// The keys and true labels of a table's rows, checked one after another.
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

  /// Takes a row's key and label.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)`` for a wrong number of fields, an empty key or
  ///   label, and a key that was there before.
  mutating func take(
    _ fields: [CSVRecords.Field], of records: CSVRecords
  ) throws(FormatError) {
    let line = records.recordLine
    guard fields.count == columns.count else {
      throw .table(
        file, line: line,
        problem: "\(fields.count) fields where the header has \(columns.count)")
    }
    if let column = columns.sample {
      let key = try records.text(fields[column])
      guard !key.isEmpty else { throw .table(file, line: line, problem: "no sample is named") }
      if let earlier = lines.updateValue(line, forKey: key) {
        throw .table(
          file, line: line, problem: "the sample '\(key)' was already there in line \(earlier)")
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
