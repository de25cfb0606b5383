import AssayCore

/// Reads a row in any spelling that RFC 4180 allows, and says what is wrong with the others.
enum LenientRow {
  /// The label and the split of a row, its pixels being read.
  ///
  /// - Throws: the first ``RowProblem`` that was found.
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
