import AssayCore

/// Parses the rows of one block, one after another, into one array of pixels.
///
/// A row in the common spelling is read directly; every other row goes to ``LenientRow``, which
/// decides.
struct RowParser {
  private let table: PixelTable
  private let scanner: PixelScanner
  private let output: UnsafeMutableBufferPointer<UInt8>
  private let valueCount: Int
  private let margins: (before: Int, behind: Int)?
  private var labels: LabelReader
  private var splitPlaces: [String: Int32] = [:]
  private(set) var hasSkippedHeader = false

  /// - Parameter output: space for all rows of the block and ``LineBlock/padding``.
  init(
    table: PixelTable, scanner: PixelScanner, output: UnsafeMutableBufferPointer<UInt8>
  ) {
    self.table = table
    self.scanner = scanner
    self.output = output
    valueCount = table.valueCount
    margins = table.margins
    labels = LabelReader(table.labels)
  }

  /// Skips the header, or a blank line before it.
  mutating func skipHeader(_ line: UnsafeRawBufferPointer, _ parsed: inout ParsedBlock) {
    parsed.lines += 1
    if !Self.isBlank(line) { hasSkippedHeader = true }
  }

  /// Parses a line, which is followed by ``LineBlock/padding`` readable bytes.
  ///
  /// - Parameter isUnfinished: whether the file ends with this line without a line end.
  mutating func parse(
    _ line: UnsafeRawBufferPointer, isUnfinished: Bool, _ parsed: inout ParsedBlock
  ) {
    let number = parsed.lines
    parsed.lines += 1
    guard !Self.isBlank(line) else { return }
    let row = parsed.rows
    parsed.rows += 1
    let used = parsed.accepted.count * valueCount
    guard used + valueCount + LineBlock.padding <= output.count,
      let pixels = output.baseAddress?.advanced(by: used)
    else { return }
    do throws(RowProblem) {
      let texts: RowTexts
      if let plain = readPlainly(line, into: pixels) {
        texts = plain
      } else {
        texts = try LenientRow.read(line, table, isUnfinished: isUnfinished, into: pixels)
      }
      try accept(texts, row: row, line: number, &parsed)
    } catch {
      parsed.note(
        ParsedBlock.Finding(
          kind: error.kind, severity: .error, line: number, message: error.message(table)))
    }
  }

  /// Stores the data shared by the rows.
  mutating func finish(_ parsed: inout ParsedBlock) { parsed.discovered = labels.discovered }

  /// The label and the split of a row in the common spelling, after reading its pixels; `nil` for
  /// all other rows.
  private func readPlainly(
    _ line: UnsafeRawBufferPointer, into pixels: UnsafeMutablePointer<UInt8>
  ) -> RowTexts? {
    guard let margins else { return nil }
    var texts = RowTexts()
    var start = 0
    for column in 0..<margins.before {
      guard let end = Self.comma(line, from: start) else { return nil }
      guard take(line, start..<end, column: column, &texts) else { return nil }
      start = end + 1
    }
    var end = line.count
    for column in 0..<margins.behind {
      var comma = end - 1
      while comma >= start, line[comma] != 0x2C {
        if line[comma] == 0x22 { return nil }
        comma -= 1
      }
      guard comma >= start else { return nil }
      guard take(line, (comma + 1)..<end, column: table.columnCount - 1 - column, &texts) else {
        return nil
      }
      end = comma
    }
    if case .text = table.pixels, end - start >= 2, line[start] == 0x22, line[end - 1] == 0x22 {
      start += 1
      end -= 1
    }
    let text = UnsafeRawBufferPointer(rebasing: line[start..<end])
    return scanner.scan(text, into: pixels, expecting: valueCount) ? texts : nil
  }

  /// The position of the next comma; `nil` if there is none or a quote comes first.
  private static func comma(_ line: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var position = start
    while position < line.count, line[position] != 0x2C {
      if line[position] == 0x22 { return nil }
      position += 1
    }
    return position < line.count ? position : nil
  }

  /// Takes a field if it is the label or the split; `false` if it is not UTF-8.
  private func take(
    _ line: UnsafeRawBufferPointer, _ range: Range<Int>, column: Int, _ texts: inout RowTexts
  ) -> Bool {
    let isLabel = column == table.labelColumn
    guard isLabel || column == table.splitColumn else { return true }
    var range = range
    while let last = range.last, CSVFields.isBlank(line[last]) {
      range = range.lowerBound..<last
    }
    while let first = range.first, CSVFields.isBlank(line[first]) {
      range = (first + 1)..<range.upperBound
    }
    let bytes = UnsafeRawBufferPointer(rebasing: line[range])
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    if isLabel { texts.label = text } else { texts.split = text }
    return true
  }

