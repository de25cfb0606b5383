import AssayCore

/// Thresholds of classes as a CSV file with a header and one row per class.
///
/// Columns: `class` and `threshold`, in any order; others are ignored.
/// Source: RFC 4180.
package struct ThresholdTable: Sendable {
  /// The thresholds by the name of the class, each in 0...1.
  package private(set) var values: [String: Double] = [:]

  /// - Parameter file: its name, for errors.
  /// - Throws: ``FormatError`` for a file without one of the columns, a threshold that is not a number from 0 to 1,
  ///   a class without a name or with two rows.
  package init(_ bytes: [UInt8], file: String) throws(FormatError) {
    try CSVRecords.reading(bytes, file: file) { records throws(FormatError) in
      try read(&records, file: file)
    }
  }

  private mutating func read(_ records: inout CSVRecords, file: String) throws(FormatError) {
    var fields: [CSVRecords.Field] = []
    var names: [String] = []
    if try records.next(into: &fields) {
      for field in fields { names.append(LabelSeparator.trimmed(try records.text(field))) }
    }
    func column(_ name: String) -> Int? {
      let places = names.indices.filter { names[$0].lowercased() == name }
      return places.count == 1 ? places[0] : nil
    }
    guard let category = column("class"), let threshold = column("threshold") else {
      throw .table(
        file, line: 1, problem: "expected the columns class and threshold, with one row per class")
    }
    while try records.next(into: &fields) {
      let line = records.recordLine
      guard fields.count == names.count else {
        throw .table(
          file, line: line,
          problem: "\(Counted.text(fields.count, "field", "fields")), expected \(names.count)")
      }
      let name = LabelSeparator.trimmed(try records.text(fields[category]))
      let text = LabelSeparator.trimmed(try records.text(fields[threshold]))
      guard !name.isEmpty else { throw .table(file, line: line, problem: "the class is missing") }
      guard let value = Double(text), value >= 0, value <= 1 else {
        throw .table(
          file, line: line,
          problem: "the threshold of “\(name)” must be a number from 0 to 1, found "
            + "“\(text.prefix(40))”")
      }
      guard values.updateValue(value, forKey: name) == nil else {
        throw .table(file, line: line, problem: "two rows for the class “\(name)”")
      }
    }
    guard !values.isEmpty else { throw .table(file, line: 1, problem: "no class has a row") }
  }
}
