import AssayCore

/// The meaning of the columns of a CSV file of pixels, from its head.
struct PixelCSVColumns: Hashable, Sendable {
  var hasHeader: Bool
  /// The number of columns.
  var count: Int
  var label: Int?
  var split: Int?
  /// True if the split column is FER-2013's `Usage`.
  var isUsage = false
  var pixels: PixelTable.Pixels
  /// The reason for this interpretation, one clause.
  var reason: String

  /// Names of the label column in lower case, most specific first.
  static let labelNames = [
    "label", "class", "emotion", "target", "category", "class_name", "classname", "label_name",
    "digit", "labels", "y",
  ]
  private static let splitNames = ["split", "usage", "subset", "partition", "set"]
  private static let textNames = ["pixels", "pixel_values", "pixel", "image", "img", "data"]

  /// The minimum number of pixel columns.
  private static let fewest = 4

  /// The reason why a file is not a CSV of pixels, one clause.
  struct Mismatch: Error, Hashable { var reason: String }

  /// Determines the meaning of the columns.
  ///
  /// - Throws: ``Mismatch``.
  static func find(_ head: TableHead) throws(Mismatch) -> PixelCSVColumns {
    let fields = head.firstFields
    let rows = head.lines.dropFirst().map { CSVFields.texts(of: $0) }
    let names = fields.map { $0.lowercased() }
    if let columns = try named(names, rows) {
      if let name = repeated(names, among: columns.used) {
        throw Mismatch(reason: "it has two columns '\(name)'")
      }
      return columns
    }
    if let columns = try PixelCSVGuess.columns([fields] + rows) { return columns }
    throw Mismatch(
      reason: """
        its first line names neither a column of pixels (\(textNames.prefix(3).joined(separator: ", "))) \
        nor columns like pixel0, 1x1 or 0, and is not a row of numbers
        """)
  }

  /// The indices of the columns that are read.
  private var used: [Int] {
    let rest = [label, split].compactMap(\.self)
    switch pixels {
    case .text(let column): return rest + [column]
    case .columns(let places): return rest + places
    }
  }

  /// A name that occurs more than once in a header and belongs to one of the given columns.
  static func repeated(_ names: [String], among places: [Int]) -> String? {
    var counts: [String: Int] = [:]
    for name in names { counts[name, default: 0] += 1 }
    return places.lazy.map { names[$0] }.first { counts[$0, default: 0] > 1 }
  }

  /// Uses the names of the columns, in lower case; `nil` if they do not indicate pixels.
  ///
  /// - Throws: ``Mismatch`` for a column of images with one number each: the numbers can be names.
  private static func named(
    _ names: [String], _ rows: [[String]]
  ) throws(Mismatch) -> PixelCSVColumns? {
    let row = rows.first
    let label = labelNames.lazy.compactMap { names.firstIndex(of: $0) }.first
    let split = splitNames.lazy.compactMap { names.firstIndex(of: $0) }.first
    var columns = PixelCSVColumns(
      hasHeader: true, count: names.count, label: label, split: split, pixels: .columns([]),
      reason: "")
    columns.isUsage = split.map { names[$0] == "usage" } ?? false
    let told = label.map { "the label in '\(names[$0])'" } ?? "no label column"
    let text = textNames.lazy.compactMap { names.firstIndex(of: $0) }.first
    if let text, row.map({ $0.indices.contains(text) && isPixelText($0[text]) }) ?? true {
      let isOfImages = ["image", "img", "data", "pixel"].contains(names[text])
      if isOfImages, !rows.isEmpty, rows.allSatisfy({ isOneNumber($0, text) }) {
        throw Mismatch(
          reason:
            "its column '\(names[text])' has one number in each row, which can be the name of an image"
        )
      }
      columns.pixels = .text(column: text)
      columns.reason = "its header has the pixels in '\(names[text])' and \(told)"
      return columns
    }
    let places = names.indices.filter { $0 != label && $0 != split && stem(names[$0]) != nil }
    guard places.count >= fewest, Set(places.map { stem(names[$0]) }).count == 1 else { return nil }
    let numbers = places.compactMap { Int(names[$0]) }
    // A row of numbers alone is a header only if the numbers count up.
    if numbers.count == places.count, !isCounting(numbers) { return nil }
    columns.pixels = .columns(places)
    columns.reason = """
      its header has \(places.count) pixel columns ('\(names[places[0]])' to \
      '\(names[places[places.count - 1]])') and \(told)
      """
    return columns
  }

