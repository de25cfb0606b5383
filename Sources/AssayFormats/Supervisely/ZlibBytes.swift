import CZlib

/// Decompresses short data with the header of zlib, as Supervisely's bitmaps have it.
enum ZlibBytes {
  /// The data; `nil` if they are damaged, or longer than a limit.
  ///
  /// Source: RFC 1950; zlib 1.2.13 `inflate`.
  static func inflate(_ packed: [UInt8], limit: Int) -> [UInt8]? {
    var stream = z_stream()
    guard packed.count <= Int(UInt32.max), limit >= 0,
      inflateInit2_(&stream, 15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { inflateEnd(&stream) }
    var input = packed
    var out: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    return input.withUnsafeMutableBufferPointer { input -> [UInt8]? in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      while true {
        let (status, count) = chunk.withUnsafeMutableBufferPointer { buffer -> (Int32, Int) in
          stream.next_out = buffer.baseAddress
          stream.avail_out = UInt32(buffer.count)
          let status = CZlib.inflate(&stream, Z_NO_FLUSH)
          return (status, buffer.count - Int(stream.avail_out))
        }
        guard out.count + count <= limit else { return nil }
        out += chunk[..<count]
        if status == Z_STREAM_END { return out }
        guard status == Z_OK, count > 0 || stream.avail_in > 0 else { return nil }
      }
    }
  }
}
