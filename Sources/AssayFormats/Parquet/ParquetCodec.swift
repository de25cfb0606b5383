import CZlib
import CZstd

/// The compression of pages.
enum ParquetCodec {
  private static let names = [
    "UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW",
  ]

  /// - Throws: ``ParquetProblem`` for a codec that is not read.
  static func check(_ codec: Int) throws {
    guard ![0, 1, 2, 6].contains(codec) else { return }
    let name = names.indices.contains(codec) ? names[codec] : "codec \(codec)"
    throw ParquetProblem(
      "it is compressed with \(name), which is not read; write it again with snappy, gzip or zstd")
  }

  /// Decompresses a page.
  ///
  /// - Parameter size: the size that its header states.
  /// - Throws: ``ParquetProblem``.
  static func unpack(
    _ codec: Int, _ packed: UnsafeRawBufferPointer, size: Int
  ) throws -> [UInt8] {
    try check(codec)
    guard size <= ParquetLimits.page else {
      throw ParquetProblem("a page has more than \(ParquetLimits.page >> 20) MiB, the limit")
    }
    guard size <= ParquetLimits.freePage || size / ParquetLimits.ratio <= packed.count else {
      throw ParquetProblem(
        "a page of \(size >> 20) MiB has \(packed.count) compressed bytes, more than "
          + "\(ParquetLimits.ratio) times fewer, which exceeds the limit")
    }
    guard size > 0 else { return [] }
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let target = UnsafeMutableRawBufferPointer(buffer)
      switch codec {
      case 1: count = Snappy.unpack(packed, into: target) ?? -1
      case 2: count = inflate(packed, into: target) ?? -1
      case 6:
        let result = ZSTD_decompress(target.baseAddress, size, packed.baseAddress, packed.count)
        count = ZSTD_isError(result) == 0 ? result : -1
      default:
        guard packed.count == size else { break }
        target.copyMemory(from: packed)
        count = size
      }
      count = max(0, count)
    }
    guard bytes.count == size else {
      throw ParquetProblem.damaged("a page cannot be decompressed (\(names[codec]))")
    }
    return bytes
  }

  /// Decompresses gzip, or data with the header of zlib; `nil` if they are damaged.
  private static func inflate(
    _ packed: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> Int? {
    var stream = z_stream()
    guard packed.count <= Int(UInt32.max),
      inflateInit2_(&stream, 15 + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { inflateEnd(&stream) }
    stream.next_in = UnsafeMutablePointer(
      mutating: packed.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.avail_in = UInt32(packed.count)
    stream.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.avail_out = UInt32(target.count)
    guard CZlib.inflate(&stream, Z_FINISH) == Z_STREAM_END else { return nil }
    return target.count - Int(stream.avail_out)
  }

  /// The CRC-32 of bytes.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(
      truncatingIfNeeded: crc32_z(
        0, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count))
  }
}
