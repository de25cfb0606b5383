/// Decompresses Snappy blocks.
///
/// Source: "Snappy compressed format description" (google/snappy, format_description.txt).
enum Snappy {
  /// - Parameter target: has the size of the decompressed data.
  /// - Returns: the number of bytes; `nil` if the data are damaged or have another size.
  static func unpack(
    _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> Int? {
    var (read, written) = (0, 0)
    guard let from = source.baseAddress, let to = target.baseAddress,
      length(source, &read) == target.count
    else { return nil }
    while read < source.count {
      let tag = source[read]
      read += 1
      if tag & 3 == 0 {
        var count = Int(tag >> 2)
        if count >= 60 {
          guard let stated = number(source, &read, bytes: count - 59) else { return nil }
          count = stated
        }
        count += 1
        guard count <= source.count - read, count <= target.count - written else { return nil }
        (to + written).copyMemory(from: from + read, byteCount: count)
        read += count
        written += count
        continue
      }
      let (count, offset): (Int, Int)
      switch tag & 3 {
      case 1:
        guard let low = number(source, &read, bytes: 1) else { return nil }
        (count, offset) = (Int(tag >> 2 & 7) + 4, Int(tag >> 5) << 8 | low)
      default:
        guard let far = number(source, &read, bytes: tag & 3 == 2 ? 2 : 4) else { return nil }
        (count, offset) = (Int(tag >> 2) + 1, far)
      }
      guard offset > 0, offset <= written, count <= target.count - written else { return nil }
      if offset >= count {
        (to + written).copyMemory(from: to + written - offset, byteCount: count)
      } else {
        // The copy repeats what it writes.
        for place in written..<written + count { target[place] = target[place - offset] }
      }
      written += count
    }
    return written == target.count ? written : nil
  }

  private static func length(_ source: UnsafeRawBufferPointer, _ read: inout Int) -> Int? {
    var value = 0
    for shift in stride(from: 0, to: 35, by: 7) {
      guard read < source.count else { return nil }
      let byte = source[read]
      read += 1
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }

  private static func number(
    _ source: UnsafeRawBufferPointer, _ read: inout Int, bytes: Int
  ) -> Int? {
    guard bytes <= source.count - read else { return nil }
    var value = 0
    for place in 0..<bytes { value |= Int(source[read + place]) << (8 * place) }
    read += bytes
    return value
  }
}
