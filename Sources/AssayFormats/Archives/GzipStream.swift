import CZlib

/// The text of a gzip file, read on from one of the places where decompression can start. Not
/// thread-safe.
///
/// Checksums are not compared: ``UnpackedGzip`` did when it listed the places.
final class GzipStream {
  /// A place where decompression can start.
  struct Start: Sendable {
    /// The offsets in the unpacked text and in the file.
    var output: Int
    var input: Int
    /// The number of bits of the byte before `input` that are not read yet.
    var bits: Int
    /// The text before the place, at most 32 KiB; `nil` at the start of a gzip member.
    var window: [UInt8]?
  }

  /// The offset in the text of the next byte.
  private(set) var offset: Int

  private let file: ArchiveFile
  private var stream = z_stream()
  private let input: UnsafeMutableRawBufferPointer
  /// The offset in the file of the next bytes to read.
  private var next: Int
  /// True if the data of a member is read without its header and checksum.
  private var isRaw: Bool
  private var hasEnded = false

  private static let capacity = 1 << 15
  /// The checksum and the size behind the data of a member.
  private static let trailer = 8

  /// - Throws: ``FormatError/outOfMemory``; ``ArchiveError/damaged(_:problem:)``; any error that
  ///   the file's tree throws.
  init(_ file: ArchiveFile, from start: Start) throws {
    self.file = file
    offset = start.output
    next = start.input
    isRaw = start.window != nil
    guard
      inflateInit2_(
        &stream, isRaw ? -15 : 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw FormatError.outOfMemory }
    input = .allocate(byteCount: Self.capacity, alignment: 16)
    guard let window = start.window else { return }
    if start.bits > 0 {
      guard let byte = try file.bytes(at: next - 1, count: 1).first else { throw changed }
      inflatePrime(&stream, Int32(start.bits), Int32(byte) >> (8 - Int32(start.bits)))
    }
    window.withUnsafeBufferPointer {
      _ = inflateSetDictionary(&stream, $0.baseAddress, UInt32($0.count))
    }
  }

  deinit {
    inflateEnd(&stream)
    input.deallocate()
  }

  private var changed: ArchiveError {
    .damaged(file.name, problem: "the file changed while it was read")
  }

  /// Reads on, and returns the number of bytes; fewer than the buffer holds only at the end.
  ///
  /// - Throws: ``ArchiveError/damaged(_:problem:)`` if the file is not the one that was listed; any
  ///   error that the file's tree throws.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    var filled = 0
    while filled < buffer.count, !hasEnded {
      if stream.avail_in == 0, try !refill() { throw changed }
      let room = UInt32(clamping: buffer.count - filled)
      stream.next_out = buffer.baseAddress?.advanced(by: filled)
        .assumingMemoryBound(to: UInt8.self)
      stream.avail_out = room
      let status = CZlib.inflate(&stream, Z_NO_FLUSH)
      filled += Int(room - stream.avail_out)
      switch status {
      case Z_OK, Z_BUF_ERROR: continue
      case Z_STREAM_END: try startNextMember()
      default: throw changed
      }
    }
    offset += filled
    return filled
  }

  /// Reads on to an offset in the text; not beyond the end.
  ///
  /// - Throws: as ``read(into:)``.
  func skip(to target: Int) throws {
    guard offset < target else { return }
    let scratch = UnsafeMutableRawBufferPointer.allocate(
      byteCount: min(target - offset, 1 << 16), alignment: 16)
    defer { scratch.deallocate() }
    while offset < target {
      let part = UnsafeMutableRawBufferPointer(
        rebasing: scratch[..<min(scratch.count, target - offset)])
      guard try read(into: part) > 0 else { return }
    }
  }

  private func startNextMember() throws {
    if isRaw {
      for _ in 0..<Self.trailer {
        if stream.avail_in == 0, try !refill() { throw changed }
        stream.next_in += 1
        stream.avail_in -= 1
      }
    }
    if stream.avail_in == 0, try !refill() {
      hasEnded = true
      return
    }
    // What follows the last member was looked at when the places were listed.
    guard stream.next_in[0] == GzipInflater.magic[0] else {
      hasEnded = true
      return
    }
    inflateReset2(&stream, 15 + 16)
    isRaw = false
  }

  /// Returns `false` at the end of the file.
  private func refill() throws -> Bool {
    let count = try file.read(at: next, into: input)
    next += count
    stream.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.avail_in = UInt32(count)
    return count > 0
  }
}
