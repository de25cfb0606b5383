/// Blobs as the catalog stores them: unchanged, or as a zlib stream if that is smaller.
enum PackedBytes {
  /// The first byte of a stored blob.
  private enum Form: UInt8 {
    case plain = 0
    /// The count as a little-endian uint32, then the stream.
    case zlib = 1
  }

  /// Blobs with fewer bytes are not compressed.
  private static let threshold = 256
  /// The maximum number of bytes that zlib expands one byte to.
  private static let greatestRatio = 1_032

  static func packed(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.count >= threshold, let count = UInt32(exactly: bytes.count) {
      let stream = Zlib.compressed(bytes, level: 1)
      if !stream.isEmpty, stream.count < bytes.count - bytes.count / 8 {
        return [Form.zlib.rawValue] + withUnsafeBytes(of: count.littleEndian) { Array($0) } + stream
      }
    }
    return [Form.plain.rawValue] + bytes
  }

  /// - Returns: `nil` if they are damaged.
  static func unpacked(_ stored: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let first = stored.first, let form = Form(rawValue: first) else { return nil }
    switch form {
    case .plain: return Array(stored.dropFirst())
    case .zlib:
      guard stored.count > 5 else { return nil }
      let count = Int(
        UInt32(littleEndian: stored.loadUnaligned(fromByteOffset: 1, as: UInt32.self)))
      let stream = UnsafeRawBufferPointer(rebasing: stored.dropFirst(5))
      // Reserves no more memory than the stream can expand to.
      guard count / greatestRatio <= stream.count else { return nil }
      return Zlib.inflated(stream, count: count)
    }
  }
}
