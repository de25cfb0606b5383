import AssayCore
import Glibc

/// Goes through the lines of a text file with their places, in bounded memory.
enum LineScan {
  /// A line without its line end.
  struct Line {
    var bytes: UnsafeRawBufferPointer
    /// The place of its first byte in the file.
    var offset: Int
    /// The number of its bytes in the file, with the line end.
    var length: Int
    /// From 1.
    var number: Int
  }

  /// The number of bytes that are read at a time.
  private static let step = 1 << 20

  /// Calls `body` with every line that is not blank. A byte order mark is not part of the first line.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)`` for a line over the limit; any error that the
  ///   tree or `body` throws.
  static func run(
    _ tree: any SourceTree, _ path: String, _ body: (Line) throws -> Void
  ) throws {
    var buffer = [UInt8](repeating: 0, count: step)
    var (filled, base, number) = (0, 0, 0)
    while true {
      if filled == buffer.count {
        guard filled <= LineBlocks.lineLimit else {
          throw FormatError.table(
            path, line: number + 1, problem: "the line has more than \(LineBlocks.lineLimit) bytes")
        }
        buffer += [UInt8](repeating: 0, count: filled)
      }
      let isEnd = try buffer.withUnsafeMutableBytes { bytes in
        let free = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
        let count = try tree.read(path, at: base + filled, into: free)
        filled += count
        let text = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<filled])
        let used = try lines(of: text, isEnd: count == 0, base, &number, body)
        if used > 0, used < filled, let start = bytes.baseAddress {
          memmove(start, start + used, filled - used)
        }
        filled -= used
        base += used
        return count == 0
      }
      if isEnd { return }
    }
  }

  /// Calls `body` with the complete lines, and returns the number of their bytes.
  private static func lines(
    of text: UnsafeRawBufferPointer, isEnd: Bool, _ base: Int, _ number: inout Int,
    _ body: (Line) throws -> Void
  ) throws -> Int {
    guard let start = text.baseAddress else { return 0 }
    var place = 0
    while place < text.count {
      var length = text.count - place
      if let end = memchr(start + place, 0x0A, length) {
        length = UnsafeRawPointer(end) - (start + place) + 1
      } else if !isEnd {
        break
      }
      number += 1
      try give(
        UnsafeRawBufferPointer(start: start + place, count: length), base + place, number, body)
      place += length
    }
    return place
  }

  private static func give(
    _ text: UnsafeRawBufferPointer, _ offset: Int, _ number: Int, _ body: (Line) throws -> Void
  ) throws {
    var (start, end) = (0, text.count)
    if end > 0, text[end - 1] == 0x0A { end -= 1 }
    if end > 0, text[end - 1] == 0x0D { end -= 1 }
    if number == 1, text.starts(with: TableHead.byteOrderMark) { start = 3 }
    guard start < end else { return }
    let bytes = UnsafeRawBufferPointer(rebasing: text[start..<end])
    guard !bytes.allSatisfy(CSVFields.isBlank) else { return }
    try body(Line(bytes: bytes, offset: offset, length: text.count, number: number))
  }
}
