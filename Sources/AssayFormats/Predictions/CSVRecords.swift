/// The records of a CSV text, one after another, with line ends inside quotes.
///
/// A byte order mark and blank lines are skipped; blanks around a field are part of it. Source: RFC
/// 4180.
struct CSVRecords {
  /// A field of a record: its bytes in the text, without the quotes around it.
  struct Field {
    var range: Range<Int>
    var isQuoted = false
    /// True if it contains doubled quotes.
    var isDoubled = false
  }

  private let file: String
  private let bytes: UnsafeRawBufferPointer
  private let separator: UInt8
  /// The offset of the next record.
  private(set) var position: Int
  /// The line number at the position, from 1.
  private(set) var line: Int
  /// The line number at which the last record started, from 1.
  private(set) var recordLine = 0

  private static let quote = UInt8(ascii: "\"")
  static let comma = UInt8(ascii: ",")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// - Parameters:
  ///   - file: the file's name, for errors.
  ///   - separator: the byte between two fields.
  ///   - line: the line number of the first byte, from 1.
  init(
    _ bytes: UnsafeRawBufferPointer, file: String, separator: UInt8 = Self.comma, line: Int = 1
  ) {
    self.bytes = bytes
    self.file = file
    self.separator = separator
    self.line = line
    let isMarked = line == 1 && bytes.starts(with: TableHead.byteOrderMark)
    position = isMarked ? TableHead.byteOrderMark.count : 0
  }

  /// The bytes of a field, as they are in the text.
  func bytes(of field: Field) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[field.range])
  }

  /// Reads the records of a file that is in memory.
  ///
  /// - Parameter file: its name, for errors.
  /// - Throws: the errors of `read`.
  static func reading(
    _ text: [UInt8], file: String, _ read: (inout CSVRecords) throws(FormatError) -> Void
  ) throws(FormatError) {
    let result: Result<Void, FormatError> = text.withUnsafeBytes { bytes in
      var records = CSVRecords(bytes, file: file)
      do throws(FormatError) {
        return .success(try read(&records))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// The fields of the next record; `false` at the end.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)`` for quotes that are not closed or not at a
  ///   field's ends.
  mutating func next(into fields: inout [Field]) throws(FormatError) -> Bool {
    fields.removeAll(keepingCapacity: true)
    skipBlankLines()
    guard position < bytes.count else { return false }
    recordLine = line
    while true {
      fields.append(try field())
      guard position < bytes.count else { return true }
      let byte = bytes[position]
      position += 1
      if byte == separator { continue }
      if byte == Self.carriageReturn { position += 1 }
      line += 1
      return true
    }
  }

  /// A field's text.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)`` if it is not UTF-8.
  func text(_ field: Field) throws(FormatError) -> String {
    let part = UnsafeRawBufferPointer(rebasing: bytes[field.range])
    guard let text = String(validating: part, as: UTF8.self) else {
      throw .table(file, line: recordLine, problem: "invalid UTF-8")
    }
    return field.isDoubled ? text.replacing("\"\"", with: "\"") : text
  }

  private mutating func skipBlankLines() {
    while position < bytes.count {
      if isLineEnd(position) {
        position += bytes[position] == Self.lineFeed ? 1 : 2
        line += 1
      } else {
        return
      }
    }
  }

  /// Returns whether a line ends at a position: LF, or CR followed by LF.
  private func isLineEnd(_ place: Int) -> Bool {
    bytes[place] == Self.lineFeed
      || (bytes[place] == Self.carriageReturn && place + 1 < bytes.count
        && bytes[place + 1] == Self.lineFeed)
  }

  private mutating func field() throws(FormatError) -> Field {
    guard position < bytes.count, bytes[position] == Self.quote else {
      let start = position
      while position < bytes.count, bytes[position] != separator, !isLineEnd(position) {
        position += 1
      }
      return Field(range: start..<position)
    }
    var field = Field(range: (position + 1)..<(position + 1), isQuoted: true)
    position += 1
    while true {
      guard position < bytes.count else {
        throw .table(file, line: recordLine, problem: "missing closing quote")
      }
      let byte = bytes[position]
      position += 1
      if byte == Self.lineFeed { line += 1 }
      guard byte == Self.quote else { continue }
      if position < bytes.count, bytes[position] == Self.quote {
        field.isDoubled = true
        position += 1
        continue
      }
      field.range = field.range.lowerBound..<(position - 1)
      guard position >= bytes.count || bytes[position] == separator || isLineEnd(position) else {
        throw .table(
          file, line: line, problem: "text between a closing quote and the next separator")
      }
      return field
    }
  }
}
