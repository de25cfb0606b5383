import CZlib

/// Builds zip archives with entries that other programs refuse to write.
struct ZipBuilder {
  private var body: [UInt8] = []
  private var directory: [UInt8] = []
  private var count = 0

  /// Appends an entry.
  ///
  /// - Parameters:
  ///   - stated: the size that the archive states; the true one if `nil`.
  ///   - checksum: the checksum that it states; the true one if `nil`.
  ///   - offset: the offset of the local header that it states; the true one if `nil`.
  ///   - host: the number of the system that it states: 0 for MS-DOS, 3 for Unix.
  mutating func add(
    _ name: String, _ bytes: [UInt8], isDeflated: Bool = true, stated: Int? = nil,
    checksum: UInt32? = nil, offset: Int? = nil, host: Int = 0
  ) {
    let packed = isDeflated ? Self.deflate(bytes) : bytes
    let sum =
      checksum ?? bytes.withUnsafeBufferPointer { UInt32(crc32_z(0, $0.baseAddress, $0.count)) }
    var facts: [UInt8] = []
    facts += Self.number(20, 2) + Self.number(0x800, 2) + Self.number(isDeflated ? 8 : 0, 2)
    facts += Self.number(0, 2) + Self.number(0x21, 2) + Self.number(Int(sum), 4)
    facts += Self.number(packed.count, 4) + Self.number(stated ?? bytes.count, 4)
    facts += Self.number(name.utf8.count, 2) + Self.number(0, 2)
    directory +=
      [0x50, 0x4B, 1, 2] + Self.number(20 | host << 8, 2) + facts + [UInt8](repeating: 0, count: 10)
    directory += Self.number(offset ?? body.count, 4) + Array(name.utf8)
    body += [0x50, 0x4B, 3, 4] + facts + Array(name.utf8) + packed
    count += 1
  }

  /// The archive.
  var bytes: [UInt8] {
    body + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + Self.number(count, 2)
      + Self.number(count, 2) + Self.number(directory.count, 4) + Self.number(body.count, 4) + [
        0, 0,
      ]
  }

  private static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// A gzip member.
  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    let sum = bytes.withUnsafeBufferPointer { UInt32(crc32_z(0, $0.baseAddress, $0.count)) }
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] + deflate(bytes) + number(Int(sum), 4)
      + number(bytes.count, 4)
  }

  private static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    guard
      deflateInit2_(
        &stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return [] }
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
    let left = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output -> Int in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        _ = CZlib.deflate(&stream, Z_FINISH)
        return Int(stream.avail_out)
      }
    }
    output.removeLast(left)
    return output
  }
}
