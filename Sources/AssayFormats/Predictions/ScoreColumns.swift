import AssayCore

/// The columns of a score table that are treated as classes, and the reason why one of them is not.
struct ScoreColumns {
  private let columns: TableColumns
  private let file: String
  private let line: Int

  /// - Parameter line: the header's line number, from 1.
  init(_ columns: TableColumns, file: String, line: Int) {
    self.columns = columns
    self.file = file
    self.line = line
  }

  private static let layout = "expected: sample, then a column of probabilities per class"

  /// Rejects a header without classes, with an empty class name, or with a repeated one.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)``.
  func check() throws(FormatError) {
    guard !columns.others.isEmpty else {
      throw fault("the header has no classes; \(Self.layout)")
    }
    if columns.count == 1, let name = columns.others.first?.name {
      for (separator, word) in [(";", "semicolons"), ("\t", "tabs")]
      where name.contains(separator) {
        throw fault(
          "the columns are separated by \(word); assay expects commas, with a point in numbers: write the file"
            + " with commas")
      }
    }
    var seen: Set<String> = []
    for (column, name) in columns.others {
      guard !name.isEmpty else {
        throw fault(
          column == 0
            ? "the first column has no name, as pandas writes its index; call it sample if it holds the "
              + "samples' keys, else write the file without it (index=False)"
            : "a class in the header has no name (column \(column + 1))")
      }
      guard seen.insert(name).inserted else {
        throw fault("duplicate class '\(name)' in the header")
      }
    }
  }

  /// The reason why a score is not a number, and the solution.
  ///
  /// - Parameter column: the column's index, from 0.
  func problem(_ text: String, column: Int, name: String) -> String {
    let start = "'\(text)' in column '\(name)' is not a finite number"
    if let keys = columns.others.first(where: { TableColumns.namesKeys($0.name) }),
      columns.sample == nil
    {
      return "\(start); '\(keys.name)' is column \(keys.column + 1), and keys must be in the first "
        + "column"
    }
    if text.hasSuffix("%") {
      return "\(start) but a percentage; write it as a probability from 0 to 1 (0.25 for 25%)"
    }
    if text.isEmpty || Self.isSpecialNumber(text) {
      return "\(start); each class needs a probability in each row"
    }
    if column == 0 {
      return "\(start); if the column holds the samples' keys, call it sample"
    }
    return "\(start), so it is not a class; remove the column (\(Self.layout))"
  }

  /// Returns whether a text is a common spelling of NaN or infinity.
  private static func isSpecialNumber(_ text: String) -> Bool {
    ["nan", "inf", "-inf", "infinity", "-infinity", "na", "null", "none"].contains(
      text.lowercased())
  }

  private func fault(_ problem: String) -> FormatError {
    .table(file, line: line, problem: problem)
  }
}
