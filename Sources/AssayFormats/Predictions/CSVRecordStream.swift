import AssayCore

/// Reads the records of a CSV file block by block, so that the file need not fit into memory.
enum CSVRecordStream {
  /// The maximum number of bytes of a record.
  static let recordLimit = 64 << 20
  private static let blockSize = 1 << 20

  /// Passes all records of a file to `body`, in its order; plain or gzip.
  ///
  /// - Throws: ``FormatError``; any error that `body` or the tree throws.
  static func forEach(
    _ tree: any SourceTree, _ file: SourceFile, separator: UInt8, block: Int = Self.blockSize,
    _ body: (CSVRecords, [CSVRecords.Field]) throws -> Void
  ) throws {
    var stream = try ByteStream(tree, file)
    var buffer: [UInt8] = []
    var fields: [CSVRecords.Field] = []
    var (line, isAtEnd) = (1, false)
    while !isAtEnd {
      let piece = try stream.read(upTo: max(block, buffer.count))
      isAtEnd = piece.count < max(block, buffer.count)
      if buffer.isEmpty { buffer = piece } else { buffer += piece }
      if line == 1, let found = SourceContent.binaryKind(of: Array(buffer.prefix(1 << 16))) {
        throw FormatError.binaryFile(file.path, found: found)
      }
      let used = try buffer.withUnsafeBytes { bytes -> Int in
        var records = CSVRecords(bytes, file: file.path, separator: separator, line: line)
        while true {
          let before = records
          let isRecord: Bool
          do throws(FormatError) {
            isRecord = try records.next(into: &fields)
          } catch {
            // A record that the block cuts looks damaged until the next block is there.
            guard !isAtEnd, records.position >= bytes.count - 2 else { throw error }
            line = before.line
            return before.position
          }
          guard isRecord else {
            line = records.line
            return bytes.count
          }
          guard isAtEnd || records.position < bytes.count else {
            line = before.line
            return before.position
          }
          try body(records, fields)
        }
      }
      buffer.removeFirst(used)
      guard buffer.count <= recordLimit else {
        throw FormatError.table(
          file.path, line: line,
          problem: "a row has more than \(recordLimit >> 20) MiB, the limit; is a quote missing?")
      }
    }
    if let damage = stream.damage { throw FormatError.damagedFile(file.path, reason: damage) }
  }

  /// The separator of a file from its first line; `nil` for a file of blank lines.
  ///
  /// A header with a comma is separated by commas.
  static func separator(_ tree: any SourceTree, _ file: SourceFile) throws -> UInt8? {
    var stream = try ByteStream(tree, file)
    var (isQuoted, isBlank) = (false, true)
    var seen: Set<UInt8> = []
    let candidates = PredictionFileOptions.Separator.allCases.map(\.byte)
    for byte in try stream.read(upTo: blockSize) {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: "\n"), !isQuoted, !isBlank { break }
      if byte > 0x20 { isBlank = false }
      if !isQuoted, candidates.contains(byte) { seen.insert(byte) }
    }
    guard !isBlank else { return nil }
    return candidates.first { seen.contains($0) } ?? CSVRecords.comma
  }
}
