/// Reads the fields of a message in protocol buffers' wire format.
///
/// Source: the Protocol Buffers documentation, "Encoding".
struct WireReader {
  /// The value of a field.
  enum Value {
    /// A varint, or a number of 8 or 4 bytes.
    case number(UInt64)
    /// The place of a string, bytes, a message or packed numbers.
    case bytes(Range<Int>)
  }

  private let bytes: UnsafeRawBufferPointer
  private var place: Int
  private let end: Int

  /// - Parameters:
  ///   - bytes: all bytes.
  ///   - range: the message; within the bytes.
  init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
    self.bytes = bytes
    (place, end) = (range.lowerBound, range.upperBound)
  }

  /// The next field; `nil` at the end.
  ///
  /// - Throws: ``TFRecordProblem`` if the message is damaged.
  mutating func next() throws -> (field: Int, value: Value)? {
    guard place < end else { return nil }
    let tag = try varint()
    let field = Int(truncatingIfNeeded: tag >> 3 & 0x1FFF_FFFF)
    guard field > 0, tag >> 32 == 0 else { throw Self.damaged }
    switch tag & 7 {
    case 0: return (field, .number(try varint()))
    case 1: return (field, .number(try fixed(UInt64.self)))
    case 5: return (field, .number(UInt64(try fixed(UInt32.self))))
    case 2:
      let length = try varint()
      guard length <= UInt64(end - place) else { throw Self.damaged }
      let range = place..<place + Int(length)
      place = range.upperBound
      return (field, .bytes(range))
    default: throw Self.damaged
    }
  }

  /// The next varint.
  ///
  /// - Throws: ``TFRecordProblem`` if it does not end, or is too long.
  mutating func varint() throws -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard place < end else { throw Self.damaged }
      let byte = bytes[place]
      place += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw Self.damaged
  }

  /// True at the end of the message.
  var isAtEnd: Bool { place >= end }

  private mutating func fixed<Number: FixedWidthInteger>(_: Number.Type) throws -> Number {
    let width = Number.bitWidth / 8
    guard end - place >= width else { throw Self.damaged }
    defer { place += width }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
  }

  private static let damaged = TFRecordProblem("it is no message of tf.train.Example")
}
