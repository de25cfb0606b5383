import AssayCore
import CZlib

/// The data of one entry of a zip archive, read from its start on. Not thread-safe.
///
/// The checksum is compared once the last byte was read.
final class EntryStream {
  /// The index of the entry.
  let index: Int
  /// The number of bytes that were read.
  private(set) var offset = 0
  /// The order in which streams are given up.
  var priority = 0

  private let archive: ArchiveFile
  private let entry: SourceFile
  private let place: ArchiveEntries.Place
  /// The offset of the data in the archive, and the number of its bytes that were read.
  private let start: Int
  private var taken = 0
  private var checksum: UInt = 0
  private var stream = z_stream()
  private var input: UnsafeMutableRawBufferPointer?

  private static let inputCapacity = 1 << 15

  /// - Throws: ``ArchiveError/damagedEntry(_:problem:)`` if the entry's local header is invalid;
  ///   ``FormatError/outOfMemory``; any error that the tree throws.
  init(_ archive: ArchiveFile, _ entry: SourceFile, _ place: ArchiveEntries.Place, index: Int)
    throws
  {
    self.archive = archive
    self.entry = entry
    self.place = place
    self.index = index
    start = try Self.dataOffset(archive, entry, place)
    guard place.method == .deflated else { return }
    // A negative number of bits: without a header of zlib's.
    guard
      inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw FormatError.outOfMemory }
    input = .allocate(byteCount: Self.inputCapacity, alignment: 16)
  }

  deinit {
    guard let input else { return }
    inflateEnd(&stream)
    input.deallocate()
  }

  /// True if all bytes were read.
  var isFinished: Bool { offset == entry.size }

  private func damaged(_ problem: String) -> ArchiveError {
    .damagedEntry(entry.path, problem: problem)
  }

  /// The offset of an entry's data, behind its local header.
  static func dataOffset(
    _ archive: ArchiveFile, _ entry: SourceFile, _ place: ArchiveEntries.Place
  ) throws -> Int {
    guard place.method != .plain else { return place.offset }
    let header = try archive.bytes(at: place.offset, count: ZipDirectory.localSize)[...]
    guard header.count == ZipDirectory.localSize, header.number(at: 0, bytes: 4) == 0x0403_4B50
    else {
      throw ArchiveError.damagedEntry(entry.path, problem: "its local header is damaged")
    }
    let start =
      place.offset + ZipDirectory.localSize + header.number(at: 26, bytes: 2)
      + header.number(at: 28, bytes: 2)
    guard start + place.packed <= archive.size else {
      throw ArchiveError.damagedEntry(entry.path, problem: "its data is cut off")
    }
    return start
  }

  /// Reads on, and returns the number of bytes; 0 at the end.
  ///
  /// - Throws: ``ArchiveError``; any error that the tree throws.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let wanted = min(buffer.count, entry.size - offset)
    guard wanted > 0 else { return 0 }
    let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
    if place.method == .deflated {
      try inflate(into: part)
    } else {
      guard try archive.read(at: start + offset, into: part) == wanted else {
        throw damaged("its data is cut off")
      }
    }
    checksum = crc32_z(
      checksum, part.baseAddress?.assumingMemoryBound(to: UInt8.self), wanted)
    offset += wanted
    if isFinished { try finish() }
    return wanted
  }

  /// Unpacks until an offset, and drops the bytes.
  func skip(to target: Int) throws {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { scratch in
      while offset < target {
        let part = UnsafeMutableRawBufferPointer(
          rebasing: scratch[..<min(scratch.count, target - offset)])
        guard try read(into: part) > 0 else { return }
      }
    }
  }

  /// Fills a buffer that is not larger than the rest of the entry.
  private func inflate(into buffer: UnsafeMutableRawBufferPointer) throws {
    stream.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var left = buffer.count
    while left > 0 {
      let room = UInt32(clamping: left)
      stream.avail_out = room
      let status = try step()
      left -= Int(room - stream.avail_out)
      if status == Z_STREAM_END, left > 0 {
        throw damaged("it unpacks to fewer than the \(entry.size) bytes that the archive states")
      }
    }
  }

  /// One call of zlib's, with more input if there is none.
  private func step() throws -> Int32 {
    let isLast = taken == place.packed
    if stream.avail_in == 0, !isLast, let input {
      let count = min(input.count, place.packed - taken)
      let part = UnsafeMutableRawBufferPointer(rebasing: input[..<count])
      guard try archive.read(at: start + taken, into: part) == count else {
        throw damaged("its packed data is cut off")
      }
      taken += count
      stream.next_in = part.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.avail_in = UInt32(count)
    }
    let status = CZlib.inflate(&stream, Z_NO_FLUSH)
    // Without more input, zlib still gives what it holds.
    if status == Z_BUF_ERROR, isLast { throw damaged("its packed data is cut off") }
    guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
      let reason = stream.msg.map { String(cString: $0) } ?? "unknown reason"
      throw damaged("its packed data is damaged (\(reason))")
    }
    return status
  }

  /// Checks that the data ends here, and its checksum.
  private func finish() throws {
    if place.method == .deflated {
      try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { extra in
        var status = Z_OK
        while status != Z_STREAM_END {
          stream.next_out = extra.baseAddress?.assumingMemoryBound(to: UInt8.self)
          stream.avail_out = 1
          status = try step()
          guard stream.avail_out == 1 else {
            throw ArchiveError.largerThanStated(entry.path, size: entry.size)
          }
        }
      }
    }
    guard UInt32(truncatingIfNeeded: checksum) == place.checksum else {
      throw damaged("its checksum is wrong")
    }
  }
}
