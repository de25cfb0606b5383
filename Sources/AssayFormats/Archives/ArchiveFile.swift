import AssayCore

/// The bytes of an archive.
struct ArchiveFile: Sendable {
  let tree: any SourceTree
  /// The path of the archive in the tree.
  let path: String
  let size: Int

  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The bytes of a range; fewer at the end of the file.
  ///
  /// - Throws: any error that the tree throws.
  func bytes(at offset: Int, count: Int) throws -> [UInt8] {
    guard offset >= 0, count > 0, offset < size else { return [] }
    return try [UInt8](unsafeUninitializedCapacity: min(count, size - offset)) { buffer, filled in
      filled = try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  /// Fills the buffer as far as the file goes, and returns the number of bytes.
  ///
  /// - Throws: any error that the tree throws.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    var filled = 0
    while filled < buffer.count {
      let count = try tree.read(
        path, at: offset + filled, into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
      if count == 0 { break }
      filled += count
    }
    return filled
  }
}

/// Reads small records of an archive in ascending order, several with one access.
struct ArchiveWindow {
  let file: ArchiveFile
  /// The number of bytes that are read at a time.
  private let span: Int
  private var start = 0
  private var held: [UInt8] = []

  init(_ file: ArchiveFile, span: Int) {
    self.file = file
    self.span = span
  }

  /// The bytes of a range; `nil` if the file ends before it does.
  ///
  /// - Throws: any error that the tree throws.
  mutating func bytes(at offset: Int, count: Int) throws -> ArraySlice<UInt8>? {
    if offset < start || offset + count > start + held.count {
      held = try file.bytes(at: offset, count: max(count, span))
      start = offset
    }
    guard offset - start + count <= held.count else { return nil }
    // The slice starts at 0 in messages and reads alike.
    return ArraySlice(held[(offset - start)..<(offset - start + count)])
  }
}

extension ArraySlice where Element == UInt8 {
  /// A little-endian number at a position relative to the start; the slice must contain it.
  func number(at place: Int, bytes: Int) -> Int {
    var value: UInt64 = 0
    for byte in self[(startIndex + place)..<(startIndex + place + bytes)].reversed() {
      value = value << 8 | UInt64(byte)
    }
    return Int(clamping: value)
  }
}
