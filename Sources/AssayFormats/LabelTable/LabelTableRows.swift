import AssayCore

/// The rows of a CSV file after its header, one after another, in bounded memory.
///
/// A quoted field can contain commas, but no line ends.
struct LabelTableRows {
  /// A row: its bytes and the ranges of its fields.
  struct Row {
    /// The line number in the file, from 1.
    var line: Int
    fileprivate var bytes: Range<Int>
    fileprivate var fields: CSVFields
  }

  private let file: String
  private let count: Int
  private var blocks: LineBlocks
  private var block = LineBlock(bytes: [], count: 0, progress: 0)
  private var position = 0
  private var line = 0
  private var isHeader = true

  /// - Parameter isHashed: whether to compute the file's hash.
  /// - Throws: any error that the tree throws.
  init(
    _ tree: any SourceTree, _ file: SourceFile, _ columns: LabelTableColumns, isHashed: Bool = false
  ) throws {
    self.file = file.path
    count = columns.count
    blocks = LineBlocks(try ByteStream(tree, file, hashing: isHashed), blockBytes: 1 << 19)
  }

  /// The share of the file that has been read, in 0...1.
  var progress: Double { block.progress }

  /// The hexadecimal SHA-256 of the file; available after the last row.
  func contentHash() -> String? { blocks.contentHash() }

  /// The next row; `nil` at the end.
  ///
  /// - Throws: ``FormatError`` for a row with a different number of fields than the header, a line
  ///   over the limit and a damaged file; any error that the tree throws.
  mutating func next() throws -> Row? {
    while true {
      guard position < block.count else {
        guard let next = try blocks.next(reusing: block.bytes) else {
          if let damage = blocks.damage { throw FormatError.damagedFile(file, reason: damage) }
          return nil
        }
        guard !next.isOverlong else {
          throw FormatError.table(
            file, line: line + 1, problem: "the line has more than \(LineBlocks.lineLimit) bytes")
        }
        block = next
        position = 0
        continue
      }
      let start = position
      var end = block.bytes[start..<block.count].firstIndex(of: UInt8(ascii: "\n")) ?? block.count
      position = end + 1
      line += 1
      if end > start, block.bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      if block.bytes[start..<end].allSatisfy(CSVFields.isBlank) { continue }
      if isHeader {
        isHeader = false
        continue
      }
      let fields = block.bytes[start..<end].withUnsafeBytes { CSVFields($0) }
      try check(fields)
      return Row(line: line, bytes: start..<end, fields: fields)
    }
  }

  private func check(_ fields: CSVFields) throws(FormatError) {
    let problem: String
    if fields.isOpen {
      problem = "a quote is opened and not closed in its line"
    } else if fields.junk != nil {
      problem = "text between a closing quote and the next comma"
    } else if fields.ranges.count != count {
      problem =
        "\(Counted.text(fields.ranges.count, "field", "fields")) where the header has \(count); quote fields with commas"
    } else {
      return
    }
    throw .table(file, line: line, problem: problem)
  }

  /// A field of the last returned row, without surrounding blanks.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)`` if it is not UTF-8.
  func text(_ column: Int, of row: Row) throws(FormatError) -> String {
    let text = block.bytes[row.bytes].withUnsafeBytes { row.fields.text(column, of: $0) }
    guard let text else {
      throw .table(file, line: row.line, problem: "bytes that are not UTF-8")
    }
    return text
  }
}
