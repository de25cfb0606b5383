/// The fields of one line of a CSV file.
///
/// Quoted fields can contain commas and doubled quotes, but no line ends. Blanks around a field are
/// not part of it. Source: RFC 4180.
struct CSVFields {
  /// Each field as bytes of the line, without the quotes around it.
  private(set) var ranges: [Range<Int>] = []
  /// True if a quoted field is still open at the line's end.
  private(set) var isOpen = false
  /// The text between a closing quote and the next comma, for the first such field; blanks are
  /// ignored.
  private(set) var junk: Range<Int>?
  /// The fields with doubled quotes inside.
  private var doubled: Set<Int> = []

  private let delimiter: UInt8

  private static let quote = UInt8(ascii: "\"")
  /// The delimiter of CSV.
  static let comma = UInt8(ascii: ",")

  /// - Parameter delimiter: the byte between fields; never part of the blanks around them.
  init(_ line: UnsafeRawBufferPointer, delimiter: UInt8 = CSVFields.comma) {
    self.delimiter = delimiter
    var position = 0
    repeat {
      var start = position
      while start < line.count, isPadding(line[start]) { start += 1 }
      if start < line.count, line[start] == Self.quote {
        position = quotedField(line, from: start + 1)
      } else {
        while position < line.count, line[position] != delimiter { position += 1 }
        var end = position
        while end > start, isPadding(line[end - 1]) { end -= 1 }
        ranges.append(min(start, end)..<end)
      }
      position += 1
    } while position <= line.count
  }

  /// Reads the field whose opening quote is before `start`, and returns the end of the field.
  private mutating func quotedField(_ line: UnsafeRawBufferPointer, from start: Int) -> Int {
    var end = start
    while end < line.count {
      if line[end] == Self.quote {
        guard end + 1 < line.count, line[end + 1] == Self.quote else { break }
        doubled.insert(ranges.count)
        end += 1
      }
      end += 1
    }
    if end >= line.count { isOpen = true }
    ranges.append(start..<min(end, line.count))
    let close = min(end + 1, line.count)
    var position = close
    while position < line.count, line[position] != delimiter { position += 1 }
    if junk == nil, line[close..<position].contains(where: { !isPadding($0) }) {
      junk = close..<position
    }
    return position
  }

  /// A field's text; `nil` if it is not UTF-8.
  func text(_ field: Int, of line: UnsafeRawBufferPointer) -> String? {
    let bytes = UnsafeRawBufferPointer(rebasing: line[ranges[field]])
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return doubled.contains(field) ? text.replacing("\"\"", with: "\"") : text
  }

  /// Returns whether a byte is a blank around fields.
  private func isPadding(_ byte: UInt8) -> Bool { byte != delimiter && Self.isBlank(byte) }

  /// The fields of a line as texts, with invalid bytes replaced.
  static func texts(of line: [UInt8], delimiter: UInt8 = CSVFields.comma) -> [String] {
    line.withUnsafeBytes { bytes in
      let fields = CSVFields(bytes, delimiter: delimiter)
      return fields.ranges.indices.map { field in
        fields.text(field, of: bytes)
          ?? String(decoding: bytes[fields.ranges[field]], as: UTF8.self)
      }
    }
  }

  /// The bytes of one field of a line, without the quotes around it; `nil` if there are fewer fields.
  static func field(
    _ column: Int, of line: UnsafeRawBufferPointer, delimiter: UInt8 = CSVFields.comma
  ) -> UnsafeRawBufferPointer? {
    if line.contains(quote) {
      let fields = CSVFields(line, delimiter: delimiter)
      guard column < fields.ranges.count else { return nil }
      return UnsafeRawBufferPointer(rebasing: line[fields.ranges[column]])
    }
    var start = 0
    for _ in 0..<column {
      guard let end = line[start...].firstIndex(of: delimiter) else { return nil }
      start = end + 1
    }
    var end = line[start...].firstIndex(of: delimiter) ?? line.count
    while start < end, isBlank(line[start]) { start += 1 }
    while start < end, isBlank(line[end - 1]) { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: line[start..<end])
  }

  /// Returns whether a byte is a space or a tab.
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
