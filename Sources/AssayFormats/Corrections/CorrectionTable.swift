/// Corrections as a CSV file with a header, one per line.
///
/// Columns: `key`, and `label`, or `mask` with `category`, or `add` and `remove` (labels of a set,
/// separated by `|`), or `labels` (the whole set, empty for none); optionally `note` and `dataset`;
/// in any order. Source: RFC 4180.
package struct CorrectionTable: Sendable {
  /// A line.
  package struct Row: Sendable, Hashable {
    /// The line number in the file, from 1.
    package var line: Int
    package var key: String
    /// `nil` if there is no such column, or if it is empty; the same for those below.
    package var label: String?
    package var mask: String?
    package var add: String?
    package var remove: String?
    /// The whole set; empty for the empty set.
    package var labels: String?
    package var category: String?
    package var note: String?
    package var dataset: String?
  }

  package private(set) var rows: [Row] = []

  private static let known = [
    "key", "label", "mask", "category", "add", "remove", "labels", "note", "dataset",
  ]

  /// - Parameter file: its name, for errors.
  /// - Throws: ``FormatError``.
  package init(_ bytes: [UInt8], file: String) throws(FormatError) {
    try CSVRecords.reading(bytes, file: file) { records throws(FormatError) in
      try read(&records, file: file)
    }
  }

  private mutating func read(_ records: inout CSVRecords, file: String) throws(FormatError) {
    var fields: [CSVRecords.Field] = []
    guard try records.next(into: &fields) else {
      throw .table(
        file, line: 1, problem: "the file is empty; its first line must name the columns")
    }
    var names: [String] = []
    for field in fields {
      let name = try records.text(field).lowercased()
      guard Self.known.contains(name) else {
        throw .table(
          file, line: 1,
          problem: "unknown column “\(name)”; known are \(Self.known.joined(separator: ", "))")
      }
      guard !names.contains(name) else {
        throw .table(file, line: 1, problem: "duplicate column “\(name)”")
      }
      names.append(name)
    }
    let kinds = [
      names.contains("label"), names.contains("mask"),
      names.contains("add") || names.contains("remove"), names.contains("labels"),
    ]
    guard names.contains("key"), kinds.count(where: \.self) == 1 else {
      throw .table(
        file, line: 1,
        problem:
          "the first line must name the columns: key and label, key and mask, key with add or remove, or key "
          + "and labels"
      )
    }
    while try records.next(into: &fields) {
      guard fields.count == names.count else {
        throw .table(
          file, line: records.recordLine,
          problem: "expected \(names.count) fields, found \(fields.count)")
      }
      var row = Row(line: records.recordLine, key: "")
      for (name, field) in zip(names, fields) {
        let text = try records.text(field)
        let value = text.isEmpty ? nil : text
        switch name {
        case "key": row.key = text
        case "label": row.label = value
        case "mask": row.mask = value
        case "category": row.category = value
        case "add": row.add = value
        case "remove": row.remove = value
        case "labels": row.labels = text
        case "note": row.note = value
        default: row.dataset = value
        }
      }
      rows.append(row)
    }
  }
}