  /// Accepts a row whose pixels have been read.
  ///
  /// - Throws: ``RowProblem`` if the label is not a class.
  private mutating func accept(
    _ texts: RowTexts, row: Int, line: Int, _ parsed: inout ParsedBlock
  ) throws(RowProblem) {
    var category: Int32 = -1
    if table.labelColumn != nil {
      switch labels.read(texts.label) {
      case .category(let place): category = Int32(place)
      case .unknown: throw .unknownLabel(texts.label)
      case .missing:
        parsed.note(
          ParsedBlock.Finding(
            kind: .missingLabel, severity: .warning, line: line, row: row,
            message: RowMessage.missingLabel))
      }
    }
    let (split, isKnown) = table.splits.split(named: texts.split)
    if table.splitColumn != nil, table.splits.reportsUnknown, !isKnown {
      parsed.note(
        ParsedBlock.Finding(
          kind: .unknownSplit, severity: .warning, line: line, row: row,
          message: RowMessage.unknownSplit(texts.split)))
    }
    parsed.accepted.append(
      ParsedBlock.Row(
        number: Int32(truncatingIfNeeded: row), category: category,
        split: place(of: split, &parsed)))
  }

  private mutating func place(of split: String?, _ parsed: inout ParsedBlock) -> Int32 {
    // A blank never starts or ends a split's name, so it can mean none.
    let key = split ?? " "
    if let place = splitPlaces[key] { return place }
    let place = Int32(parsed.splits.count)
    splitPlaces[key] = place
    parsed.splits.append(split)
    return place
  }

  private static func isBlank(_ line: UnsafeRawBufferPointer) -> Bool {
    line.allSatisfy(CSVFields.isBlank)
  }
}

/// A row's texts, without surrounding blanks; empty if there is no such column.
struct RowTexts: Hashable {
  var label = ""
  var split = ""
}

/// Reads a row in any spelling that RFC 4180 allows, and reports the problem with all others.
enum LenientRow {
  /// The label and the split of a row, after reading its pixels.
  ///
  /// - Throws: the first ``RowProblem`` found.
  static func read(
    _ line: UnsafeRawBufferPointer, _ table: PixelTable, isUnfinished: Bool,
    into pixels: UnsafeMutablePointer<UInt8>
  ) throws(RowProblem) -> RowTexts {
    let fields = CSVFields(line)
    guard fields.ranges.count == table.columnCount, !fields.isOpen else {
      if isUnfinished, fields.ranges.count <= table.columnCount {
        throw .truncatedFields(fields.ranges.count)
      }
      throw fields.isOpen ? .openQuote : .fields(fields.ranges.count)
    }
    if let junk = fields.junk {
      throw .textAfterQuote(String(decoding: line[junk].prefix(24), as: UTF8.self))
    }
    do {
      try readPixels(line, fields, table, into: pixels)
    } catch {
      if isUnfinished, case .count(let count) = error, count < table.valueCount {
        throw .truncatedPixels(count)
      }
      throw .pixels(error)
    }
    var texts = RowTexts()
    if let column = table.labelColumn {
      guard let text = fields.text(column, of: line) else { throw .badUTF8 }
      texts.label = text
    }
    if let column = table.splitColumn {
      guard let text = fields.text(column, of: line) else { throw .badUTF8 }
      texts.split = text
    }
    return texts
  }

  private static func readPixels(
    _ line: UnsafeRawBufferPointer, _ fields: CSVFields, _ table: PixelTable,
    into pixels: UnsafeMutablePointer<UInt8>
  ) throws(LenientPixels.Problem) {
    switch table.pixels {
    case .text(let column):
      let text = UnsafeRawBufferPointer(rebasing: line[fields.ranges[column]])
      try LenientPixels.read(text, into: pixels, expecting: table.valueCount)
    case .columns(let columns):
      for (place, column) in columns.enumerated() {
        let text = UnsafeRawBufferPointer(rebasing: line[fields.ranges[column]])
        pixels[place] = try LenientPixels.value(text, place: place)
      }
    }
  }
}
