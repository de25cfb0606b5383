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
      // It fails only where the room or the memory is not enough.
      count = code == Z_OK ? Int(size) : 0
    }
  }

  /// - Parameter count: how many bytes come out.
  /// - Returns: `nil` where they are no such stream, or not of this many bytes.
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
