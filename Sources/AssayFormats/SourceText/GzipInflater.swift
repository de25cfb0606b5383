import CZlib

/// Decompresses gzip as a stream: one member or several, of any size, in bounded memory.
///
/// Not thread-safe. Source: RFC 1952; zlib 1.2.13 `inflate`.
final class GzipInflater {
  /// The first two bytes of every gzip member.
  static let magic: [UInt8] = [0x1F, 0x8B]

  private static let inputCapacity = 1 << 17

  private let limits: Limits

  /// The limits for decompressing a file.
  struct Limits: Hashable, Sendable {
    /// The size of the text that any file can decompress to: 1 GiB.
    var freeBytes = 1 << 30
    /// The maximum ratio of text to compressed bytes beyond that. Repetitions of one row reach
    /// 1,030, 64×64 masks with one object each 180, FER-2013 3.
    var ratio = 400

    /// Returns whether a text is too large for its compressed size.
    func areExceeded(byText unpacked: Int, packed: Int) -> Bool {
      unpacked > freeBytes && unpacked / ratio > packed
    }
  }

  private var stream = z_stream()
  private let input = UnsafeMutableRawBufferPointer.allocate(
    byteCount: GzipInflater.inputCapacity, alignment: 16)
  /// True if the file has no more bytes.
  private var inputEnded = false
  /// True if the stream is between two members.
  private var isBetweenMembers = false
  private var ended = false
  /// The numbers of decompressed bytes, and of compressed bytes taken from the file.
  private var unpacked = 0
  private var packed = 0

  /// True if the text exceeds the limits on its size relative to the file.
  var expandsTooFar: Bool { limits.areExceeded(byText: unpacked, packed: packed) }

  /// True if the damage is a checksum that does not match the data.
  private(set) var hasWrongChecksum = false

  /// The damage of the compressed data, one clause; `nil` for none.
  private(set) var damage: String?

  /// - Throws: ``FormatError/outOfMemory`` if zlib cannot allocate memory.
  init(limits: Limits = Limits()) throws {
    self.limits = limits
    // 15 bits of window, plus 16: gzip only.
    let status = inflateInit2_(
      &stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      input.deallocate()
      throw FormatError.outOfMemory
    }
  }

  deinit {
    inflateEnd(&stream)
    input.deallocate()
  }

  /// True if there is no more data: the end, or damage.
  var isExhausted: Bool { ended }

  /// Decompresses the input into the buffer; 0 if more input is needed or the end is reached.
  func inflate(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard !ended, let output = buffer.baseAddress else { return 0 }
    let limit = UInt32(clamping: buffer.count)
    stream.next_out = output.assumingMemoryBound(to: UInt8.self)
    stream.avail_out = limit
    while stream.avail_out > 0, !ended {
      if isBetweenMembers, !startNextMember() { break }
      if stream.avail_in == 0 {
        if inputEnded { fail("the gzip data is truncated") }
        break
      }
      switch CZlib.inflate(&stream, Z_NO_FLUSH) {
      case Z_OK, Z_BUF_ERROR: continue
      case Z_STREAM_END: isBetweenMembers = true
      default:
        let reason = stream.msg.map { String(cString: $0) } ?? "unknown reason"
        hasWrongChecksum = reason == "incorrect data check" || reason == "incorrect length check"
        fail("the gzip data is damaged (\(reason))")
      }
    }
    let count = Int(limit - stream.avail_out)
    unpacked += count
    return count
  }

  /// Continues with the next member; `false` if more input is needed or there is none.
  private func startNextMember() -> Bool {
    // Two bytes distinguish a member from padding; a single byte at the end can be neither.
    guard stream.avail_in >= 2 || inputEnded else { return false }
    guard stream.avail_in > 0 else {
      ended = true
      return false
    }
    guard stream.avail_in >= 2, stream.next_in[0] == Self.magic[0],
      stream.next_in[1] == Self.magic[1]
    else {
      // Tape blocks are padded with zeros, which gzip itself also ignores.
      if stream.next_in[0] == 0 {
        ended = true
      } else {
        fail("there is other data after the gzip data")
      }
      return false
    }
    inflateReset(&stream)
    isBetweenMembers = false
    return true
  }

  private func fail(_ reason: String) {
    damage = reason
    ended = true
  }

  /// Takes more compressed bytes from the file and passes them on for hashing.
  ///
  /// - Throws: any error that `read` throws.
  func refill(
    _ read: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws -> UnsafeRawBufferPointer {
    let kept = Int(stream.avail_in)
    if kept > 0, let next = stream.next_in {
      input.baseAddress?.copyMemory(from: next, byteCount: kept)
    }
    let free = UnsafeMutableRawBufferPointer(rebasing: input[kept...])
    let count = try read(free)
    if count == 0 { inputEnded = true }
    packed += count
    stream.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.avail_in = UInt32(kept + count)
    return UnsafeRawBufferPointer(rebasing: free[..<count])
  }
}
