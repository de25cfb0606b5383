/// The columns of a table of predictions or labels.
///
/// Names with a special meaning count only without quotes, so that a class can be called `truth`.
struct TableColumns {
  /// Names of the key column.
  static let sampleNames = ["sample", "key", "id", "file"]
  /// Names of the column of true labels.
  static let truthNames = ["truth", "label"]

  var count: Int
  var sample: Int?
  var truth: Int?
  /// The indices and names of all other columns.
  var others: [(column: Int, name: String)] = []

  /// Returns whether a class name must be quoted in a header to be read as a class.
  static func isReserved(_ name: String) -> Bool {
    (sampleNames + truthNames).contains(meaning(name))
  }

  /// Returns whether an unquoted name is that of a key column.
  static func namesKeys(_ name: String) -> Bool { sampleNames.contains(meaning(name)) }

  /// Returns whether an unquoted name is that of a column of true labels.
  static func namesTruth(_ name: String) -> Bool { truthNames.contains(meaning(name)) }

  /// - Parameter anywhere: whether names with a special meaning can be in any column; otherwise a
  ///   key only in the first, and a truth in the first or after the key.
  init(_ fields: [CSVRecords.Field], of records: CSVRecords, anywhere: Bool) throws(FormatError) {
    count = fields.count
    for (column, field) in fields.enumerated() {
      let name = try records.text(field)
      let meaning = field.isQuoted ? "" : Self.meaning(name)
      if sample == nil, Self.sampleNames.contains(meaning), anywhere || column == 0 {
        sample = column
      } else if truth == nil, Self.truthNames.contains(meaning),
        anywhere || column == (sample == nil ? 0 : 1)
      {
        truth = column
      } else {
        others.append((column, name))
      }
    }
  }

  private static func meaning(_ name: String) -> String {
    name.lowercased().filter { $0 != " " }
  }
}
