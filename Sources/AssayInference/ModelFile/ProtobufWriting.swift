/// Pieces of protobuf messages that files are rewritten with.
///
/// Source: https://protobuf.dev/programming-guides/encoding/.
enum ProtobufWriting {
  /// The tag of a field with a length, and the length.
  static func header(_ number: Int, count: Int) -> [UInt8] {
    varint(UInt64(number) << 3 | 2) + varint(UInt64(count))
  }

  static func varint(_ value: UInt64) -> [UInt8] {
    var (rest, bytes): (UInt64, [UInt8]) = (value, [])
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(truncatingIfNeeded: rest)]
  }
}
