import Glibc

/// Some complete lines of a text, or a marker for a line that was too long.
struct LineBlock: Sendable {
  /// The text, followed by at least ``padding`` readable bytes without meaning.
  var bytes: [UInt8]
  /// The number of bytes of the text, including line ends; 0 if the line was too long.
  var count: Int
  /// True if this is one line over the limit, which was skipped.
  var isOverlong = false
  /// True if the text is the end of the file and has no line end.
  var isUnfinished = false
  /// The share of the file on disk that has been read, in 0...1.
  var progress: Double

  /// The number of readable bytes beyond the end of a block.
  static let padding = 64
}

/// A text split into blocks of complete lines, in order, in bounded memory.
struct LineBlocks {
  private var stream: ByteStream
  private let blockBytes: Int
  private let lineLimit: Int
  /// The bytes after the last line end that was delivered.
  private var carry: [UInt8] = []
  private var ended = false

  /// The maximum length of a line, in bytes: 16 MiB.
  static let lineLimit = 1 << 24

  init(_ stream: ByteStream, blockBytes: Int, lineLimit: Int = LineBlocks.lineLimit) {
    self.stream = stream
    self.blockBytes = max(1, blockBytes)
    self.lineLimit = max(1, lineLimit)
  }

  /// The damage of the compressed data; valid after the last block.
  var damage: String? { stream.damage }

  /// True if the damage is a wrong checksum after complete data.
  var hasWrongChecksum: Bool { stream.hasWrongChecksum }

  /// The SHA-256 of the file; available after the last block.
  func contentHash() -> String? { stream.contentHash() }

  /// The next block; `nil` at the end.
  ///
  /// - Parameter bytes: memory to reuse for the block, such as that of a block that is no longer
  ///   needed; consumed.
  /// - Throws: any error that the tree throws.
  mutating func next(reusing bytes: consuming [UInt8] = []) throws -> LineBlock? {
    guard !ended || !carry.isEmpty else { return nil }
    var capacity = max(blockBytes, carry.count)
    Self.grow(&bytes, to: capacity)
    var filled = carry.count
    bytes.replaceSubrange(0..<filled, with: carry)
    carry.removeAll(keepingCapacity: true)
    while true {
      if !ended {
        let (start, end) = (filled, capacity)
        filled += try bytes.withUnsafeMutableBytes {
          try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[start..<end]))
        }
        ended = filled < capacity
      }
      if let end = bytes[..<filled].lastIndex(of: UInt8(ascii: "\n")) {
        carry.append(contentsOf: bytes[(end + 1)..<filled])
        return LineBlock(bytes: bytes, count: end + 1, progress: stream.progress)
      }
      if ended, filled <= lineLimit {
        guard filled > 0 else { return nil }
        return LineBlock(
          bytes: bytes, count: filled, isUnfinished: true, progress: stream.progress)
      }
      if filled > lineLimit { return try skipLine(reusing: bytes) }
      capacity = min(capacity * 2, lineLimit + 1)
      Self.grow(&bytes, to: capacity)
    }
  }

  /// Reads on to the end of the line without keeping it.
  private mutating func skipLine(reusing bytes: consuming [UInt8]) throws -> LineBlock {
    while !ended {
      let count = try bytes.withUnsafeMutableBytes { try stream.read(into: $0) }
      ended = count < bytes.count
      if let end = bytes[..<count].firstIndex(of: UInt8(ascii: "\n")) {
        carry.append(contentsOf: bytes[(end + 1)..<count])
        break
      }
    }
    return LineBlock(bytes: bytes, count: 0, isOverlong: true, progress: stream.progress)
  }

  /// Reserves space for this many bytes of text and the padding; existing bytes are kept.
  private static func grow(_ bytes: inout [UInt8], to capacity: Int) {
    let wanted = capacity + LineBlock.padding
    guard bytes.count < wanted else { return }
    bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0) }
      memset(base + bytes.count, 0, wanted - bytes.count)
      count = wanted
    }
  }
}
