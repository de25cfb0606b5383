import AssayCore

/// The bytes of one file from beginning to end, decompressed if it is gzip, with the SHA-256 of the
/// file on disk.
struct ByteStream {
  private let tree: any SourceTree
  private let path: String
  /// The file's size on disk in bytes, for progress.
  private let size: Int
  private var offset = 0
  private var hash: ContentHash?
  private var inflater: GzipInflater?
  private let limits: GzipInflater.Limits

  /// Opens the file; its first bytes determine whether it is gzip.
  ///
  /// - Throws: any error that the tree throws.
  init(
    _ tree: any SourceTree, _ file: SourceFile, hashing: Bool = false,
    limits: GzipInflater.Limits = GzipInflater.Limits()
  ) throws {
    self.tree = tree
    self.limits = limits
    path = file.path
    size = file.size
    hash = hashing ? ContentHash() : nil
    var magic: [UInt8] = [0, 0]
    let count = try magic.withUnsafeMutableBytes { try tree.read(file.path, at: 0, into: $0) }
    if count == 2, magic == GzipInflater.magic { inflater = try GzipInflater(limits: limits) }
  }

  /// True if the file is gzip.
  var isCompressed: Bool { inflater != nil }

  /// The share of the file on disk that has been read, in 0...1.
  var progress: Double { size == 0 ? 1 : min(1, Double(offset) / Double(size)) }

  /// The damage of the compressed data, known at the end; `nil` for none.
  var damage: String? { inflater?.damage }

  /// True if ``damage`` is a checksum that does not match the data, all of which was decompressed.
  var hasWrongChecksum: Bool { inflater?.hasWrongChecksum ?? false }

  /// The SHA-256 of the bytes read from disk; of the whole file once the end has been reached.
  func contentHash() -> String? { hash?.hexadecimal() }

  /// Fills the buffer as far as possible and returns the number of bytes; fewer than requested only
  /// at the end.
  ///
  /// - Throws: ``FormatError/expandsTooFar(_:bytes:ratio:)``; any error that the tree throws.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = try inflater == nil ? readPlain(into: rest) : readPacked(into: rest)
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// The next bytes; fewer than requested only at the end.
  ///
  /// - Throws: any error that the tree throws.
  mutating func read(upTo limit: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = try read(into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  private mutating func readPlain(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let count = try tree.read(path, at: offset, into: buffer)
    offset += count
    hash?.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    return count
  }

  private mutating func readPacked(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard let inflater else { return 0 }
    while true {
      let count = inflater.inflate(into: buffer)
      guard !inflater.expandsTooFar else {
        throw FormatError.expandsTooFar(path, bytes: limits.freeBytes, ratio: limits.ratio)
      }
      if count > 0 { return count }
      if inflater.isExhausted {
        // The bytes after the end of the compressed data, or after damage, are also part of the
        // file's hash.
        while try readPlain(into: buffer) > 0 {}
        return 0
      }
      let taken = try inflater.refill { try tree.read(path, at: offset, into: $0) }
      offset += taken.count
      hash?.update(taken)
    }
  }
}
