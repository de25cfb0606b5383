/// Iterates over the fields of one protobuf message, never past its end.
///
/// Source: https://protobuf.dev/programming-guides/encoding/. Groups (deprecated) are a fault.
struct ProtobufReader {
  /// A field's number and the location of its value.
  struct Field {
    var number: Int
    var value: Value
  }

  enum Value {
    case varint(UInt64)
    /// Four or eight bytes of fixed width.
    case fixed
    /// A message, text, bytes or packed numbers: a range of the file.
    case bytes(Range<Int>)
  }

  private let bytes: [UInt8]
  private(set) var offset: Int
  private let end: Int

  /// Reads the message in `range` of `bytes`.
  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    self.offset = max(0, range.lowerBound)
    self.end = min(bytes.count, range.upperBound)
  }

  /// The next field; `nil` at the end of the message.
  mutating func next() throws(ONNXFault) -> Field? {
    guard offset < end else { return nil }
    let start = offset
    let tag = try varint()
    let number = tag >> 3
    guard number >= 1, number < 1 << 29 else { throw .malformed(offset: start) }
    let value: Value
    switch tag & 7 {
    case 0: value = .varint(try varint())
    case 1: value = try fixed(8)
    case 2:
      let length = try varint()
      guard length <= UInt64(end - offset) else { throw .truncated(offset: start) }
      value = .bytes(offset..<offset + Int(length))
      offset += Int(length)
    case 5: value = try fixed(4)
    default: throw .malformed(offset: start)
    }
    return Field(number: Int(number), value: value)
  }

  /// The next of the packed numbers that the message consists of; `nil` at its end.
  mutating func number() throws(ONNXFault) -> UInt64? { offset < end ? try varint() : nil }

  private mutating func fixed(_ size: Int) throws(ONNXFault) -> Value {
    guard end - offset >= size else { throw .truncated(offset: offset) }
    offset += size
    return .fixed
  }

  private mutating func varint() throws(ONNXFault) -> UInt64 {
    var result: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard offset < end else { throw .truncated(offset: offset) }
      let byte = bytes[offset]
      offset += 1
      if shift < 64 { result |= UInt64(byte & 0x7F) << shift }
      if byte & 0x80 == 0 { return result }
    }
    throw .malformed(offset: offset)
  }
}
