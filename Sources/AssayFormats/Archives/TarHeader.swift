import AssayCore

/// One header of a tar archive: a block of 512 bytes. Source: POSIX.1-2017 (`pax`), and GNU tar's
/// manual for its extensions.
struct TarHeader {
  static let size = 512

  private let block: ArraySlice<UInt8>

  /// - Returns: `nil` if the block's checksum is wrong.
  init?(_ block: ArraySlice<UInt8>) {
    guard block.count == Self.size, let stated = Self.number(block.dropFirst(148).prefix(8)) else {
      return nil
    }
    var (sum, signed) = (0, 0)
    for (place, byte) in block.enumerated() {
      let value = (148..<156).contains(place) ? 0x20 : byte
      sum += Int(value)
      signed += Int(Int8(bitPattern: value))
    }
    guard stated == sum || stated == signed, sum > 8 * 0x20 else { return nil }
    self.block = block
  }

  var kind: UInt8 { block[block.startIndex + 156] }

  /// The number of bytes after the header; `nil` if the field is invalid.
  var dataSize: Int? { Self.number(field(124, 12)) }

  /// The time in seconds since 1970; 0 if the field is invalid.
  var seconds: Int { Self.number(field(136, 12)) ?? 0 }

  /// True if further blocks of a sparse file's map follow (GNU).
  var hasMoreSparse: Bool { block[block.startIndex + 482] != 0 }

  /// The bytes of the name, with the prefix that the format `ustar` keeps apart.
  var name: [UInt8] {
    let name = Self.text(field(0, 100))
    // GNU's headers have other fields at the place of the prefix.
    guard field(257, 6).elementsEqual(Array("ustar\0".utf8)) else { return name }
    let prefix = Self.text(field(345, 155))
    return prefix.isEmpty ? name : prefix + [UInt8(ascii: "/")] + name
  }

  private func field(_ start: Int, _ count: Int) -> ArraySlice<UInt8> {
    block[(block.startIndex + start)..<(block.startIndex + start + count)]
  }

  static func text(_ field: some Sequence<UInt8>) -> [UInt8] { Array(field.prefix { $0 != 0 }) }

  /// A number in octal digits, or in GNU's binary form; `nil` for anything else.
  private static func number(_ field: ArraySlice<UInt8>) -> Int? {
    if let first = field.first, first & 0x80 != 0 {
      guard first == 0x80 else { return nil }
      var value = 0
      for byte in field.dropFirst() {
        guard value <= Int.max >> 9 else { return nil }
        value = value << 8 | Int(byte)
      }
      return value
    }
    let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
    var value = 0
    for digit in digits {
      guard (0x30...0x37).contains(digit), value <= Int.max >> 4 else { return nil }
      value = value << 3 | Int(digit - 0x30)
    }
    return value
  }
}
