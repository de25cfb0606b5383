import CZlib

/// Lists the places in a gzip file where decompression can start, by unpacking it once.
///
/// The checksum and the size of each member are compared. Source: RFC 1952; the method is that of
/// zlib's `examples/zran.c` (Mark Adler).
struct GzipStarts {
  /// In ascending order; the first one is the start of the file.
  private(set) var starts: [GzipStream.Start] = []
  /// The number of bytes of the text.
  private(set) var size = 0

  private let file: ArchiveFile
  /// The minimum number of bytes of text between two places.
  private var span: Int
  private let limits: GzipInflater.Limits

  /// The size of zlib's window, the text that later text can refer to.
  private static let windowSize = 1 << 15
  private static let inputCapacity = 1 << 17
  /// The maximum number of places, of 32 KiB each. If there are more, every second one is dropped.
  private static let startLimit = 2_048

  /// - Parameters:
  ///   - span: the minimum number of bytes of text between two places, at first.
  ///   - check: called for each piece of the file; an error that it throws ends the listing.
  /// - Throws: the error of `check`; ``ArchiveError/damaged(_:problem:)``, ``ArchiveError/expandsTooFar(_:size:)``,
  ///   ``FormatError/outOfMemory``; any error that the file's tree throws.
  init(
    _ file: ArchiveFile, span: Int, limits: GzipInflater.Limits, check: () throws -> Void
  ) throws {
    self.file = file
    self.span = span
    self.limits = limits
    var stream = z_stream()
    guard
      inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw FormatError.outOfMemory }
    defer { inflateEnd(&stream) }
    let input = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.inputCapacity, alignment: 16)
    // zlib writes the text round and round into the window.
    let window = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.windowSize, alignment: 16)
    defer {
      input.deallocate()
      window.deallocate()
    }
    starts.append(GzipStream.Start(output: 0, input: 0, bits: 0, window: nil))
    var next = 0
    while true {
      if stream.avail_in == 0 {
        try check()
        let count = try file.read(at: next, into: input)
        guard count > 0 else { throw damaged("the gzip data is truncated") }
        next += count
        stream.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_in = UInt32(count)
      }
      if stream.avail_out == 0 {
        stream.next_out = window.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_out = UInt32(Self.windowSize)
      }
      let room = stream.avail_out
      let status = CZlib.inflate(&stream, Z_BLOCK)
      size += Int(room - stream.avail_out)
      let place = next - Int(stream.avail_in)
      guard !limits.areExceeded(byText: size, packed: place) else {
        throw ArchiveError.expandsTooFar(file.name, size: size)
      }
      switch status {
      case Z_OK, Z_BUF_ERROR:
        // Bit 7: the end of a block or header. Bit 6: the last block of the member.
        guard stream.data_type & 0xC0 == 0x80, isDue, size > 0 else { continue }
        add(
          GzipStream.Start(
            output: size, input: place, bits: Int(stream.data_type & 7),
            window: Self.text(in: window, free: Int(stream.avail_out), size)))
      case Z_STREAM_END:
        guard try hasMember(at: place) else { return }
        if isDue { add(GzipStream.Start(output: size, input: place, bits: 0, window: nil)) }
        inflateReset(&stream)
      default:
        let reason = stream.msg.map { String(cString: $0) } ?? "unknown reason"
        throw damaged("the gzip data is damaged at byte \(place) (\(reason))")
      }
    }
  }

  private func damaged(_ problem: String) -> ArchiveError { .damaged(file.name, problem: problem) }

  private var isDue: Bool { size - (starts.last?.output ?? 0) >= span }

  private mutating func add(_ start: GzipStream.Start) {
    starts.append(start)
    guard starts.count > Self.startLimit else { return }
    starts = starts.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    span *= 2
  }

  /// Returns whether a member follows at an offset; zeros after the last one are ignored, as gzip does.
  private func hasMember(at place: Int) throws -> Bool {
    let head = try file.bytes(at: place, count: 2)
    if head == GzipInflater.magic { return true }
    guard head.isEmpty || head[0] == 0 else {
      throw damaged("there is other data after the gzip data, at byte \(place)")
    }
    return false
  }

  /// The last text in a window that is written round and round.
  ///
  /// - Parameters:
  ///   - free: the number of bytes before the window's end that are the next to write.
  ///   - size: the number of bytes that were written in all.
  private static func text(
    in window: UnsafeMutableRawBufferPointer, free: Int, _ size: Int
  ) -> [UInt8] {
    let end = window.count - free
    return size < window.count ? Array(window[..<end]) : Array(window[end...]) + window[..<end]
  }
}
