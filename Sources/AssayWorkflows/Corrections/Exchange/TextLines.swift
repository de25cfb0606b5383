import Foundation

/// The lines of a file, one after another, without line feeds. Lines longer than a limit are
/// rejected.
struct TextLines {
  /// The maximum number of bytes per line: a payload of maximum size with every byte escaped, plus
  /// room for the rest.
  static let lineLimit = 100 << 20
  private static let chunk = 1 << 20

  enum Failure: Error {
    case cannotRead(String)
    case tooLong(line: Int)
  }

  /// The size of the whole file in bytes.
  let size: Int
  /// The number of bytes returned so far.
  private(set) var done = 0
  /// The number of the line that was returned last, starting at 1.
  private(set) var number = 0

  private let file: FileHandle
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  private let limit: Int

  init(_ path: String, limit: Int = lineLimit) throws(Failure) {
    self.limit = limit
    var facts = stat()
    guard stat(path, &facts) == 0 else { throw .cannotRead(String(cString: strerror(errno))) }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw .cannotRead("it is not a regular file") }
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw .cannotRead("permission denied")
    }
    self.file = file
    size = Int(facts.st_size)
  }

  /// The next non-empty line; `nil` at the end.
  mutating func next() throws(Failure) -> [UInt8]? {
    while let line = try nextLine() {
      number += 1
      guard line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) else { return line }
    }
    return nil
  }

  private mutating func nextLine() throws(Failure) -> [UInt8]? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        let line = Array(buffer[start..<end])
        done += line.count + 1
        start = end + 1
        return line
      }
      guard buffer.count - start <= limit else { throw .tooLong(line: number + 1) }
      guard !isAtEnd else {
        guard start < buffer.count else { return nil }
        let line = Array(buffer[start...])
        (done, start) = (done + line.count, buffer.count)
        return line
      }
      searched = buffer.count - start
      buffer.removeFirst(start)
      start = 0
      let more: Data?
      do { more = try file.read(upToCount: Self.chunk) } catch {
        throw .cannotRead(error.localizedDescription)
      }
      if let more, !more.isEmpty { buffer += more } else { isAtEnd = true }
    }
  }
}