  private static func isOneNumber(_ row: [String], _ column: Int) -> Bool {
    !row.indices.contains(column) || !row[column].contains { $0 == " " || $0 == "\t" }
  }

  /// The letters before the numbers in a pixel column's name (`pixel0`, `px_1_2`, `1x1`, `17`);
  /// `nil` for other names.
  private static func stem(_ name: String) -> String? {
    let letters = name.prefix { $0.isLetter || $0 == "_" || $0 == " " }
    let rest = name.dropFirst(letters.count)
    let numbers = rest.split(omittingEmptySubsequences: false) { "x_-.,:".contains($0) }
    guard (1...3).contains(numbers.count) else { return nil }
    let areDigits = numbers.allSatisfy { number in
      !number.isEmpty && number.utf8.allSatisfy { 48...57 ~= $0 }
    }
    return areDigits ? String(letters) : nil
  }

  static func isCounting(_ numbers: [Int]) -> Bool {
    guard let first = numbers.first, first == 0 || first == 1 else { return false }
    return numbers.elementsEqual(first..<(first + numbers.count))
  }

  /// Returns whether a text consists of numbers of any kind separated by blanks.
  static func isPixelText(_ text: String) -> Bool {
    let numbers = text.split { $0 == " " || $0 == "\t" }
    return !numbers.isEmpty && numbers.prefix(64).allSatisfy { Double($0) != nil }
  }
}

/// The meaning of the columns of a CSV file without a header, guessed from the values of its first
/// rows.
enum PixelCSVGuess {
  /// The columns; `nil` if the rows are not pixels.
  ///
  /// - Parameter rows: the fields of the first rows, at least one.
  /// - Throws: ``PixelCSVColumns/Mismatch`` if the label can be in two columns.
  static func columns(_ rows: [[String]]) throws(PixelCSVColumns.Mismatch) -> PixelCSVColumns? {
    guard let first = rows.first else { return nil }
    if let columns = text(first) { return columns }
    return try values(rows, first)
  }

  /// One column of pixels separated by blanks; the first other column is the label.
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
        it has no header, numbers separated by blanks in column \(pixels + 1)\
        \(label.map { ", and the label in column \($0 + 1)" } ?? "")
        """)
    columns.isUsage = true
    return columns
  }

  /// One column per pixel, and one for the label: the first, unless the values indicate otherwise.
  private static func values(
    _ rows: [[String]], _ first: [String]
  ) throws(PixelCSVColumns.Mismatch) -> PixelCSVColumns? {
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
    } else if last >= fewestPixels, canBeLabel(rows, last) {
      throw PixelCSVColumns.Mismatch(
        reason: """
          it has no header, and its last column can be the label as well as its first: write a first line that names \
          them, label,pixel0,pixel1,… or pixel0,pixel1,…,label
          """)
    }
    return columns
  }

  /// The number of pixels from which on a label in the last column is considered.
  private static let fewestPixels = 16

  /// True if a column has small whole numbers, and several of them.
  private static func canBeLabel(_ rows: [[String]], _ column: Int) -> Bool {
    let values = rows.map { $0.indices.contains(column) ? Int($0[column]) : nil }
    return Set(values).count > 1 && values.allSatisfy { $0.map { (0..<100).contains($0) } ?? false }
  }

  private static func isConstant(_ rows: [[String]], _ column: Int) -> Bool {
    rows.allSatisfy { $0.indices.contains(column) && $0[column] == rows[0][column] }
  }
}
