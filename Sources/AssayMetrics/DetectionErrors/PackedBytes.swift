extension [UInt8] {
  /// Appends an integer, seven bits per byte, least significant first.
  mutating func append(number: UInt64) {
    var rest = number
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a bit pattern in little-endian order.
  mutating func append(bits: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: bits.littleEndian) { append(contentsOf: $0) }
  }
}

/// Reads packed bytes sequentially; `nil` if they end too early or are not a valid number.
struct PackedReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  mutating func byte() -> UInt8? {
    guard place < bytes.count else { return nil }
    defer { place += 1 }
    return bytes[place]
  }

  mutating func number() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = byte() {
      let bits = UInt64(byte & 0x7F)
      guard shift < 64, (bits << shift) >> shift == bits else { return nil }
      value |= bits << shift
      if byte & 0x80 == 0 { return value }
      shift += 7
    }
    return nil
  }

  /// A number below a bound, which fits an `Int32`.
  mutating func number(below bound: Int) -> Int? {
    guard let number = number(), number < UInt64(clamping: bound), number < UInt64(Int32.max)
    else { return nil }
    return Int(number)
  }

  /// The number of items, each of which takes at least `least` bytes.
  mutating func count(least: Int) -> Int? {
    number(below: (bytes.count - place) / least + 1)
  }

  mutating func float() -> Float? {
    let value = bits(UInt32.self).map { Float(bitPattern: $0) }
    return value?.isFinite == true ? value : nil
  }

  mutating func double() -> Double? {
    let value = bits(UInt64.self).map { Double(bitPattern: $0) }
    return value?.isFinite == true ? value : nil
  }

  private mutating func bits<Bits: FixedWidthInteger & UnsignedInteger>(_: Bits.Type) -> Bits? {
    let width = Bits.bitWidth / 8
    guard bytes.count - place >= width else { return nil }
    var value: Bits = 0
    for offset in 0..<width { value |= Bits(bytes[place + offset]) << Bits(8 * offset) }
    place += width
    return value
  }
}
