import AssayCore

/// What the columns of a CSV file without a header mean, from the values of its first rows.
enum PixelCSVGuess {
  /// The columns; `nil` where the rows are no pixels.
  ///
  /// - Parameter rows: the fields of the first rows, at least one.
  static func columns(_ rows: [[String]]) -> PixelCSVColumns? {
    guard let first = rows.first else { return nil }
    return text(first) ?? values(rows, first)
  }

  /// One column of pixels with blanks between; the first other column is the label.
  private static func text(_ first: [String]) -> PixelCSVColumns? {
    let isText: (String) -> Bool = { field in
      field.split(separator: " ").count >= 4 && PixelCSVColumns.isPixelText(field)
    }
    guard let pixels = first.firstIndex(where: isText) else { return nil }
    let others = first.indices.filter { $0 != pixels }
    let rule = SplitRule(translatesUsage: true, reportsUnknown: true)
    let split = others.first { !first[$0].isEmpty && rule.split(named: first[$0]).isKnown }
    let label = others.first { $0 != split }
    var columns = PixelCSVColumns(
      hasHeader: false, count: first.count, label: label, split: split,
      pixels: .text(column: pixels),
      reason: """
        it has no header, numbers with blanks between in column \(pixels + 1)\
        \(label.map { ", and the label in column \($0 + 1)" } ?? "")
        """)
    columns.isUsage = true
    return columns
  }

  /// One column a pixel, and one for the label: the first, unless the values say otherwise.
  private static func values(_ rows: [[String]], _ first: [String]) -> PixelCSVColumns? {
    guard first.count >= 5, first.dropFirst().allSatisfy({ Double($0) != nil }) else { return nil }
    var columns = PixelCSVColumns(
      hasHeader: false, count: first.count, label: 0, pixels: .columns(Array(1..<first.count)),
      reason: "it has no header, and every row is a label and \(first.count - 1) numbers")
    guard Double(first[0]) != nil else { return columns }
    let last = first.count - 1
    if PixelSize.squareSide(first.count) != nil {
      columns.label = nil
      columns.pixels = .columns(Array(first.indices))
      columns.reason = "it has no header, and every row is \(first.count) numbers, a square"
    } else if rows.count >= 8, isConstant(rows, 0), !isConstant(rows, last) {
      columns.label = last
      columns.pixels = .columns(Array(0..<last))
      columns.reason = """
        it has no header; the first column is always \(first[0]) and the last is not, so the last \
        is the label of \(last) numbers
        """
    }
    return columns
  }

  private static func isConstant(_ rows: [[String]], _ column: Int) -> Bool {
    rows.allSatisfy { $0.indices.contains(column) && $0[column] == rows[0][column] }
  }
}
