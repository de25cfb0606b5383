import CZlib

/// zlib's stream format over whole buffers.
enum Zlib {
  /// - Parameter level: 1 (fast) ... 9 (small).
  static func compressed(_ bytes: [UInt8], level: Int) -> [UInt8] {
    let bound = compressBound(uLong(bytes.count))
    return [UInt8](unsafeUninitializedCapacity: Int(bound)) { buffer, count in
      var size = uLongf(buffer.count)
      let code = compress2(
        buffer.baseAddress, &size, bytes, uLong(bytes.count), Int32(min(max(level, 1), 9)))
      // It fails only if the buffer or the memory is too small.
      count = code == Z_OK ? Int(size) : 0
    }
  }

  /// - Parameter count: the number of bytes after decompression.
  /// - Returns: `nil` if they are not a valid stream, or not one of this many bytes.
  static func inflated(_ bytes: UnsafeRawBufferPointer, count: Int) -> [UInt8]? {
    var isWhole = false
    let result = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var size = uLongf(count)
      var spare: UInt8 = 0
      let code = withUnsafeMutablePointer(to: &spare) { spare in
        uncompress(
          buffer.baseAddress ?? spare, &size,
          bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), uLong(bytes.count))
      }
      isWhole = code == Z_OK && Int(size) == count
      filled = isWhole ? count : 0
    }
    return isWhole ? result : nil
  }
}
