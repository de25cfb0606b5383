/// A position in the bytes of a page.
struct ParquetBytes {
  let bytes: [UInt8]
  var position: Int
  let end: Int

  init(_ bytes: [UInt8], _ range: Range<Int>? = nil) {
    self.bytes = bytes
    let range = range ?? 0..<bytes.count
    (position, end) = (range.lowerBound, range.upperBound)
  }

  var remaining: Int { end - position }

  static let short = ParquetProblem.damaged("a page ends too early")

  /// Passes over bytes, and returns the index of the first.
  mutating func take(_ count: Int) throws -> Int {
    guard count >= 0, count <= remaining else { throw Self.short }
    defer { position += count }
    return position
  }

  mutating func byte() throws -> UInt8 { bytes[try take(1)] }

  /// Reads a little-endian number of up to 8 bytes.
  mutating func number(bytes count: Int) throws -> UInt64 {
    let start = try take(count)
    var value: UInt64 = 0
    for place in 0..<min(8, count) { value |= UInt64(bytes[start + place]) << UInt64(8 * place) }
    return value
  }

  mutating func varint() throws -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      let next = try byte()
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return value }
    }
    throw ParquetProblem.damaged("a number has more than 64 bits")
  }

  mutating func zigzag() throws -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}
