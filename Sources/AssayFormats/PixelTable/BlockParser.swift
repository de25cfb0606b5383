import AssayCore
import Glibc

/// Parses blocks of lines according to a ``PixelTable``. A block's result depends on nothing else.
struct BlockParser: Sendable {
  private let table: PixelTable
  private let scanner: PixelScanner

  init(_ table: PixelTable) {
    self.table = table
    scanner = PixelScanner(separator: table.separator)
  }

  /// Parses a block.
  ///
  /// - Parameter isFirst: whether it starts the file, so that it can begin with a byte order mark
  ///   and the header.
  func parse(_ block: LineBlock, isFirst: Bool) -> ParsedBlock {
    var parsed = ParsedBlock()
    parsed.progress = block.progress
    guard !block.isOverlong else {
      parsed.lines = 1
      parsed.rows = 1
      parsed.note(
        ParsedBlock.Finding(
          kind: .lineTooLong, severity: .error, line: 0,
          message: RowMessage.lineTooLong(limit: LineBlocks.lineLimit)))
      return parsed
    }
    let valueCount = table.valueCount
    // A value takes at least a digit and a separator; the scanner can write slightly beyond the
    // end.
    let capacity = (block.count / (2 * valueCount) + 1) * valueCount + LineBlock.padding
    parsed.pixels = [UInt8](unsafeUninitializedCapacity: capacity) { output, filled in
      block.bytes.withUnsafeBytes { bytes in
        var rows = RowParser(table: table, scanner: scanner, output: output)
        let text = UnsafeRawBufferPointer(rebasing: bytes[..<block.count])
        Self.forEachLine(of: text, isFirst: isFirst) { line, isUnfinished in
          if isFirst, table.hasHeader, !rows.hasSkippedHeader {
            rows.skipHeader(line, &parsed)
          } else {
            rows.parse(line, isUnfinished: isUnfinished && block.isUnfinished, &parsed)
          }
        }
        rows.finish(&parsed)
      }
      filled = parsed.accepted.count * valueCount
    }
    return parsed
  }

  /// Passes every line without its line end; a byte order mark is omitted.
  @inline(__always)
  private static func forEachLine(
    of text: UnsafeRawBufferPointer, isFirst: Bool,
    _ body: (UnsafeRawBufferPointer, _ isUnfinished: Bool) -> Void
  ) {
    guard let base = text.baseAddress else { return }
    var start = 0
    if isFirst, text.starts(with: TableHead.byteOrderMark) { start = TableHead.byteOrderMark.count }
    while start < text.count {
      let found = memchr(base + start, 0x0A, text.count - start)
      let next = found.map { UnsafeRawPointer($0) - base } ?? text.count
      var end = next
      if end > start, text[end - 1] == 0x0D { end -= 1 }
      body(UnsafeRawBufferPointer(rebasing: text[start..<end]), found == nil)
      start = next + 1
    }
  }
}
