import AssayCore

/// The first lines of a CSV file, enough to determine how to read the rest.
struct TableHead: Hashable, Sendable {
  /// The file's path in its tree.
  var file: String
  /// The first lines that are not blank, complete, without line ends and byte order mark: at least
  /// one.
  var lines: [[UInt8]]

  /// The bytes EF BB BF, which some programs write at the start of UTF-8 files.
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The maximum number of lines that are examined.
  static let lineLimit = 64

  /// The number of bytes of text to read at a time until there are two lines.
  private static let step = 1 << 20

  /// Reads the beginning of a file.
  ///
  /// - Throws: ``FormatError/emptyFile(_:)`` if it contains only blanks,
  ///   ``FormatError/binaryFile(_:found:)`` if it is not text,
  ///   ``FormatError/headerTooLong(_:limit:)`` if the first line does not end within
  ///   ``LineBlocks/lineLimit``, ``FormatError/rowTooLong(_:limit:)`` for the second; any error
  ///   that the tree throws.
  static func read(_ tree: any SourceTree, _ file: SourceFile) throws -> TableHead {
    var stream = try ByteStream(tree, file)
    var bytes: [UInt8] = []
    var ended = false
    var lines: [[UInt8]] = []
    while true {
      let piece = try stream.read(upTo: step)
      bytes += piece
      ended = piece.count < step
      if let found = SourceContent.binaryKind(of: bytes) {
        throw FormatError.binaryFile(file.path, found: found)
      }
      lines = Self.lines(of: bytes, ended: ended)
      if ended || lines.count >= 2 { break }
      guard bytes.count <= LineBlocks.lineLimit else {
        guard lines.isEmpty else { break }
        throw FormatError.headerTooLong(file.path, limit: LineBlocks.lineLimit)
      }
    }
    if lines.first?.contains(0x0D) ?? false {
      throw FormatError.binaryFile(
        file.path, found: "text whose lines end in CR alone (tr '\\r' '\\n' makes them LF)")
    }
    if lines.count == 1, !ended {
      throw FormatError.rowTooLong(file.path, limit: LineBlocks.lineLimit)
    }
    guard !lines.isEmpty else {
      if let damage = stream.damage { throw FormatError.damagedFile(file.path, reason: damage) }
      throw FormatError.emptyFile(file.path)
    }
    return TableHead(file: file.path, lines: lines)
  }

  /// The complete lines that are not blank, up to ``lineLimit``.
  private static func lines(of bytes: [UInt8], ended: Bool) -> [[UInt8]] {
    let text = bytes.starts(with: byteOrderMark) ? bytes[byteOrderMark.count...] : bytes[...]
    var pieces = text.split(
      separator: 0x0A, maxSplits: 4 * lineLimit, omittingEmptySubsequences: false)
    if !ended || pieces.count > 4 * lineLimit { pieces.removeLast() }
    let lines = pieces.lazy.map { $0.last == 0x0D ? $0.dropLast() : $0 }
      .filter { !$0.allSatisfy(CSVFields.isBlank) }
    return lines.prefix(lineLimit).map { Array($0) }
  }

  /// The fields of the first line.
  var firstFields: [String] { CSVFields.texts(of: lines[0]) }
}
