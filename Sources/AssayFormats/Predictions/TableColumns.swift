/// The columns of a table of predictions or labels.
///
/// The names with a meaning of their own count only without quotes around them, so that a class may
/// be called `truth`.
struct TableColumns {
  /// Names of the column of the samples' keys.
  static let sampleNames = ["sample", "key", "id", "file"]
  /// Names of the column of the true labels.
  static let truthNames = ["truth", "label"]

  var count: Int
  var sample: Int?
  var truth: Int?
  /// The places and names of all other columns.
  var others: [(column: Int, name: String)] = []

  /// Returns whether a class's name must be quoted in a header in order to be taken for one.
  static func isReserved(_ name: String) -> Bool {
    (sampleNames + truthNames).contains(meaning(name))
  }

  /// Returns whether an unquoted name is that of a column of keys.
  static func namesKeys(_ name: String) -> Bool { sampleNames.contains(meaning(name)) }

  /// - Parameter anywhere: whether the names with a meaning may stand at any place; else a key only
  ///   at the first, and a truth at the first or behind the key.
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
